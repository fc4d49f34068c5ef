import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newCertificate } from '../../../tests/kit/certificate.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import type { ThreadData, ThreadTask } from './exchange-messages.ts';

const { privateKey: key, certificate: cert } = newCertificate({ address: '127.0.0.1' });
const TASKS = 100;

let worker: Worker;
let count: Int32Array;
let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await WebhookReceiver.start({ key, cert });
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  count = new Int32Array(beats);
  const workerData: ThreadData = { ca: cert, beats };
  worker = new Worker(new URL('./exchange-worker-from-source.mjs', import.meta.url), {
    workerData,
  });
  await once(worker, 'message');
});

afterEach(async () => {
  await worker.terminate();
  await receiver.close();
});

function exchange(id: number): ThreadTask {
  const content = { url: receiver.url, addresses: ['127.0.0.1'], headers: {}, body: '{}' };
  return { kind: 'run', id, exchange: { ...content, tenantId: 'tenant' } };
}

describe('a busy exchange thread', () => {
  it('the exchange thread gives a sign of life for each message', async () => {
    for (let id = 1; id <= TASKS; id += 1) {
      worker.postMessage({ kind: 'abort', id } satisfies ThreadTask);
    }
    worker.postMessage(exchange(0));
    await once(worker, 'message');
    expect(Atomics.load(count, 0)).toBeGreaterThan(TASKS);
  });

  it('the exchange thread gives a sign of life for each piece of work', async () => {
    for (let id = 1; id <= TASKS; id += 1) {
      worker.postMessage(exchange(id));
      await once(worker, 'message');
    }
    // One for the message, and one or more for the response.
    expect(Atomics.load(count, 0)).toBeGreaterThan(2 * TASKS);
  });
});
