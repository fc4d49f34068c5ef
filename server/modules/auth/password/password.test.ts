import { availableParallelism } from 'node:os';
import bcrypt from 'bcryptjs';
import { afterAll, describe, expect, it } from 'vitest';
import { StallWatch } from '../../../../tests/kit/stall-watch.ts';
import { threadCpuMs } from '../../../../tests/kit/thread-cpu.ts';
import { ProblemError } from '../../../platform/problem.ts';
import { Passwords } from './password.ts';

const passwords = new Passwords();

afterAll(() => passwords.close());

describe('a password', () => {
  it('a password is stored as a bcrypt hash of cost 12 with its own salt', async () => {
    const [one, two] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(one).toMatch(/^\$2[ab]\$12\$/);
    expect(two).not.toBe(one);
    expect(await passwords.verify('secret', one)).toBe(true);
    expect(await passwords.verify('Secret', one)).toBe(false);
  });

  it('an account without a hash matches no password', async () => {
    for (const guess of ['', 'null', 'undefined', 'secret']) {
      expect(await passwords.verify(guess, null)).toBe(false);
    }
  });

  it('a password is compared completely up to 72 bytes, and a longer one never matches', async () => {
    const tail = (length: number) => 'x'.repeat(length);
    const hash = bcrypt.hashSync(tail(72), 4);
    expect(await passwords.verify(tail(72), hash)).toBe(true);
    expect(await passwords.verify(tail(73), hash)).toBe(false);
    expect(await passwords.verify(`${tail(71)}y`, hash)).toBe(false);
    const euros = bcrypt.hashSync('€'.repeat(24), 4);
    expect(await passwords.verify('€'.repeat(24), euros)).toBe(true);
    expect(await passwords.verify('€'.repeat(25), euros)).toBe(false);
  });

  it('a password never matches when it contains NUL, although bcrypt would accept it', async () => {
    const hash = bcrypt.hashSync('P', 4);
    expect(bcrypt.compareSync('P\0P', hash)).toBe(true);
    expect(await passwords.verify('P\0P', hash)).toBe(false);
    expect(await passwords.verify('P', hash)).toBe(true);
  });

  it('a password is never hashed when bcrypt would truncate or repeat it', async () => {
    await expect(passwords.hash('a password\0')).rejects.toThrow(RangeError);
    await expect(passwords.hash('x'.repeat(73))).rejects.toThrow(RangeError);
  });

  it('a password takes as long to check for an unknown account as for an existing one', async () => {
    const hash = bcrypt.hashSync('somebody', 12);
    const times: Record<string, number[]> = { nobody: [], somebody: [], long: [] };
    const time = async (who: string, guess: string, against: string | null) => {
      const startedAt = performance.now();
      await passwords.verify(guess, against);
      times[who]?.push(performance.now() - startedAt);
    };
    // Other programs only add to the time, so the least of enough rounds is that of the work itself.
    let ratio = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3 || (round < 30 && ratio >= 1.8); round += 1) {
      await time('nobody', 'guess', null);
      await time('somebody', 'guess', hash);
      await time('long', 'x'.repeat(100), hash);
      const least = Object.values(times).map((taken) => Math.min(...taken));
      ratio = Math.max(...least) / Math.min(...least);
    }
    // A malformed or cheaper dummy hash would be answered immediately or in half the time.
    expect(ratio).toBeLessThan(1.8);
  });

  it('sixteen concurrent password checks do not delay other requests', async () => {
    // About one second of work on one thread; on the main thread it would block for that long.
    const hash = bcrypt.hashSync('secret', 10);
    await passwords.verify('warm', hash);
    const stalls = new StallWatch(threadCpuMs);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) => passwords.verify(n === 7 ? 'secret' : 'wrong', hash)),
    );
    stalls.stop();
    expect(stalls.worstMs).toBeLessThan(250);
    expect(outcomes[0]).toEqual({ status: 'fulfilled', value: false });
    for (const [n, outcome] of outcomes.entries()) {
      // On a busy machine the last calls may be refused because they waited too long.
      if (outcome.status === 'fulfilled') expect(outcome.value).toBe(n === 7);
      else expect(outcome.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
  });

  it('each of seventeen clients gets its password checked, or is refused with Retry-After', async () => {
    const hash = bcrypt.hashSync('secret', 12);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 17 }, (_, n) => passwords.verify('secret', hash, `10.0.0.${n}`)),
    );
    expect(outcomes[0]).toEqual({ status: 'fulfilled', value: true });
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') expect(outcome.value).toBe(true);
      else expect(outcome.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
  }, 300_000);

  it('a password check waits for at most one password of a busy client', async () => {
    const hash = bcrypt.hashSync('secret', 4);
    const order: string[] = [];
    const verify = async (client: string) => {
      await passwords.verify('secret', hash, client);
      order.push(client);
    };
    await Promise.all([...Array.from({ length: 12 }, () => verify('busy')), verify('quiet')]);
    // As many checks run in parallel as there are threads; the quiet client comes directly after the first ones.
    expect(order.indexOf('quiet')).toBeLessThanOrEqual(2 * Math.max(1, availableParallelism() - 1));
  }, 300_000);

  it('a password check is refused with Retry-After when too many are waiting', async () => {
    const hash = bcrypt.hashSync('secret', 4);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => passwords.verify('secret', hash)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    const checked = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(checked.length).toBeGreaterThanOrEqual(64);
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(ProblemError);
      expect(reason).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        headers: { 'Retry-After': expect.stringMatching(/^[1-9]/) },
      });
    }
    expect(await passwords.verify('secret', hash)).toBe(true);
  });
});
