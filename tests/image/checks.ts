/** The machine cannot build or run any image. */
export class UnsuitableMachineError extends Error {}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one check and prints its name, what it found and how long it took. */
export async function check(name: string, work: () => Promise<string>): Promise<void> {
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1_000).toFixed(1);
  try {
    const found = await work();
    say(`ok     ${name}: ${found} (${seconds()} s)`);
  } catch (error) {
    say(`FAILED ${name} (${seconds()} s)`);
    throw error;
  }
}

/** @throws {Error} that names the fact, unless it holds. */
export function demand(holds: boolean, fact: string): void {
  if (!holds) throw new Error(`Does not hold: ${fact}`);
}
