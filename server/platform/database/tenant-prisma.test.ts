import { expect, test } from 'vitest';
import { BoundPrisma } from './tenant-prisma.ts';

test('The event loop polls before and after a new client creates its query compiler', async () => {
  await clientThatRecords([]).prisma.project.findMany();

  // The first client has loaded the modules, so only the client itself can make this one wait.
  const events: string[] = [];
  const { prisma } = clientThatRecords(events);
  const stop = recordImmediates(events);
  await prisma.project.findMany();
  stop();
  // Two immediates for each poll; the recorder's first one coincides with the first of them.
  expect(events.indexOf('statement')).toBeGreaterThanOrEqual(3);

  events.length = 0;
  const stopAgain = recordImmediates(events);
  await prisma.project.findMany();
  stopAgain();
  expect(events).toEqual(['statement']);
});

function clientThatRecords(events: string[]): BoundPrisma {
  const bound = new BoundPrisma();
  bound.sendTo({
    query: async () => {
      events.push('statement');
      return { rows: [], rowCount: 0, command: 'SELECT', oid: 0, fields: [] };
    },
  });
  return bound;
}

/** Records each turn of the event loop. @returns a function that stops. */
function recordImmediates(events: string[]): () => void {
  let next = setImmediate(record);
  function record() {
    events.push('turn');
    next = setImmediate(record);
  }
  return () => clearImmediate(next);
}
