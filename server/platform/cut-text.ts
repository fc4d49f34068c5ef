/** The beginning of a text, with at most so many UTF-16 code units. Does not split a surrogate pair. */
export function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
