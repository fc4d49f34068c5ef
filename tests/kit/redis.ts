import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isInstalled } from './debian-program.ts';
import { freePort } from './free-port.ts';

/** A separate Redis process that a test can stop, suspend and restart on its port. */
export interface TestRedis {
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Keeps its connections open and answers nothing. */
  freeze(): void;
  thaw(): void;
}

/** Whether redis-server is installed. */
export function hasRedis(): boolean {
  return isInstalled('redis-server');
}

/** Started. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const settings = ['--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'];
    child = spawn('redis-server', ['--port', String(port), ...settings]);
    const { stdout } = child;
    if (stdout === null) throw new Error('redis-server has no output');
    let output = '';
    for await (const line of stdout) {
      output += line;
      if (output.includes('Ready to accept connections')) return;
    }
    throw new Error(`redis-server has ended:\n${output}`);
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}
