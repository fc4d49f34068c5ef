/**
 * How many times longer a piece of work takes for four times the input: 4 if it is linear, 16 if it is quadratic.
 * Measures CPU time, so load on the machine matters little, and uses the fastest of three runs.
 */
export function growth(work: (size: number) => () => unknown, size: number): number {
  const small = cost(work(size));
  const large = cost(work(4 * size));
  // Shorter durations are too imprecise.
  return large / Math.max(small, 5);
}

function cost(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
