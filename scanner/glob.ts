/**
 * Whether a text matches a pattern in which `*` matches any characters, including none. The time is bounded by the
 * product of the two lengths for every pattern, because users write patterns.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  let at = 0;
  let of = 0;
  /** Where to continue if the text after the last star does not match: the star then takes one more character. */
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
