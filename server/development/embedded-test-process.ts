import { writeSync } from 'node:fs';
import pg from 'pg';
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './embedded.ts';

/**
 * A minimal server process for tests that kill it. It serves until it is stopped, logs its steps to standard output,
 * and on SIGINT runs one more query and then stops.
 */
export interface TestProcessOptions extends Omit<EmbeddedOptions, 'log'> {
  /** Blocks forever when this line is logged. */
  readonly standStillAt?: string;
  /** Exits cleanly, but without stop(). */
  readonly leave?: boolean;
}

const options: TestProcessOptions = JSON.parse(process.argv[2] ?? '{}');

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function log(line: string): void {
  say(line);
  if (options.standStillAt !== undefined && line.includes(options.standStillAt)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
}

async function drain(postgres: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.appUrl });
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
  say('drained');
  await postgres.stop();
  say('stopped');
}

try {
  const postgres = await startEmbedded({ ...options, log });
  if (options.leave !== true) {
    const alive = setInterval(() => undefined, 60_000);
    process.once('SIGINT', () => {
      clearInterval(alive);
      void drain(postgres);
    });
  }
  // From here on the process must handle signals.
  say(`started ${JSON.stringify(postgres)}`);
} catch (error) {
  say(`refused ${String(error)}`);
}
