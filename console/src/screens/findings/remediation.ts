/** A program, its sub-commands in lower case, then flags and placeholders in upper case. Every part is one word, or a quoted text. */
const COMMAND =
  /\b(?:gcloud|gsutil|bq|kubectl)(?: [a-z][a-z0-9-]*)+(?: (?:--?[a-z][\w-]*(?:=(?:'[^']*'|"[^"]*"|[^\s;,'"]+))?|[A-Z][A-Z_0-9:]*|gs:\/\/[^\s;,]+))+/g;

/** The commands that a remediation names in its text, so that they can be copied. */
export function commandsIn(remediation: string): readonly string[] {
  const found = remediation.match(COMMAND) ?? [];
  return [...new Set(found.map((command) => command.replace(/[.:)]+$/, '')))];
}
