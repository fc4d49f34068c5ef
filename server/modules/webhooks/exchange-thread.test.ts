import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newCertificate } from '../../../tests/kit/certificate.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { ExchangeThread } from './exchange-thread.ts';

const PROGRAM = new URL('./exchange-worker-from-source.mjs', import.meta.url).href;
const { privateKey: key, certificate: cert } = newCertificate({ address: '127.0.0.1' });
const DELIVERED = { status: 204, problem: null };

let folder: string;
let receiver: WebhookReceiver;
let thread: ExchangeThread;
let errors: unknown[];

beforeEach(async () => {
  errors = [];
  folder = await mkdtemp(join(tmpdir(), 'cspm-test-'));
  receiver = await WebhookReceiver.start({ key, cert });
});

afterEach(async () => {
  thread.close();
  await receiver.close();
  await rm(folder, { recursive: true });
});

function run(signal = new AbortController().signal) {
  const exchange = { url: receiver.url, addresses: ['127.0.0.1'], headers: {}, body: '{}' };
  return thread.run({ ...exchange, tenantId: 'tenant' }, signal);
}

/** A thread that does this as soon as it gets an exchange, for the first times that it is started. */
async function failing(doing: string, times: number) {
  const entry = join(folder, 'failing.mjs');
  await writeFile(
    entry,
    `import { existsSync, writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const marks = Array.from({ length: ${times} }, (_, n) => ${JSON.stringify(folder)} + '/' + n);
     const mark = marks.find((file) => !existsSync(file));
     if (mark !== undefined) {
       writeFileSync(mark, '');
       parentPort.on('message', () => { ${doing} });
       parentPort.postMessage('ready');
     } else await import(${JSON.stringify(PROGRAM)});`,
  );
  thread = new ExchangeThread(cert, { entry, onError: (error) => errors.push(error) });
}

describe('the exchange thread', () => {
  it('the exchange thread starts with the first exchange, ends when it is idle, and starts again', async () => {
    thread = new ExchangeThread(cert, {}, { idleMs: 0 });
    expect(thread.isRunning).toBe(false);
    for (let n = 0; n < 2; n += 1) {
      const answer = run();
      expect(thread.isRunning).toBe(true);
      expect(await answer).toEqual(DELIVERED);
      await expect.poll(() => thread.isRunning).toBe(false);
    }
  });

  it('exchanges of a thread that crashed are repeated', async () => {
    await failing('process.exit(1);', 1);
    expect(await Promise.all([run(), run(), run()])).toEqual([DELIVERED, DELIVERED, DELIVERED]);
    expect(errors).toEqual([new Error('The thread exited with code 1')]);
  });

  it('exchanges of a thread that is blocked are repeated', async () => {
    await failing('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);', 1);
    expect(await Promise.all([run(), run()])).toEqual([DELIVERED, DELIVERED]);
    expect(errors).toEqual([new Error('The thread is blocked')]);
  });

  it('an exchange whose thread crashes each time has failed', async () => {
    await failing('process.exit(1);', 2);
    const problem = 'The receiver closed the connection without an answer.';
    expect(await run()).toEqual({ status: null, problem });
    expect(await run()).toEqual(DELIVERED);
  });

  it('an exchange gets no answer when the thread cannot start, because the receiver is not the reason', async () => {
    thread = new ExchangeThread(cert, { entry: join(folder, 'missing.mjs') });
    await expect(run()).rejects.toThrow('The thread for webhook deliveries did not start');
  });

  it('an exchange that is aborted ends its request', async () => {
    thread = new ExchangeThread(cert);
    let closed = false;
    receiver.reaction = (response) => {
      response.on('close', () => {
        closed = true;
      });
    };
    const controller = new AbortController();
    const answer = run(controller.signal);
    await expect.poll(() => receiver.received.length).toBe(1);
    controller.abort();
    await expect(answer).rejects.toThrow(/abort/i);
    await expect.poll(() => closed).toBe(true);
  });
});
