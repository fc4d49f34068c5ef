/** The default font size of browsers, in pixels, at which the lengths in this code and in the style sheets are given. */
const DEFAULT_FONT = 16;

/** A length in pixels at the font size that the person has chosen in the browser, as the style sheets have it. */
export function scaled(length: number): number {
  return (
    (length * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / DEFAULT_FONT
  );
}
