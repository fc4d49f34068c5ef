import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach } from 'vitest';
import { run } from '../run.ts';

export interface Outcome {
  readonly code: number;
  /** Standard output: results. */
  readonly output: string;
  /** Standard error: messages and progress. */
  readonly messages: string;
}

interface Circumstances {
  readonly environment?: Readonly<Record<string, string>>;
  /** Lines that the user types. */
  readonly typed?: readonly string[];
  readonly interrupted?: AbortSignal;
  /** The streams that are terminals. Default: none. */
  readonly terminals?: readonly ('input' | 'output' | 'messages')[];
}

/** Runs one command line in this process with a temporary home directory. */
export function commandLine(): (
  args: readonly string[],
  circumstances?: Circumstances,
) => Promise<Outcome> {
  const homes: string[] = [];
  afterEach(async () => {
    for (const home of homes.splice(0)) await rm(home, { recursive: true });
  });
  return async (args, circumstances = {}) => {
    const home = await mkdtemp(join(tmpdir(), 'cspm-cli-'));
    homes.push(home);
    const { terminals = [] } = circumstances;
    const [output, messages] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([text(output), text(messages)]);
    const code = await run(args, {
      input: Readable.from((circumstances.typed ?? []).map((line) => Buffer.from(`${line}\n`))),
      output,
      messages,
      isTerminal: {
        input: terminals.includes('input'),
        output: terminals.includes('output'),
        messages: terminals.includes('messages'),
      },
      environment: { HOME: home, ...circumstances.environment },
      interrupted: circumstances.interrupted ?? new AbortController().signal,
    });
    output.end();
    messages.end();
    const [out, err] = await written;
    return { code, output: out, messages: err };
  };
}
