/** A PEM private key, an AWS access key id, a Google API key, a JSON web token. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}/,
  /\beyJ[\w-]{5,}\.eyJ[\w-]{5,}\./,
];

/** Whether a text holds something that opens doors, whatever it is called. */
export function looksLikeSecret(text: string): boolean {
  return SECRETS.some((secret) => secret.test(text));
}
