import { monitorEventLoopDelay } from 'node:perf_hooks';
import bcrypt from 'bcryptjs';
import { afterAll, describe, expect, it } from 'vitest';
import { ProblemError } from '../pipeline/problems.ts';
import { Passwords } from './password.ts';

const passwords = new Passwords();

afterAll(() => passwords.close());

const NS_PER_MS = 1e6;

describe('a password', () => {
  it('is kept as bcrypt of cost 12, another one each time', async () => {
    const [one, two] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(one).toMatch(/^\$2[ab]\$12\$/);
    expect(two).not.toBe(one);
    expect(await passwords.verify('secret', one)).toBe(true);
    expect(await passwords.verify('Secret', one)).toBe(false);
  });

  it('matches nothing where there is no hash', async () => {
    for (const guess of ['', 'null', 'undefined', 'secret']) {
      expect(await passwords.verify(guess, null)).toBe(false);
    }
  });

  it('of 72 bytes is compared whole, and a longer one never matches', async () => {
    const tail = (length: number) => 'x'.repeat(length);
    const hash = bcrypt.hashSync(tail(72), 4);
    expect(await passwords.verify(tail(72), hash)).toBe(true);
    expect(await passwords.verify(tail(73), hash)).toBe(false);
    expect(await passwords.verify(`${tail(71)}y`, hash)).toBe(false);
    const euros = bcrypt.hashSync('€'.repeat(24), 4);
    expect(await passwords.verify('€'.repeat(24), euros)).toBe(true);
    expect(await passwords.verify('€'.repeat(25), euros)).toBe(false);
  });

  it('of nobody takes as long as that of somebody, so that time does not tell them apart', async () => {
    const hash = bcrypt.hashSync('somebody', 12);
    const times: Record<string, number[]> = { nobody: [], somebody: [], long: [] };
    const time = async (who: string, guess: string, against: string | null) => {
      const startedAt = performance.now();
      await passwords.verify(guess, against);
      times[who]?.push(performance.now() - startedAt);
    };
    for (let round = 0; round < 3; round += 1) {
      await time('nobody', 'guess', null);
      await time('somebody', 'guess', hash);
      await time('long', 'x'.repeat(100), hash);
    }
    const least = Object.values(times).map((taken) => Math.min(...taken));
    // A malformed or cheaper stand-in would be answered in no time, or in half of it.
    expect(Math.max(...least) / Math.min(...least)).toBeLessThan(1.8);
  });

  it('that is checked for sixteen at once holds nobody else up', async () => {
    // Work for about a second on one thread; on the main thread it would be one stall of as much.
    const hash = bcrypt.hashSync('secret', 10);
    await passwords.verify('warm', hash);
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const results = await Promise.all(
      Array.from({ length: 16 }, (_, n) => passwords.verify(n === 7 ? 'secret' : 'wrong', hash)),
    );
    delay.disable();
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(delay.max / NS_PER_MS).toBeLessThan(250);
  });

  it('is not checked when too many wait already: whoever comes then is told to come again', async () => {
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
