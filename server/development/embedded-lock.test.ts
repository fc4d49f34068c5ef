import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAbandoned, lockDirectory } from './embedded-lock.ts';
import { commandLine, run, sight } from './embedded-process.ts';
import { scratchFolder } from './embedded-test-harness.ts';

/** Writes a claim as another process would. */
async function claim(directory: string, content: string): Promise<void> {
  await mkdir(join(directory, 'lock'), { recursive: true });
  await writeFile(join(directory, 'lock', '7'), content);
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('a lock', () => {
  it('a lock keeps others out until it is released, and may be released twice', async () => {
    const directory = await scratchFolder();
    expect(await isAbandoned(directory)).toBe(false);
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(
      `another server (pid ${process.pid}) is using ${directory}; stop it or set DATA_DIR`,
    );
    expect(await isAbandoned(directory)).toBe(false);
    await lock.release();
    await lock.release();
    expect(await isAbandoned(directory)).toBe(true);
    await (await lockDirectory(directory)).release();
  });

  it('a lock of a dead process is taken over', async () => {
    const directory = await scratchFolder();
    await claim(directory, JSON.stringify({ pid: await deadPid(), startedAt: null }));
    expect(await isAbandoned(directory)).toBe(true);
    await (await lockDirectory(directory)).release();
  });

  it('a lock of a dead process is taken over although another process has its process id', async () => {
    const directory = await scratchFolder();
    // This test's process is alive, but started at another time than the claim says.
    await claim(directory, JSON.stringify({ pid: process.pid, startedAt: 'an earlier boot/123' }));
    expect(await isAbandoned(directory)).toBe(true);
    await (await lockDirectory(directory)).release();
  });

  it('a lock of a live process is respected when its start time is not known', async () => {
    const directory = await scratchFolder();
    await claim(directory, JSON.stringify({ pid: process.pid, startedAt: null }));
    await expect(lockDirectory(directory)).rejects.toThrow(`(pid ${process.pid})`);
  });

  it.each(['', '{"pid":', 'null', '[]', '{"pid":"7"}'])(
    'a lock whose file was cut short by a power failure (%j) is taken over',
    async (content) => {
      const directory = await scratchFolder();
      await claim(directory, content);
      await (await lockDirectory(directory)).release();
    },
  );

  it('exactly one of many concurrent processes takes over the lock of a dead process, in every round', async () => {
    const directory = await scratchFolder();
    for (let round = 0; round < 10; round += 1) {
      const attempts = await Promise.allSettled(
        Array.from({ length: 20 }, () => lockDirectory(directory)),
      );
      const winners = attempts.flatMap((a) => (a.status === 'fulfilled' ? [a.value] : []));
      expect(winners).toHaveLength(1);
      for (const attempt of attempts) {
        if (attempt.status === 'rejected')
          expect(String(attempt.reason)).toContain('another server');
      }
      for (const winner of winners) await winner.release();
    }
    expect(await readdir(join(directory, 'lock'))).toHaveLength(1);
  });

  it('two processes never hold a lock at the same time, however often it changes hands', async () => {
    const directory = await scratchFolder();
    let holders = 0;
    let turns = 0;
    const contend = async (): Promise<void> => {
      while (turns < 40) {
        const lock = await lockDirectory(directory).catch(() => null);
        if (lock === null) continue;
        holders += 1;
        turns += 1;
        expect(holders).toBe(1);
        await readdir(directory);
        holders -= 1;
        await lock.release();
      }
    };
    await Promise.all(Array.from({ length: 8 }, contend));
  });
});

describe('a late comer', () => {
  it('a slow process that took the old holder for dead gives way to the new holder', async () => {
    const directory = await scratchFolder();
    const lock = (name: string): string => join(directory, 'lock', name);
    await mkdir(lock(''));
    // Reading this claim blocks until the test has written it, which holds up the late process.
    await run('mkfifo', [lock('5')]);
    const late = lockDirectory(directory).then(
      () => 'it holds the lock too',
      (error: unknown) => String(error),
    );
    const dead = await open(lock('5'), 'w');
    // Meanwhile 6 has come and gone, and 7 holds the lock.
    await writeFile(lock('7'), JSON.stringify({ pid: process.pid, startedAt: null }));
    await dead.writeFile(JSON.stringify({ pid: await deadPid(), startedAt: null }));
    await dead.close();
    expect(await late).toContain(`another server (pid ${process.pid})`);
    expect((await readdir(lock(''))).sort()).toEqual(['5', '7']);
  });
});

describe('a process that is sighted', () => {
  it('a live process is reported as running, with the same start time at every look-up', async () => {
    const first = await sight(process.pid);
    expect(first.running).toBe(true);
    expect(first.startedAt).not.toBeNull();
    expect(await sight(process.pid)).toEqual(first);
  });

  it.runIf(process.platform === 'linux')(
    'a zombie process is not reported as running',
    async () => {
      // The shell starts a process and then execs `sleep`, which never reaps that child.
      const script = 'exec 3<&0; head -c 1 <&3 >/dev/null & echo $!; exec sleep 600';
      const parent = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
      try {
        const [output] = await once(parent.stdout, 'data');
        const pid = Number(String(output));
        // The script of the shell contains these words too.
        await expect.poll(() => commandLine(parent.pid ?? 0)).toMatch(/^sleep 600/);
        expect((await sight(pid)).running).toBe(true);
        parent.stdin.write('x');
        await expect.poll(async () => (await sight(pid)).running).toBe(false);
        expect(() => process.kill(pid, 0)).not.toThrow();
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );
});
