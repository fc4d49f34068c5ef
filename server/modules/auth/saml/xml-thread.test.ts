import { afterEach, describe, expect, it } from 'vitest';
import { TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import { until } from '../../../../tests/kit/until.ts';
import { XML_THREAD_LIMITS, XmlThread } from './xml-thread.ts';

const ONE_HOUR_MS = 3_600_000;
const PATIENT = { ...XML_THREAD_LIMITS, deadlineMs: ONE_HOUR_MS, waitMs: ONE_HOUR_MS };
const { metadataXml, entityId } = new TestIdentityProvider();
const failures: unknown[] = [];

let thread: XmlThread;

afterEach(async () => {
  await thread.close();
  expect(failures).toEqual([]);
});

function started(limits = PATIENT): XmlThread {
  thread = new XmlThread((error) => failures.push(error), limits);
  return thread;
}

function read(xml = metadataXml, tenantId = 'a') {
  return thread.run({ kind: 'metadata', xml, nowMs: Date.now() }, tenantId);
}

const codeOf = (error: { code?: string; headers?: Record<string, string> }) => ({
  code: error.code,
  wait: Number(error.headers?.['Retry-After']) > 0,
});
const BUSY = { code: 'SERVICE_UNAVAILABLE', wait: true };

describe('the XML thread', () => {
  it('the XML thread answers documents in order', async () => {
    started();
    const answers = await Promise.all([read(), read('<a/>', 'b'), read(metadataXml, 'c')]);
    expect(answers).toMatchObject([
      { kind: 'provider', provider: { entityId } },
      { kind: 'unfit', member: 'metadataXml' },
      { kind: 'provider', provider: { entityId } },
    ]);
  });

  it('the XML thread takes documents of tenants in turn, so that a tenant with one waits for one document of each other tenant', async () => {
    started();
    const order: string[] = [];
    const add = async (name: string) => {
      await read(metadataXml, name.charAt(0));
      order.push(name);
    };
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map(add));
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    // The thread has started, so it takes the first document at once.
    await Promise.all(['a4', 'a5', 'a6', 'b2'].map(add));
    expect(order.slice(6)).toEqual(['a4', 'b2', 'a5', 'a6']);
  });

  it('the XML thread goes on in turn after a document was stopped', async () => {
    const limits = { ...PATIENT, deadlineMs: 0 };
    started(limits);
    const large = `<r>${'<a b="c">x</a>'.repeat(3_900)}</r>`;
    const order: string[] = [];
    const add = async (name: string, xml = metadataXml) => {
      const { kind } = await read(xml, name.charAt(0));
      order.push(`${name} ${kind}`);
    };
    const stopped = add('a1', large).then(() => {
      limits.deadlineMs = ONE_HOUR_MS;
    });
    await Promise.all([stopped, add('a2'), add('b1')]);
    expect(order).toEqual(['a1 stopped', 'b1 provider', 'a2 provider']);
  });

  it('the XML thread is terminated when a document exceeds the deadline, and replaced for the next one', async () => {
    const limits = { ...PATIENT, deadlineMs: 0 };
    started(limits);
    const large = `<r>${'<a b="c">x</a>'.repeat(3_900)}</r>`;
    expect(await read(large)).toEqual({ kind: 'stopped', reason: 'deadline' });
    limits.deadlineMs = ONE_HOUR_MS;
    expect(await read()).toMatchObject({ kind: 'provider' });
  });

  it('the XML thread refuses documents that exceed the queue with 503 and Retry-After', async () => {
    started({ ...PATIENT, waiting: 3, waitingPerTenant: 3 });
    const taken = ['a', 'b', 'c'].map((tenantId) => read(metadataXml, tenantId));
    await expect(read(metadataXml, 'd').catch(codeOf)).resolves.toEqual(BUSY);
    expect((await Promise.all(taken)).map(({ kind }) => kind)).toEqual(Array(3).fill('provider'));
    expect(await read(metadataXml, 'd')).toMatchObject({ kind: 'provider' });
  });

  it('the XML thread reserves room in the queue for other tenants', async () => {
    started({ ...PATIENT, waiting: 10, waitingPerTenant: 2 });
    const greedy = Array.from({ length: 8 }, () => read(metadataXml, 'greedy').catch(codeOf));
    expect(await read(metadataXml, 'other')).toMatchObject({ kind: 'provider' });
    const refused = (await Promise.all(greedy)).filter((answer) => 'code' in answer);
    expect(refused).toEqual(Array(6).fill(BUSY));
  });

  it('tenants that fill the queue of the XML thread do not keep other tenants out', async () => {
    started({ ...PATIENT, waiting: 4, waitingPerTenant: 2 });
    const hostile = ['a1', 'a2', 'b1', 'b2'].map(async (name) => {
      const answer = await read(metadataXml, name.charAt(0)).catch(codeOf);
      return `${name} ${'code' in answer ? answer.code : answer.kind}`;
    });
    expect(await read(metadataXml, 'c')).toMatchObject({ kind: 'provider' });
    expect(await Promise.all(hostile)).toEqual([
      'a1 provider',
      'a2 SERVICE_UNAVAILABLE',
      'b1 provider',
      'b2 provider',
    ]);
  });

  it('the XML thread refuses a document that waited too long, but not the next one', async () => {
    const limits = { ...PATIENT, waitMs: 0 };
    started(limits);
    const large = `<r>${'<a b="c">x</a>'.repeat(3_900)}</r>`;
    const [first, second] = [read(large), read(metadataXml, 'b').catch(codeOf)];
    expect(await second).toEqual(BUSY);
    expect(await first).toMatchObject({ kind: 'unfit' });
    limits.waitMs = ONE_HOUR_MS;
    expect(await read()).toMatchObject({ kind: 'provider' });
  });

  it('the XML thread refuses waiting documents when it does not start in time', async () => {
    started({ ...PATIENT, startMs: 0 });
    await expect(read().catch(codeOf)).resolves.toEqual(BUSY);
  });

  it('the XML thread refuses waiting and later documents when it is closed', async () => {
    started();
    const waiting = read().catch(codeOf);
    await thread.close();
    expect(await waiting).toEqual(BUSY);
    await expect(read().catch(codeOf)).resolves.toEqual(BUSY);
    await until('an empty queue', async () => thread.waiting === 0);
  });
});
