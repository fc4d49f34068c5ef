const UNRELEASED = '## Unreleased';

/** A CHANGELOG that cannot be released, with the remedy. */
export class ChangelogError extends Error {
  override readonly name = 'ChangelogError';
}

/** Whether the CHANGELOG has a section of the version. */
export function hasSection(changelog: string, version: string): boolean {
  return changelog.split('\n').some((line) => line.startsWith(`## ${version} - `));
}

/**
 * Moves the entries of the Unreleased section under a section of the version.
 * @throws {ChangelogError} when there is no such section, or no entry in it.
 */
export function released(changelog: string, version: string, date: string): string {
  const lines = changelog.split('\n');
  const start = lines.indexOf(UNRELEASED);
  if (start === -1) {
    throw new ChangelogError(
      `CHANGELOG.md has no section "${UNRELEASED}". Add it above the newest release.`,
    );
  }
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const entries = lines.slice(start + 1, next === -1 ? undefined : next);
  if (!entries.some((line) => line.startsWith('- '))) {
    throw new ChangelogError(
      `CHANGELOG.md has no entry under "${UNRELEASED}". Write what changed since the last release, one "- " line each.`,
    );
  }
  return lines.toSpliced(start + 1, 0, '', `## ${version} - ${date}`).join('\n');
}
