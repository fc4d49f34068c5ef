import { describe, expect, it } from 'vitest';
import { until } from '../../../tests/kit/until.ts';
import { ConnectionShares, type ShareOptions, TenantOverloadedError } from './connection-shares.ts';

const CONNECTIONS = 10;

/** Requests that each hold a connection until the test releases it. */
class Requests {
  readonly shares: ConnectionShares;
  /** The tenants that got a connection, in order. */
  readonly served: string[] = [];
  readonly refused: unknown[] = [];

  constructor(options: Partial<ShareOptions> = {}) {
    this.shares = new ConnectionShares({ connections: CONNECTIONS, ...options });
  }

  /** @returns how many requests hold a connection at the same time. */
  async ask(tenant: string, count: number): Promise<number> {
    const before = this.served.length;
    for (let request = 0; request < count; request += 1) {
      const turn = this.shares.acquire(tenant);
      if (turn === null) this.served.push(tenant);
      else {
        turn.then(
          () => this.served.push(tenant),
          (error: unknown) => this.refused.push(error),
        );
      }
    }
    await settled();
    return this.served.length - before;
  }

  async giveBack(tenant: string, heldMs = 1): Promise<void> {
    this.shares.release(tenant, heldMs);
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a share of the connections', () => {
  it('the pool leaves connections free however many one tenant asks for', async () => {
    const requests = new Requests();
    expect(await requests.ask('greedy', 200)).toBe(7);
    expect(await requests.ask('modest', 1)).toBe(1);
    expect(await requests.ask('another', 1)).toBe(1);
    expect(requests.refused).toEqual([]);
  });

  it('the pool serves a tenant that waits before the next request of a tenant that holds more connections', async () => {
    const requests = new Requests();
    await requests.ask('greedy', 100);
    await requests.ask('second', 100);
    await requests.ask('third', 100);
    expect(await requests.ask('modest', 1)).toBe(0);
    await requests.giveBack('greedy');
    expect(requests.served.at(-1)).toBe('modest');
  });

  it('the pool serves tenants in turn, regardless of their number of waiting requests', async () => {
    const requests = new Requests({ connections: 1 });
    await requests.ask('holder', 1);
    await requests.ask('many', 50);
    await requests.ask('few', 3);
    await requests.giveBack('holder');
    for (let turn = 0; turn < 5; turn += 1) await requests.giveBack(requests.served.at(-1) ?? '');
    expect(requests.served).toEqual(['holder', 'many', 'few', 'many', 'few', 'many', 'few']);
  });

  it('the pool serves the requests of one tenant in the order of their arrival', async () => {
    const shares = new ConnectionShares({ connections: 1 });
    shares.acquire('one');
    const served: number[] = [];
    for (const number of [1, 2, 3]) shares.acquire('one')?.then(() => served.push(number));
    for (let turn = 0; turn < 3; turn += 1) {
      shares.release('one', 1);
      await settled();
    }
    expect(served).toEqual([1, 2, 3]);
  });

  it('the pool refuses requests beyond the queue of a tenant immediately, and none of another tenant', async () => {
    const requests = new Requests({ waitingPerTenant: 5 });
    await requests.ask('greedy', 7 + 5 + 3);
    expect(requests.refused).toHaveLength(3);
    expect(requests.refused[0]).toBeInstanceOf(TenantOverloadedError);
    expect(await requests.ask('modest', 1)).toBe(1);
  });

  it('the pool refuses a request that has waited too long while its tenant holds connections', async () => {
    const requests = new Requests({ waitMs: 20 });
    await requests.ask('greedy', 8);
    await until('the refusal', async () => requests.refused.length === 1);
    expect(requests.shares.waiting).toBe(0);
  });

  it('the pool lets a request wait longer when its tenant holds nothing and others hold everything', async () => {
    const requests = new Requests({ connections: 1, waitMs: 5, waitWithoutAnyMs: 60_000 });
    await requests.ask('holder', 1);
    await requests.ask('modest', 1);
    await requests.ask('holder', 1);
    await until('the refusal of the holder', async () => requests.refused.length === 1);
    await requests.giveBack('holder');
    expect(requests.served.at(-1)).toBe('modest');
  });

  it('the pool limits a tenant with slow statements to two connections until it has worked off the time', async () => {
    const requests = new Requests();
    await requests.ask('slow', 7);
    for (let request = 0; request < 7; request += 1) await requests.giveBack('slow', 60_000);
    expect(await requests.ask('slow', 7)).toBe(2);
    expect(await requests.ask('modest', 7)).toBe(6);
    await requests.giveBack('slow', 1);
    // Three of the ten are reserved for other tenants.
    expect(requests.served.filter((tenant) => tenant === 'slow')).toHaveLength(7 + 2);
  });

  it('the pool forgets a tenant that holds nothing, waits for nothing and owes no time', async () => {
    const requests = new Requests();
    for (let tenant = 0; tenant < 5_000; tenant += 1) {
      await requests.ask(`t${tenant}`, 1);
      requests.shares.release(`t${tenant}`, 101);
    }
    expect(requests.shares.tenants).toBeLessThanOrEqual(1_001);
    expect(() => requests.shares.release('unknown', 1)).toThrow('never acquired');
  });
});
