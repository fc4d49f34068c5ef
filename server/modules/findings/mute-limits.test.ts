import { MUTE_LIMITS } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { plantMutes } from '../../../tests/kit/planted-mutes.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function analystOf(user: TestUser): Promise<Analyst> {
  return new Analyst(server, user.key, user.tenant.id);
}

function mute(analyst: Analyst, status: number, body: object) {
  return analyst.ask(status, '/mutes', { method: 'POST', body: { reason: 'Known', ...body } });
}

describe('the number of active mutes', () => {
  it('the number of active mutes without rule and project is limited, while narrower mutes are still accepted', async () => {
    const user = await server.people.user();
    const analyst = await analystOf(user);
    await plantMutes(server.database, user.tenant.id, MUTE_LIMITS.perScope);
    const refused = await mute(analyst, 409, { selector: { asset: '*more*' } });
    expect(refused).toMatchObject({ code: 'CONFLICT' });
    expect(refused.detail).toContain('name a rule in the selector');
    await mute(analyst, 201, { selector: { asset: '*more*', ruleId: 'bucket-public' } });
    await mute(analyst, 201, { fingerprint: 'a'.repeat(64) });
  });

  it('the number of active mutes is limited also when they are created at the same moment', async () => {
    const user = await server.people.user();
    await plantMutes(server.database, user.tenant.id, MUTE_LIMITS.perScope - 1);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, each) =>
        server.call('/mutes', {
          method: 'POST',
          headers: user.key,
          body: { reason: 'Known', selector: { asset: `*${each}*` } },
        }),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('the number of active mutes is limited over all scopes; existing mutes over the limit stay active and can be deleted', async () => {
    const user = await server.people.user();
    const analyst = await analystOf(user);
    await plantMutes(server.database, user.tenant.id, MUTE_LIMITS.active + 5, 'own-rule');
    const refused = await mute(analyst, 409, { fingerprint: 'b'.repeat(64) });
    expect(refused.detail).toContain(`the limit is ${MUTE_LIMITS.active}`);
    const [row] = await rowsOf(server.database, user.tenant.id, 'SELECT id FROM mutes LIMIT 1');
    await analyst.ask(204, `/mutes/${row?.['id']}`, { method: 'DELETE' });
  });

  it('the limit of active mutes does not count expired ones', async () => {
    const user = await server.people.user();
    const analyst = await analystOf(user);
    await plantMutes(server.database, user.tenant.id, MUTE_LIMITS.perScope);
    await rowsOf(
      server.database,
      user.tenant.id,
      "UPDATE mutes SET expires_at = now() - interval '1 s'",
    );
    await mute(analyst, 201, { selector: { asset: '*more*' } });
  });
});

describe('a mute pattern', () => {
  it('a mute pattern has a limited number of wildcards', async () => {
    const analyst = await analystOf(await server.people.user());
    const most = 'a*'.repeat(MUTE_LIMITS.wildcards);
    await mute(analyst, 201, { selector: { asset: most } });
    const refused = await mute(analyst, 400, { selector: { asset: `${most}b*` } });
    expect(refused.errors).toEqual([
      { path: 'body.selector.asset', message: 'must have at most 10 wildcards (*)' },
    ]);
    // Consecutive stars count as one wildcard.
    await mute(analyst, 201, { selector: { asset: `a${'*'.repeat(400)}b` } });
  });
});
