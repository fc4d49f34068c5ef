import { randomBytes } from 'node:crypto';
import { startPull } from '@cspm/google-cloud';
import { expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import { startTestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';
import { readPage, storePage, takeTurn } from './pull-progress.ts';

const MIB = 1024 * 1024;

it('the pages of a pull are read as they were stored, whatever their size', async () => {
  const google = await FakeGoogle.start();
  const server = await startTestServer({ googleCloud: google });
  try {
    const user = await server.people.user();
    const person = new Analyst(server, user.key, user.tenant.id);
    const project = await person.project();
    const parent = 'projects/shop-prod';
    const credential = { type: 'service_account_key', key: google.viewer(parent) };
    const body = { kind: 'google-cloud', parent, credential };
    await person.ask(201, `/projects/${project}/source`, { method: 'PUT', body });
    const pull = await person.ask(202, `/projects/${project}/inventory/pull`, { method: 'POST' });
    const { tenants, clock } = server.services;
    const held = { tenantId: user.tenant.id, pullId: pull.id, turn: 0, leaseToken: newId() };
    await tenants.write(held.tenantId, (db) => takeTurn(db, held, clock.now()));
    const state = { pull: startPull(parent, clock.now()), restarts: 0 };
    // Pages are read in slices of 1 MiB.
    const pages = [1, MIB - 1, MIB, MIB + 1, 2 * MIB, 5 * MIB + 7].map((size) => randomBytes(size));
    for (const [seq, data] of pages.entries()) {
      const page = { seq, state, data, bytes: data.length };
      await tenants.write(held.tenantId, (db) => storePage(db, held, page));
    }
    for (const [seq, data] of pages.entries()) {
      const read = await tenants.read(held.tenantId, (db) => readPage(db, held.pullId, seq));
      expect(read !== null && data.equals(read)).toBe(true);
    }
    const none = await tenants.read(held.tenantId, (db) => readPage(db, held.pullId, pages.length));
    expect(none).toBeNull();
  } finally {
    await server.close();
    await google.close();
  }
});
