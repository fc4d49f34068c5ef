import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../tests/kit/until.ts';
import { type DueItem, DuePoll } from './due-poll.ts';
import { createLogger } from './logger.ts';

const pool = new pg.Pool();
let poll: DuePoll<DueItem> | null = null;

afterEach(async () => {
  await poll?.stop();
});

/** Polls the items of two tenants. The first one always fails. */
function pollWith(error: Error) {
  const worked: string[] = [];
  const postponed: string[] = [];
  const services = { pool, clock: { now: () => new Date() }, log: createLogger('silent') };
  poll = new DuePoll(services, {
    what: 'test',
    due: async () => [{ tenant_id: 'failing' }, { tenant_id: 'other' }],
    async work({ tenant_id: id }) {
      worked.push(id);
      if (id === 'failing') throw error;
      return 'done';
    },
    postpone: async ({ tenant_id: id }) => void postponed.push(id),
  });
  poll.start();
  return { worked, postponed };
}

function databaseError(code: string, severity: string): Error {
  return Object.assign(new pg.DatabaseError('canceled', 1, 'error'), { code, severity });
}

it.each([
  ['whose statement takes too long', '57014', 'ERROR'],
  ['of a tenant that is being deleted or moved', '57P03', 'ERROR'],
])('a due item %s is postponed, and others are worked on', async (_which, code, severity) => {
  const { worked, postponed } = pollWith(databaseError(code, severity));
  await until('the other item was worked on', async () => worked.includes('other'));
  expect(postponed).toEqual(['failing']);
});

it.each([
  ['ends its connections', '57P01'],
  ['is starting up', '57P03'],
])('no due item is postponed while the database %s', async (_what, code) => {
  const { worked, postponed } = pollWith(databaseError(code, 'FATAL'));
  await until('the first item was tried again', async () => worked.length >= 2);
  expect(worked).not.toContain('other');
  expect(postponed).toEqual([]);
});
