import { parentPort, workerData } from 'node:worker_threads';
import { Exchanges } from './exchange.ts';
import { BEAT_MS, type ThreadData, type ThreadTask } from './exchange-messages.ts';

// The exchange thread: makes requests to receivers over TLS. It may be terminated at any moment.

const { ca, beats }: ThreadData = workerData;
const count = new Int32Array(beats);
const exchanges = new Exchanges(ca);
const running = new Map<number, AbortController>();

parentPort?.on('message', async (task: ThreadTask) => {
  if (task.kind === 'abort') {
    running.get(task.id)?.abort();
    return;
  }
  const { id, exchange } = task;
  const controller = new AbortController();
  running.set(id, controller);
  const answer = await exchanges.run(exchange, controller.signal);
  running.delete(id);
  parentPort?.postMessage({ id, answer });
});

setInterval(() => Atomics.add(count, 0, 1), BEAT_MS);
parentPort?.postMessage('ready');
