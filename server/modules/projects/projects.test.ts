import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

const create = (body: unknown, by = analyst) => by.call('/projects', { method: 'POST', body });

describe('a project', () => {
  it('a project is shown as it was created, with its active inventory once there is one', async () => {
    const made = await create({ name: 'shop-prod', description: 'The shop' });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      name: 'shop-prod',
      description: 'The shop',
      inventory: null,
      hasSource: false,
    });
    expect(await analyst.ask(200, '/projects/shop-prod')).toEqual(made.json);
    const { id, assets, createdAt } = await analyst.upload('shop-prod', [cluster('a')]);
    expect(await analyst.ask(200, '/projects/shop-prod')).toEqual({
      ...made.json,
      inventory: { id, assets, createdAt },
    });
  });

  it.each(['plain', 'Zürich, café', '東京', '🙂 and a \u2028'])(
    'text in any script is returned as it was sent: %s',
    async (description) => {
      const made = await create({ name: 'text', description });
      expect(made.json).toMatchObject({ description });
      const again = await analyst.call('/projects/text');
      expect(again.json).toEqual(made.json);
      expect(again.headers.get('content-length')).toBe(String(Buffer.byteLength(again.text)));
    },
  );

  it('a project has a name that is unique in its tenant, but not across tenants', async () => {
    expect((await create({ name: 'same' })).status).toBe(201);
    const again = await create({ name: 'same' });
    expect(again.status).toBe(409);
    expect(again.json).toMatchObject({ code: 'CONFLICT' });
    const stranger = await Analyst.at(server);
    expect((await create({ name: 'same' }, stranger)).status).toBe(201);
  });

  it('concurrent requests with one name create one project', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'raced' })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    expect((await analyst.ask(200, '/projects')).items).toHaveLength(1);
  });

  it.each([
    ['Capital', 'name'],
    ['-first', 'name'],
    ['with space', 'name'],
    ['a/b', 'name'],
    ['', 'name'],
    ['x'.repeat(64), 'name'],
  ])('a project is refused with the name "%s"', async (name, member) => {
    const reply = await create({ name });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: `body.${member}` }],
    });
  });

  it.each(['a', '0', 'a.b_c-d', 'x'.repeat(63)])(
    'a project may have the name "%s", which is part of its URL',
    async (name) => {
      expect((await create({ name })).status).toBe(201);
      expect((await analyst.ask(200, `/projects/${name}`)).name).toBe(name);
    },
  );

  it('a project is refused with unknown fields or text that Postgres cannot store', async () => {
    for (const body of [
      { name: 'p', owner: 'me' },
      { name: 'p', description: 'a\0b' },
      { description: 'x' },
      [],
    ]) {
      expect((await create(body)).status).toBe(400);
    }
    expect((await analyst.ask(200, '/projects')).items).toEqual([]);
  });
});

describe('the description of a project', () => {
  it('the description of a project can be changed and removed, and remains when it is omitted', async () => {
    const change = (body: unknown) => analyst.ask(200, '/projects/shop', { method: 'PATCH', body });
    const made = (await create({ name: 'shop', description: 'The shop' })).json;
    expect(await change({})).toEqual(made);
    expect(await change({ description: 'The other shop' })).toEqual({
      ...made,
      description: 'The other shop',
    });
    expect(await change({ description: null })).toEqual({ ...made, description: null });
    expect(await analyst.ask(200, '/projects/shop')).toEqual({ ...made, description: null });
    const { items } = await analyst.ask(200, '/audit-events?action=project.updated');
    expect(items).toHaveLength(3);
    expect(items[0]).toMatchObject({ subject: 'shop', detail: { changed: ['description'] } });
  });

  it('the description is the only field of a project that can be changed', async () => {
    await create({ name: 'shop' });
    for (const body of [{ name: 'other' }, { description: 7 }, { description: 'x'.repeat(501) }]) {
      const reply = await analyst.call('/projects/shop', { method: 'PATCH', body });
      expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    const reply = await analyst.call('/projects/none', { method: 'PATCH', body: {} });
    expect(reply.status).toBe(404);
  });
});

describe('the inventories of a project', () => {
  const inventories = (query = '') => analyst.ask(200, `/projects/shop/inventories${query}`);

  it("the inventories of a project are listed newest first, in pages, in the form of the upload's response", async () => {
    await create({ name: 'shop' });
    expect(await inventories()).toEqual({ items: [], nextCursor: null });
    const uploads: unknown[] = [];
    // Repeat an asset, so that there is a warning to store.
    for (let count = 1; count < 8; count += 1) {
      const assets = Array.from({ length: count }, (_, index) => cluster(`c${index}`));
      uploads.unshift(await analyst.upload('shop', [...assets, cluster('c0')]));
    }
    const kept = uploads.slice(0, 5);
    expect(await inventories()).toEqual({ items: kept, nextCursor: null });
    const first = await inventories('?limit=3');
    const rest = await inventories(`?limit=3&cursor=${first.nextCursor}`);
    expect([...first.items, ...rest.items]).toEqual(kept);
    expect(rest.nextCursor).toBeNull();
    const { inventory } = await analyst.ask(200, '/projects/shop');
    expect(inventory.id).toBe(first.items[0].id);
  });
});

describe('the list of projects', () => {
  it('the list of projects is newest first, in pages', async () => {
    const names: string[] = [];
    for (let count = 0; count < 5; count += 1) names.push(await analyst.project());
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { name: string }[]; nextCursor: string | null } = await analyst.ask(
        200,
        `/projects?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(names.toReversed());
  });
});
