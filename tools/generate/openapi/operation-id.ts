/** `scans.launch` becomes `scansLaunch`, as code generators convert it anyway. */
export function operationIdOf(name: string): string {
  return name.replace(/\.(.)/g, (_dot, letter: string) => letter.toUpperCase());
}
