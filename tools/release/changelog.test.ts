import { expect, test } from 'vitest';
import { type Changelog, hasSection, released } from './changelog.ts';

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- A rule.\n\n## 0.1.0 - 2026-11-01\n\n- All of it.\n';

const main = (text: string): Changelog => ({ file: 'CHANGELOG.md', text, isOfPackage: false });

test('a release moves the unreleased entries under its version and leaves an empty section', () => {
  expect(released(main(CHANGELOG), '0.2.0', '2026-11-22')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-22\n\n### Added\n\n- A rule.\n\n## 0.1.0 - 2026-11-01\n\n- All of it.\n',
  );
});

test.each([
  ['has no section', '# Changelog\n', 'CHANGELOG.md has no section "## Unreleased". Add it'],
  [
    'has no entry before the next section',
    '## Unreleased\n\n### Added\n\n## 0.1.0 - 2026-11-01\n\n- All of it.\n',
    'CHANGELOG.md has no entry under "## Unreleased". Write',
  ],
])('a release refuses a CHANGELOG that %s', (_, changelog, message) => {
  expect(() => released(main(changelog), '0.2.0', '2026-11-22')).toThrow(message);
});

test('a release says in the CHANGELOG of a package without entries that nothing changed', () => {
  const file = 'cli/CHANGELOG.md';
  const text = '# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-11-01\n\n- All of it.\n';
  expect(released({ file, text, isOfPackage: true }, '0.2.0', '2026-11-22')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-22\n\nNo changes.\n\n## 0.1.0 - 2026-11-01\n\n- All of it.\n',
  );
  expect(() => released({ file, text: '', isOfPackage: true }, '0.2.0', '2026-11-22')).toThrow(
    'cli/CHANGELOG.md has no section "## Unreleased". Add it',
  );
});

test('the section of a version in the CHANGELOG is found for 0.1.0, but not for 0.1', () => {
  expect(hasSection(CHANGELOG, '0.1.0')).toBe(true);
  expect(hasSection(CHANGELOG, '0.1')).toBe(false);
});
