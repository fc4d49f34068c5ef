import type { JsonValue } from '../json.ts';

/** Inclusive. */
interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** `all` if a firewall rule lists no ports: it then allows every port. */
export type Ports = 'all' | readonly PortRange[];

const HIGHEST = 65_535;

/** Parses `["22", "8000-8100"]`. Anything else allows no port. */
export function parsePorts(list: readonly JsonValue[]): Ports {
  if (list.length === 0) return 'all';
  return list.map(parseRange).filter((range) => range !== null);
}

export function admitsPort(ports: Ports, port: number): boolean {
  return ports === 'all' || ports.some(({ first, last }) => first <= port && port <= last);
}

/** Whether the ranges together include 1 to 65535; port 0 is reserved and does not count. */
export function admitsEveryPort(ports: Ports): boolean {
  if (ports === 'all') return true;
  let reached = 0;
  for (const { first, last } of ports.toSorted((a, b) => a.first - b.first)) {
    if (first > reached + 1) break;
    reached = Math.max(reached, last);
  }
  return reached >= HIGHEST;
}

function parseRange(value: JsonValue): PortRange | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const parts = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(String(value));
  if (parts === null) return null;
  const first = Number(parts[1]);
  return { first, last: Number(parts[2] ?? first) };
}
