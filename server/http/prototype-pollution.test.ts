import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractCases, pathOf } from '../../tests/kit/contract-operations.ts';
import { Tour } from '../../tests/kit/surface-tour.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

const POISON = [
  '"__proto__":{"polluted":true}',
  '"constructor":{"prototype":{"polluted":true}}',
  '"\\u005f_proto__":{"polluted":true}',
  '"prototype":{"polluted":true}',
];

/** Every property that code could find on any object afterwards. */
function inherited(): string[] {
  const prototypes = [Object, Array, Function, String, Map, Promise].map((one) => one.prototype);
  return prototypes.flatMap((prototype) => Reflect.ownKeys(prototype).map(String)).sort();
}

describe('members that name the prototype of an object', () => {
  let server: TestServer;
  let tour: Tour;

  beforeAll(async () => {
    server = await startTestServer();
    tour = await Tour.start(server);
  });

  afterAll(() => server.close());

  it('members such as __proto__ are refused by every operation that takes JSON, at the top and in every member', async () => {
    const before = inherited();
    for (const subject of contractCases().filter(({ route }) => route.metadata.body === 'json')) {
      const path = pathOf(subject, (await subject.example.params?.(tour.owner)) ?? {});
      const sound = JSON.stringify(await subject.example.body?.(tour.owner));
      const { tenant } = tour.owner.user;
      const user = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
      for (const poison of POISON) {
        const reply = await tour.ask(subject, path, {
          method: subject.route.method,
          headers: { ...user.session, 'content-type': 'application/json' },
          body: `{${poison},${sound.slice(1)}`,
        });
        expect({ [subject.name]: [poison, reply.status] }).toEqual({
          [subject.name]: [poison, 400],
        });
      }
    }
    expect(inherited()).toEqual(before);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('members such as __proto__ are refused by every operation in its query', async () => {
    const before = inherited();
    for (const subject of contractCases()) {
      const path = pathOf(subject, (await subject.example.params?.(tour.owner)) ?? {});
      for (const query of ['__proto__[polluted]=1', '__proto__=1', 'constructor=1']) {
        const reply = await tour.ask(subject, `${path}?${query}`, {
          method: subject.route.method,
          headers: tour.owner.user.session,
        });
        expect({ [subject.name]: [query, reply.status < 500 && reply.status >= 400] }).toEqual({
          [subject.name]: [query, true],
        });
      }
    }
    expect(inherited()).toEqual(before);
  });

  it('members such as __proto__ are kept as plain members where any member is allowed, and change nothing', async () => {
    const before = inherited();
    const asset = `{"name":"//storage.googleapis.com/b","asset_type":"storage.googleapis.com/Bucket","resource":{"data":{${POISON.join()}}}}`;
    const reply = await server.call('/custom-rules/test', {
      method: 'POST',
      headers: { ...tour.owner.user.session, 'content-type': 'application/json' },
      body: `{"rule":{"title":"Polluted","severity":"low","assetTypes":["storage.googleapis.com/Bucket"],"predicate":"has(resource.data.polluted)","tests":[{"asset":${asset},"verdict":"pass"}]}}`,
    });
    expect([200, 400]).toContain(reply.status);
    if (reply.status === 200) expect(reply.json.verdicts[0].verdict).toBe('pass');
    expect(inherited()).toEqual(before);
  });
});

it('the server program removes the accessor __proto__', () => {
  const app = new URL('../app.ts', import.meta.url).href;
  const script = `
    const { createApp } = await import(${JSON.stringify(app)});
    if (typeof createApp !== 'function' || '__proto__' in {}) process.exit(2);
    console.log('loaded');
  `;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-proto=delete', '--import', 'tsx', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  expect({ status, stdout, stderr: status === 0 ? '' : stderr }).toEqual({
    status: 0,
    stdout: 'loaded\n',
    stderr: '',
  });
});
