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
