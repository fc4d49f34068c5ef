import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../../tests/kit/until.ts';
import { inTurns, TenantTurns } from './tenant-turns.ts';

/** A task that ends when told, and says when it begins. */
function tasks(turns: TenantTurns) {
  const begun: string[] = [];
  const running = new Map<string, () => void>();
  const done: Promise<void>[] = [];
  return {
    begun,
    running,
    done,
    start(tenant: string, name: string) {
      const task = () => {
        begun.push(name);
        return new Promise<void>((resolve) => running.set(name, resolve));
      };
      done.push(turns.run(tenant, task));
    },
    /** Ends a task, and waits until another has begun in its place. */
    async end(name: string, next: string) {
      running.get(name)?.();
      await until(`${next} begins`, async () => begun.includes(next));
    },
  };
}

describe('turns of tenants', () => {
  it('turns of tenants run one task of each tenant and a limited number in all', async () => {
    const given = tasks(new TenantTurns(2));
    for (const name of ['a1', 'a2', 'b1', 'c1']) given.start(name.slice(0, 1), name);
    await setImmediate();
    expect(given.begun).toEqual(['a1', 'b1']);
    await given.end('b1', 'c1');
    expect(given.begun).toEqual(['a1', 'b1', 'c1']);
    await given.end('a1', 'a2');
    for (const name of ['a2', 'c1']) given.running.get(name)?.();
    await Promise.all(given.done);
  });

  it('turns of tenants delay a tenant by one task of a tenant with many', async () => {
    const given = tasks(new TenantTurns(1));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) given.start(name.slice(0, 1), name);
    const order = ['a1', 'a2', 'b1', 'a3', 'b2', 'a4'];
    await until('the first one begins', async () => given.begun.length === 1);
    for (const [at, name] of order.entries()) {
      const next = order[at + 1];
      if (next !== undefined) await given.end(name, next);
      else given.running.get(name)?.();
    }
    await Promise.all(given.done);
    expect(given.begun).toEqual(order);
  });

  it('turns of tenants let the event loop run between two tasks, and end with a task that fails', async () => {
    const turns = new TenantTurns(1);
    let loops = 0;
    let counting = true;
    const count = () => {
      loops += 1;
      if (counting) globalThis.setImmediate(count);
    };
    globalThis.setImmediate(count);
    const at: number[] = [];
    const failing = turns.run('a', async () => {
      at.push(loops);
      throw new Error('a task that fails');
    });
    await expect(failing).rejects.toThrow('a task that fails');
    for (let n = 0; n < 3; n += 1) await turns.run('a', async () => at.push(loops));
    counting = false;
    expect(new Set(at).size).toBe(4);
  });
});

function promised<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('pauses in turns', () => {
  it('a task that pauses lets other tenants have their turn, and goes on when it is its turn again', async () => {
    const turns = new TenantTurns(1);
    const statement = promised<string>();
    const other = promised<void>();
    const begun: string[] = [];
    const turn = turns.of('a');
    const paused = turn.run(async () => {
      begun.push('a');
      begun.push(await turn.pause(statement.promise));
    });
    const between = turns.run('b', () => {
      begun.push('b');
      return other.promise;
    });
    await until('b begins', async () => begun.includes('b'));
    statement.resolve('a again');
    await setImmediate();
    expect(begun).toEqual(['a', 'b']);
    other.resolve();
    await Promise.all([paused, between]);
    expect(begun).toEqual(['a', 'b', 'a again']);
    expect(await turns.run('c', async () => 'c')).toBe('c');
  });

  it('a task whose pause fails has its turn when it handles the error', async () => {
    const turns = new TenantTurns(1);
    const turn = turns.of('a');
    const handled = turn.run(() =>
      turn.pause(Promise.reject(new Error('a statement that fails'))).catch(() => setImmediate()),
    );
    await expect(handled).resolves.toBeUndefined();
    expect(await turns.run('b', async () => 'b')).toBe('b');
  });
});

describe('items in turns', () => {
  it('items in turns are those of the source, prepared one at a time and not while one is consumed', async () => {
    const turns = new TenantTurns(1);
    let preparing = 0;
    async function* source(of: string) {
      for (let n = 0; n < 3; n += 1) {
        preparing += 1;
        expect(preparing).toBe(1);
        await setImmediate();
        preparing -= 1;
        yield `${of}${n}`;
      }
    }
    const idle = inTurns(turns.of('a'), source('idle'));
    await idle.next();
    const items: string[] = [];
    const consume = async (of: string) => {
      for await (const item of inTurns(turns.of('a'), source(of))) items.push(item);
    };
    await Promise.all([consume('x'), consume('y')]);
    expect(items.toSorted()).toEqual(['x0', 'x1', 'x2', 'y0', 'y1', 'y2']);
    expect(await idle.next()).toEqual({ done: false, value: 'idle1' });
  });

  it('items in turns close their source when the consumer stops', async () => {
    let isClosed = false;
    async function* source() {
      try {
        for (;;) yield 1;
      } finally {
        isClosed = true;
      }
    }
    const items = inTurns(new TenantTurns().of('a'), source());
    await items.next();
    await items.return();
    expect(isClosed).toBe(true);
  });
});
