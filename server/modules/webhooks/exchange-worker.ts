import { parentPort, workerData } from 'node:worker_threads';
import { Exchanges } from './exchange.ts';
import { BEAT_MS, type ThreadData, type ThreadTask } from './exchange-messages.ts';

// The exchange thread: makes requests to receivers over TLS. It may be terminated at any moment.

const { ca, beats }: ThreadData = workerData;
const count = new Int32Array(beats);
// Also after each message and each piece of work: on a busy machine, they may leave no time for the interval.
const beat = () => Atomics.add(count, 0, 1);
const exchanges = new Exchanges(ca, beat);
const running = new Map<number, AbortController>();

parentPort?.on('message', async (task: ThreadTask) => {
  beat();
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

setInterval(beat, BEAT_MS);
parentPort?.postMessage('ready');
