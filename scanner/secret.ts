/** A PEM private key, an AWS access key id, a Google API key. Each pattern takes linear time. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}/,
];

/** Whether a text contains a credential, regardless of its name. */
export function looksLikeSecret(text: string): boolean {
  return SECRETS.some((secret) => secret.test(text)) || holdsWebToken(text);
}

/**
 * Whether the text contains the first two parts of a JSON web token, as `/\beyJ[\w-]{5,}\.eyJ[\w-]{5,}\./` finds them.
 * That expression takes quadratic time, because its first part may begin at many places of one word; this function is
 * linear.
 */
function holdsWebToken(text: string): boolean {
  let dot = text.indexOf('.eyJ');
  while (dot !== -1) {
    const end = endOfWord(text, dot + 1);
    if (end - dot > 8 && text[end] === '.' && endsWithHeader(text, dot)) return true;
    dot = text.indexOf('.eyJ', end);
  }
  return false;
}

/** Whether `eyJ` and at least five more characters of a word end at the dot, and `eyJ` begins at a word boundary. */
function endsWithHeader(text: string, dot: number): boolean {
  for (let at = dot - 1; at >= 0 && isWordOrDash(text.charCodeAt(at)); at -= 1) {
    if (dot - at < 8 || !text.startsWith('eyJ', at)) continue;
    if (at === 0 || !isWord(text.charCodeAt(at - 1))) return true;
  }
  return false;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWordOrDash(text.charCodeAt(at))) at += 1;
  return at;
}

function isWordOrDash(code: number): boolean {
  return code === 0x2d || isWord(code);
}

/** Whether the code is matched by `\w`: a letter, a digit or an underscore. */
function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}
