/** A whole code span of printable ASCII, which begins with the name of a program. */
const COMMAND = /(?<=^|[\s(])`((?:gcloud|gsutil|bq|kubectl|terraform) [ -_a-~]+)`(?=$|[\s.,;:)])/g;

/** A command, or the rest of one, that is not in a code span. */
const UNMARKED = /\b(?:gcloud|gsutil|bq|kubectl|terraform)\s+\S|\s--?\w/;

/**
 * The commands of a remediation, in its order. Only the author knows where a command ends, so it must be between
 * backticks. A text that names a command elsewhere too has none, because a part of the steps could do harm.
 */
export function commandsIn(remediation: string): readonly string[] {
  if (UNMARKED.test(remediation.replace(COMMAND, ''))) return [];
  return [...new Set(Array.from(remediation.matchAll(COMMAND), ([, command = '']) => command))];
}
