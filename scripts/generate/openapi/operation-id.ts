/** `scans.launch` is `scansLaunch`: what code generators make of either anyway. */
export function operationIdOf(name: string): string {
  return name.replace(/\.(.)/g, (_dot, letter: string) => letter.toUpperCase());
}
