/** An import of one file by another, both as paths from the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * The folder that counts as one unit of the architecture: a module of the server, or a folder of the server. A file
 * directly in `server/` is a separate unit.
 */
export function roomOf(file: string): string {
  return (
    /^server\/modules\/[^/]+(?=\/)/.exec(file)?.[0] ??
    /^server\/[^/]+(?=\/)/.exec(file)?.[0] ??
    (file.startsWith('server/') ? file : (file.split('/')[0] ?? file))
  );
}

/** The imports that are part of a cycle between rooms, each with the rooms that it connects. */
export function roomCycles(imports: readonly Import[]): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (roomOf(from) === roomOf(to)) continue;
    const targets = edges.get(roomOf(from)) ?? new Set();
    edges.set(roomOf(from), targets.add(roomOf(to)));
  }
  return imports
    .filter(
      ({ from, to }) => roomOf(from) !== roomOf(to) && reaches(edges, roomOf(to), roomOf(from)),
    )
    .map(
      ({ from, to }) => `${from} → ${to} closes a cycle between ${roomOf(from)} and ${roomOf(to)}`,
    );
}

function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string) {
  const seen = new Set([from]);
  for (const room of seen) {
    if (room === to) return true;
    for (const next of edges.get(room) ?? []) seen.add(next);
  }
  return false;
}
