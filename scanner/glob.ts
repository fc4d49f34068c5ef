/**
 * Whether a text matches a pattern in which `*` stands for any characters, none included. In time that grows with the
 * product of the two lengths at most, whatever the pattern: people write it.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  let at = 0;
  let of = 0;
  /** Where to go on when what follows the last star does not match: the star takes one character more. */
  let star = -1;
  let taken = 0;
  while (at < text.length) {
    if (pattern[of] === '*') {
      star = of;
      taken = at;
      of += 1;
    } else if (pattern[of] === text[at]) {
      at += 1;
      of += 1;
    } else if (star !== -1) {
      taken += 1;
      at = taken;
      of = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[of] === '*') of += 1;
  return of === pattern.length;
}
