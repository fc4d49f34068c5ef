import { describe, expect, it } from 'vitest';
import { type Lease, LeaseQueue } from './lease-queue.ts';

const CAPACITY = 64;
const PER_WEBHOOK = 8;

function newQueue(quick: readonly string[] = []) {
  const isQuick = (id: string) => quick.includes(id);
  return new LeaseQueue({ capacity: CAPACITY, perWebhook: PER_WEBHOOK, quickMs: 1_000, isQuick });
}

let last = 0;
function lease(tenantId: string, webhookId: string, leasedAt = 0): Lease {
  last += 1;
  return { tenantId, webhookId, deliveryId: String(last), leasedAt };
}

/** Adds the given number of leases for each of the given number of webhooks of a tenant. */
function fill(queue: LeaseQueue, tenantId: string, webhooks: number, each: number): void {
  for (let n = 0; n < webhooks; n += 1) {
    for (let m = 0; m < each; m += 1) queue.add(lease(tenantId, `${tenantId} ${n}`));
  }
}

const sizes = (taken: Map<string, Lease[]>) =>
  Object.fromEntries([...taken].map(([id, leases]) => [id, leases.length]));

describe('the attempts of a process', () => {
  it('quick receivers get half of the webhook attempts of a process for a lone tenant, and a third otherwise', () => {
    const quick = newQueue(Array.from({ length: 100 }, (_, n) => `a ${n}`));
    fill(quick, 'a', 100, 1);
    expect(sizes(quick.take(0))).toEqual({ a: CAPACITY / 2 });
    const other = newQueue();
    fill(other, 'a', 100, 1);
    expect(sizes(other.take(0))).toEqual({ a: 22 });
  });

  it('webhook attempts of a process are shared equally by tenants, and some stay free for the next tenant', () => {
    const queue = newQueue();
    for (const tenant of ['a', 'b', 'c']) fill(queue, tenant, 100, 1);
    const taken = sizes(queue.take(0));
    expect(Math.max(...Object.values(taken)) - Math.min(...Object.values(taken))).toBeLessThan(2);
    fill(queue, 'd', 100, 1);
    expect(queue.take(0).get('d')?.length).toBeGreaterThan(5);
  });

  it('a webhook attempt starts for a quick receiver although others of its tenant hang', () => {
    const queue = newQueue(['a quick']);
    fill(queue, 'a', 100, 4);
    queue.take(0);
    expect(queue.take(0).size).toBe(0);
    for (let n = 0; n < 20; n += 1) queue.add(lease('a', 'a quick'));
    expect(queue.take(0).get('a')).toHaveLength(PER_WEBHOOK);
  });

  it('quick receivers that start to hang lose their webhook attempts after a second', () => {
    const hanging = Array.from({ length: 40 }, (_, n) => `a ${n}`);
    const queue = newQueue([...hanging, 'a quick']);
    fill(queue, 'a', 40, 1);
    expect(sizes(queue.take(0))).toEqual({ a: CAPACITY / 2 });
    queue.add(lease('a', 'a quick'));
    expect(queue.take(500).size).toBe(0);
    const begun = queue
      .take(1_500)
      .get('a')
      ?.map(({ webhookId }) => webhookId);
    expect(begun).toContain('a quick');
  });

  it('webhook attempts start in turns by webhook, each in the order of its leases', () => {
    const queue = newQueue();
    for (let n = 0; n < 3; n += 1) queue.add(lease('a', 'x', n));
    for (let n = 0; n < 3; n += 1) queue.add(lease('a', 'y', n));
    const order = queue
      .take(0)
      .get('a')
      ?.map(({ webhookId, leasedAt }) => `${webhookId}${leasedAt}`);
    expect(order).toEqual(['x0', 'y0', 'x1', 'y1', 'x2', 'y2']);
  });

  it('a webhook attempt starts when another one ends', () => {
    const queue = newQueue();
    fill(queue, 'a', 1, 2 * PER_WEBHOOK);
    const [first] = queue.take(0).get('a') ?? [];
    expect(queue.waiting).toBe(PER_WEBHOOK);
    expect(queue.take(0).size).toBe(0);
    if (first !== undefined) queue.end(first);
    expect(queue.take(0).get('a')).toHaveLength(1);
  });
});

describe('a lease', () => {
  it('a lease that has waited too long is given back and not attempted', () => {
    const queue = newQueue();
    for (const at of [1, 2, 3]) queue.add(lease('a', 'x', at));
    expect(queue.dropWaitingSince(2).map(({ leasedAt }) => leasedAt)).toEqual([1, 2]);
    expect(queue.waiting).toBe(1);
    expect(queue.take(0).get('a')).toHaveLength(1);
    expect(queue.waiting).toBe(0);
  });
});
