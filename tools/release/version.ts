/** Released versions have three numbers and nothing else. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

function numbersOf(version: string): readonly [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return [major, minor, patch];
}

/** Negative: the first one is older. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Whether callers expect breaking changes: in a new major version, and in a new minor version before 1.0.0. */
export function mayBreak(version: string, before: string): boolean {
  const [major, minor] = numbersOf(version);
  const [majorBefore, minorBefore] = numbersOf(before);
  return major !== majorBefore || (major === 0 && minor !== minorBefore);
}
