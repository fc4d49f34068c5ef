import { expect, test } from 'vitest';
import { hasSection, released } from './changelog.ts';

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- A rule.\n\n## 0.1.0 - 2026-11-01\n\n- All of it.\n';

test('a release moves the unreleased entries under its version and leaves an empty section', () => {
  expect(released(CHANGELOG, '0.2.0', '2026-11-22')).toBe(
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
  expect(() => released(changelog, '0.2.0', '2026-11-22')).toThrow(message);
});

test('the section of a version in the CHANGELOG is found for 0.1.0, but not for 0.1', () => {
  expect(hasSection(CHANGELOG, '0.1.0')).toBe(true);
  expect(hasSection(CHANGELOG, '0.1')).toBe(false);
});
