import { describe, expect, it } from 'vitest';
import { until } from '../../../tests/kit/until.ts';
import { ProblemError } from '../../platform/problem.ts';
import { UploadSlots } from './upload-slots.ts';

/** An upload that runs until the test ends it. */
function upload(slots: UploadSlots, tenant: string, begun: string[] = []) {
  let end = () => {};
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = slots.run(tenant, async () => {
    begun.push(tenant);
    await ending;
  });
  done.catch(() => undefined);
  return { end: () => end(), done };
}

async function refusalOf(done: Promise<void>): Promise<ProblemError> {
  const error = await done.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ProblemError) return error;
  throw new Error('The upload was not refused.');
}

const LONG = 60_000;
const OPTIONS = { total: 3, perTenant: 2, waitingPerTenant: 2, waitMs: LONG };

describe('upload slots', () => {
  it('upload slots remain available to others while one tenant uses its full share', async () => {
    const slots = new UploadSlots(OPTIONS);
    const begun: string[] = [];
    const own = [1, 2, 3].map(() => upload(slots, 'a', begun));
    const other = upload(slots, 'b', begun);
    expect(begun).toEqual(['a', 'a', 'b']);
    own[0]?.end();
    await until('the third upload of the tenant', async () => begun.length === 4);
    expect(begun).toEqual(['a', 'a', 'b', 'a']);
    for (const { end, done } of [...own, other]) {
      end();
      await done;
    }
    expect(slots.active).toBe(0);
  });

  it('upload slots are given to tenants in turn, however many uploads one of them has waiting', async () => {
    const slots = new UploadSlots({ ...OPTIONS, total: 1, waitingPerTenant: 10 });
    const begun: string[] = [];
    const all = ['x', 'a', 'a', 'a', 'b', 'c'].map((tenant) => upload(slots, tenant, begun));
    for (const { end } of all) end();
    await Promise.all(all.map(({ done }) => done));
    expect(begun).toEqual(['x', 'a', 'b', 'c', 'a', 'a']);
  });

  it('upload slots are given to tenants without one first, however long the others have waited', async () => {
    const slots = new UploadSlots({ ...OPTIONS, waitingPerTenant: 10 });
    const begun: string[] = [];
    const running = ['a', 'b', 'x'].map((tenant) => upload(slots, tenant));
    const waiting = ['a', 'b', 'c'].map((tenant) => upload(slots, tenant, begun));
    running[2]?.end();
    await until('one begins', async () => begun.length > 0);
    expect(begun).toEqual(['c']);
    for (const { end } of [...running, ...waiting]) end();
    await Promise.all(waiting.map(({ done }) => done));
    expect(begun).toEqual(['c', 'a', 'b']);
  });

  it('upload slots are released after a failed upload', async () => {
    const slots = new UploadSlots({ ...OPTIONS, total: 1 });
    const failing = slots.run('a', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await slots.run('b', async () => 'taken')).toBe('taken');
  });

  it("upload slots are refused with 429 when the tenant's own uploads occupy them for too long", async () => {
    const slots = new UploadSlots({ ...OPTIONS, waitMs: 1 });
    const own = [1, 2].map(() => upload(slots, 'a'));
    const refusal = await refusalOf(upload(slots, 'a').done);
    expect(refusal).toMatchObject({
      code: 'RATE_LIMITED',
      members: { limit: 'uploads' },
      headers: { 'Retry-After': '15' },
    });
    expect(refusal.message).toContain('2 uploads in progress');
    for (const { end } of own) end();
  });

  it('upload slots are refused with 503 when the uploads of others occupy them for too long', async () => {
    const slots = new UploadSlots({ ...OPTIONS, waitMs: 1 });
    const others = ['a', 'a', 'b'].map((tenant) => upload(slots, tenant));
    const refusal = await refusalOf(upload(slots, 'c').done);
    expect(refusal).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'Retry-After': '15' },
    });
    for (const { end } of others) end();
  });

  it('upload slots are refused immediately when too many uploads of the tenant are waiting', async () => {
    const slots = new UploadSlots(OPTIONS);
    const own = [1, 2, 3, 4].map(() => upload(slots, 'a'));
    expect(await refusalOf(upload(slots, 'a').done)).toMatchObject({ code: 'RATE_LIMITED' });
    for (const { end } of own) end();
    await Promise.all(own.map(({ done }) => done));
  });

  it('an upload that was refused while it waited does not get an upload slot later', async () => {
    const slots = new UploadSlots({ ...OPTIONS, total: 1, waitMs: 1 });
    const first = upload(slots, 'a');
    await refusalOf(upload(slots, 'b').done);
    first.end();
    await first.done;
    expect(slots.active).toBe(0);
    expect(await slots.run('c', async () => 'taken')).toBe('taken');
  });
});

/** Clients are slow at once, and tenants wait too long at once. */
const SLOW = {
  ...{ afterMs: 0, windowMs: 0, checkMs: 1 },
  bytesPerSecond: 1_000,
  secondBytesPerSecond: 1_000,
  longMs: LONG,
};

/** An upload whose client sends nothing, and that leaves its slot when the test ends it. */
function slowUpload(slots: UploadSlots, tenant: string, { isAwaited = true, isGone = false } = {}) {
  let [end, refused, looks] = [() => {}, 0, 0];
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  const reasons: string[] = [];
  const client = {
    giveWay: (reason: string) => {
      reasons.push(reason);
    },
    bytes: () => 0,
    isAwaited: () => {
      looks += 1;
      return isAwaited;
    },
    isGone: () => isGone,
    end: () => {
      refused += 1;
    },
  };
  const done = slots.run(
    tenant,
    async (pace) => {
      pace.beginWaiting();
      await ending;
    },
    client,
  );
  done.catch(() => undefined);
  return {
    end: () => end(),
    done,
    refused: () => refused,
    gaveWay: () => reasons.length,
    reasons,
    looks: () => looks,
  };
}

