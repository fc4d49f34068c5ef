import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { expiringMutes } from './expiring-mutes.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe('the expiring mutes of a project', () => {
  it('the expiring mutes of a project are those that name it or apply to its open findings, and end within seven days', async () => {
    const user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const belongings = new Belongings(server.services, server.database, user.tenant);
    const [one, two, three] = [
      await belongings.project(),
      await belongings.project(),
      await belongings.project(),
    ];
    const fingerprint = 'a1'.repeat(32);
    await plantFindings(server.database, analyst.tenantId, one.id, [
      { fingerprint, ruleId: 'r', asset: '//s/a', labels: { env: 'test' } },
      { ruleId: 'other', status: 'resolved' },
    ]);
    await plantFindings(server.database, analyst.tenantId, two.id, [{ asset: '//s/b' }]);
    const now = server.clock.now();
    const inDays = (days: number) =>
      new Date(now.getTime() + days * 24 * 3600 * 1000).toISOString();
    const mute = async (about: object, days: number) => {
      const body = { ...about, reason: 'Known', expiresAt: inDays(days) };
      await analyst.ask(201, '/mutes', { method: 'POST', body });
    };
    const expiring = async (at = now) =>
      Object.fromEntries(
        await server.services.tenants.read(analyst.tenantId, (db) =>
          expiringMutes(db, [one.id, two.id, three.id], at),
        ),
      );
    // These must not appear: one expires too late, one matches a resolved finding, one matches nothing.
    await mute({ fingerprint }, 8);
    await mute({ selector: { ruleId: 'other' } }, 2);
    await mute({ selector: { asset: '//s/c*' } }, 2);
    expect(await expiring()).toEqual({});
    await mute({ fingerprint }, 6.5);
    await mute({ selector: { ruleId: 'r' } }, 5);
    await mute({ selector: { label: 'env=test' } }, 3);
    await mute({ selector: { asset: '//s/*' } }, 4);
    await mute({ selector: { project: three.name } }, 6);
    expect(await expiring()).toEqual({
      [one.id]: { count: 4, firstAt: new Date(inDays(3)) },
      [two.id]: { count: 1, firstAt: new Date(inDays(4)) },
      [three.id]: { count: 1, firstAt: new Date(inDays(6)) },
    });
    expect(await expiring(new Date(inDays(3)))).toMatchObject({ [one.id]: { count: 4 } });
    expect(await expiring(new Date(inDays(9)))).toEqual({});
    const stranger = await server.people.user();
    const theirs = await server.services.tenants.read(stranger.tenant.id, (db) =>
      expiringMutes(db, [one.id, two.id, three.id], now),
    );
    expect(theirs.size).toBe(0);
  });
});
