/** The value of `Content-Disposition` (RFC 6266) for a file that is named after its content and the time of the request. */
export function attachment(content: string, now: Date, extension: string): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return `attachment; filename="${content}-${stamp}.${extension}"`;
}
