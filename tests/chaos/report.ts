import { type Seen, SLOW_MS } from './balancer.ts';
import type { Halves } from './memory.ts';

/** A summary of requests: outcomes, durations, and slow requests. */
export function requestLines(seen: readonly Seen[], lostAnswers: number): string[] {
  const outcomes = new Map<string, number>();
  for (const { outcome } of seen) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const told = [...outcomes]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`);
  const quiet = seen.filter(
    ({ duringFault, operation }) => duringFault === null && !isStream(operation),
  );
  const faulty = seen.filter(
    ({ duringFault, operation }) => duringFault !== null && !isStream(operation),
  );
  const slow = [...quiet, ...faulty].filter(({ tookMs }) => tookMs > SLOW_MS);
  const slowest = slow.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, 8);
  return [
    `${seen.length} requests: ${told.join(', ')}; ${lostAnswers} answers to writes withheld from their clients`,
    `between faults: ${timesOf(quiet)}`,
    `during faults:  ${timesOf(faulty)}`,
    `over ${SLOW_MS / 1000} s: ${slow.length}, ${slow.filter(({ duringFault }) => duringFault === null).length} of them between faults`,
    ...slowest.map(
      ({ operation, outcome, tookMs, duringFault }) =>
        `    ${(tookMs / 1000).toFixed(1)} s ${outcome} ${operation} (${duringFault ?? 'no fault'})`,
    ),
  ];
}

export function memoryLines(halves: readonly Halves[]): string[] {
  return halves.map(({ name, firstMib, secondMib, quartersMib, growth }) =>
    growth === null
      ? `${name}: no process of it lived long enough`
      : `${name}: ${firstMib.toFixed(0)} MiB in the first half, ${secondMib.toFixed(0)} MiB in the second (${growth >= 0 ? '+' : ''}${(growth * 100).toFixed(1)} %); by quarters ${quartersMib.map((mib) => mib.toFixed(0)).join(', ')}`,
  );
}

function isStream(operation: string): boolean {
  return operation.endsWith('/events');
}

function timesOf(seen: readonly Seen[]): string {
  const sorted = seen.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  const [half, most, all] = [at(0.5), at(0.99), sorted.at(-1)].map((ms) => (ms ?? 0).toFixed(0));
  return `${seen.length}, median ${half} ms, 99 % within ${most} ms, all within ${all} ms`;
}
