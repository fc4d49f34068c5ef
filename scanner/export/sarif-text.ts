/**
 * Escapes text for SARIF's plain messages (§3.11.5, §3.11.6): braces are doubled, since single ones mark placeholders,
 * and link syntax is broken up. The text contains names that users gave to their assets.
 */
export function messageText(text: string): string {
  return text.replace(/[{}]/g, '$&$&').replaceAll('](', '] (');
}

/** Escapes text so that Markdown shows it unchanged (CommonMark §2.4: any ASCII punctuation may be escaped). */
export function markdownOf(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~!&]/g, '\\$&').replace(/[{}]/g, '$&$&');
}

/**
 * An artificial file location for an asset, because SARIF readers require one: its name as a relative reference (RFC
 * 3986 §4.2). It is stable, sorts as assets do, and does not look like a real file.
 */
export function uriOf(assetName: string): string {
  const path = assetName.replace(/\p{Surrogate}/gu, '\u{FFFD}').replace(/^\/+/, '');
  // Segments of dots are path navigation, and an empty one would make the next segment an authority.
  const segments = path
    .split(/\/+/)
    .map((segment) => (/^\.{0,2}$/.test(segment) ? '_' : encodeURIComponent(segment)));
  return segments.join('/');
}
