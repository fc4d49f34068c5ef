/**
 * A text as SARIF's plain messages hold it (§3.11.5, §3.11.6): braces are doubled, since single ones mark placeholders,
 * and what would be taken for a link is taken apart. The names in it are those that somebody gave to their assets.
 */
export function messageText(text: string): string {
  return text.replace(/[{}]/g, '$&$&').replaceAll('](', '] (');
}

/** A text as Markdown that shows it as it is (CommonMark §2.4: any ASCII punctuation may be escaped). */
export function markdownOf(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~!&]/g, '\\$&').replace(/[{}]/g, '$&$&');
}

/**
 * A place in a file, which SARIF's readers want, for an asset, which is in no file: its name as a relative reference
 * (RFC 3986 §4.2). It stays the same for the same asset, sorts as assets do, and is told from real files at a glance.
 */
export function uriOf(assetName: string): string {
  const path = assetName.replace(/\p{Surrogate}/gu, '\u{FFFD}').replace(/^\/+/, '');
  // A segment of dots alone would lead somewhere else; an empty one would make another authority of what follows.
  const segments = path
    .split(/\/+/)
    .map((segment) => (/^\.{0,2}$/.test(segment) ? '_' : encodeURIComponent(segment)));
  return segments.join('/');
}
