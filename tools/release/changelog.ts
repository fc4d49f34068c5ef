const UNRELEASED = '## Unreleased';

/** A CHANGELOG that cannot be released, with the remedy. */
export class ChangelogError extends Error {
  override readonly name = 'ChangelogError';
}

/** Whether the CHANGELOG has a section of the version. */
export function hasSection(changelog: string, version: string): boolean {
  return changelog.split('\n').some((line) => line.startsWith(`## ${version} - `));
}

/** A CHANGELOG that is released, or the one of a package that is released with the repository. */
export interface Changelog {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly text: string;
  /** A package can be released without a change of its own. */
  readonly isOfPackage: boolean;
}

/**
 * Moves the entries of the Unreleased section under a section of the version.
 * @throws {ChangelogError} when there is no such section, or no entry in it where one is needed.
 */
export function released(
  { file, text, isOfPackage }: Changelog,
  version: string,
  date: string,
): string {
  const lines = text.split('\n');
  const start = lines.indexOf(UNRELEASED);
  if (start === -1) {
    throw new ChangelogError(
      `${file} has no section "${UNRELEASED}". Add it above the newest release.`,
    );
  }
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const entries = lines.slice(start + 1, next === -1 ? undefined : next);
  const heading = ['', `## ${version} - ${date}`];
  if (entries.some((line) => line.startsWith('- '))) {
    return lines.toSpliced(start + 1, 0, ...heading).join('\n');
  }
  if (!isOfPackage) {
    throw new ChangelogError(
      `${file} has no entry under "${UNRELEASED}". Write what changed since the last release, one "- " line each.`,
    );
  }
  return lines.toSpliced(start + 1, 0, ...heading, '', 'No changes.').join('\n');
}
