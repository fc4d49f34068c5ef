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

/** Polls the items of two tenants, of which the first always fails. */
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

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('canceled', 1, 'error'), { code });
}

it('a due item whose statement takes too long is postponed, and others are worked on', async () => {
  const { worked, postponed } = pollWith(databaseError('57014'));
  await until('the other item was worked on', async () => worked.includes('other'));
  expect(postponed).toEqual(['failing']);
});

it('no due item is postponed while the database is unavailable', async () => {
  const { worked, postponed } = pollWith(databaseError('57P01'));
  await until('the first item was tried again', async () => worked.length >= 2);
  expect(worked).not.toContain('other');
  expect(postponed).toEqual([]);
});
