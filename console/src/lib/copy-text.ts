/**
 * Puts a text on the clipboard.
 * @returns false if the browser refused. Over plain http from another host there is no clipboard API.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