const refusedOf = (uploads: ReturnType<typeof slowUpload>[]) =>
  uploads.reduce((sum, { refused }) => sum + refused(), 0);

describe('slow uploads that take all upload slots', () => {
  it('slow uploads are refused no faster than they leave their slots', async () => {
    const slots = new UploadSlots({ ...OPTIONS, slow: SLOW });
    const slow = ['a', 'b', 'c'].map((tenant) => slowUpload(slots, tenant));
    const begun: string[] = [];
    const waiting = upload(slots, 'd', begun);
    await until('one is refused', async () => refusedOf(slow) === 1);
    const looks = slow.map((one) => one.looks() + 10);
    await until('the others are looked at again', async () =>
      slow.every((one, at) => one.refused() === 1 || one.looks() > (looks[at] ?? 0)),
    );
    expect(refusedOf(slow)).toBe(1);
    expect(begun).toEqual([]);
    for (const one of slow) if (one.refused() === 1) one.end();
    await until('the waiting one begins', async () => begun.length === 1);
    for (const { end } of [...slow, waiting]) end();
    await Promise.all(slow.map(({ done }) => done));
    expect(refusedOf(slow)).toBe(1);
  });

  it('a tenant with two uploads gives one up to a tenant without any, and not to one that has a slot', async () => {
    const slow = { ...SLOW, bytesPerSecond: 0, secondBytesPerSecond: 1_000 };
    const slots = new UploadSlots({ ...OPTIONS, total: 4, slow });
    const ways = (uploads: ReturnType<typeof slowUpload>[]) => uploads.map((one) => one.gaveWay());
    const [single, other, ...two] = ['a', 'b', 'c', 'c'].map((tenant) => slowUpload(slots, tenant));
    if (single === undefined || other === undefined) throw new Error('unreachable');
    const second = upload(slots, 'a');
    const looks = single.looks() + 10;
    await until('all are looked at', async () => other.looks() > looks);
    expect(ways([single, other, ...two])).toEqual([0, 0, 0, 0]);
    const begun: string[] = [];
    const waiting = upload(slots, 'd', begun);
    await until('one gives way', async () => two.some((one) => one.gaveWay() === 1));
    for (const one of two) if (one.gaveWay() === 1) one.end();
    other.end();
    await until('the waiting one begins', async () => begun.length === 1);
    expect(ways([single, other, ...two])).toEqual([0, 0, ...ways(two)]);
    expect(ways(two).toSorted()).toEqual([0, 1]);
    for (const { end } of [single, other, ...two, second, waiting]) end();
  });

  it('a long upload gives its slot up to a tenant without any before others of its own tenant, and not to one that has a slot', async () => {
    const slow = { ...SLOW, bytesPerSecond: 0 };
    const tenants = ['a', 'b', 'c'];
    const short = new UploadSlots({ ...OPTIONS, waitMs: 50, slow });
    const shortOnes = tenants.map((tenant) => slowUpload(short, tenant));
    await refusalOf(upload(short, 'd').done);
    expect(shortOnes.every(({ looks }) => looks() > 0)).toBe(true);
    expect(shortOnes.flatMap(({ reasons }) => reasons)).toEqual([]);

    const slots = new UploadSlots({ ...OPTIONS, slow: { ...slow, longMs: 0 } });
    const long = tenants.map((tenant) => slowUpload(slots, tenant));
    const begun: string[] = [];
    const second = upload(slots, 'a', begun);
    const [looked] = long.map(({ looks }) => looks() + 10);
    await until('all are looked at', async () => (long[2]?.looks() ?? 0) > (looked ?? 0));
    expect(long.flatMap(({ reasons }) => reasons)).toEqual([]);
    const waiting = upload(slots, 'd', begun);
    await until('one gives way', async () => long.some((one) => one.gaveWay() > 0));
    expect(long.map(({ reasons }) => reasons)).toEqual([['long'], [], []]);
    long[0]?.end();
    await until('one begins', async () => begun.length > 0);
    expect(begun).toEqual(['d']);
    for (const { end } of [...shortOnes, ...long, second, waiting]) end();
  });

  it('slow uploads are not refused for a client that disconnects while it waits', async () => {
    const slots = new UploadSlots({ ...OPTIONS, slow: SLOW });
    const slow = ['a', 'b', 'c'].map((tenant) => slowUpload(slots, tenant));
    await refusalOf(slowUpload(slots, 'd', { isGone: true }).done);
    expect(slots.waiting).toBe(0);
    expect(refusedOf(slow)).toBe(0);
    for (const { end } of slow) end();
  });

  it.each([
    ['their bodies have arrived', ['a', 'a', 'b'], false, 'c'],
    ['they are those of the tenant that waits', ['a'], true, 'a'],
    ['the tenant that waits uses its full share', ['a', 'a', 'b'], true, 'a'],
  ])('slow uploads are not refused when %s', async (_, tenants, isAwaited, waiting) => {
    const options = { ...OPTIONS, total: tenants.length, waitMs: 50, slow: SLOW };
    const slots = new UploadSlots(options);
    const running = tenants.map((tenant) => slowUpload(slots, tenant, { isAwaited }));
    await refusalOf(upload(slots, waiting).done);
    expect(running.every(({ looks }) => looks() > 0)).toBe(true);
    expect(refusedOf(running)).toBe(0);
    for (const { end } of running) end();
  });
});
