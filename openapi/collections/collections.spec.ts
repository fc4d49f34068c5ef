import { readFile } from 'node:fs/promises';
import { parseCollection, parseEnvironment, parseRequest } from '@usebruno/filestore';
import { Collection } from 'postman-collection';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server/testing/test-server.ts';
import { brunoFiles } from './bruno.mjs';
import { postmanCollection } from './postman.mjs';
import { credentialOf, operationsIn } from './prepared-document.mjs';

// biome-ignore lint/suspicious/noExplicitAny: documents of other people's making are looked at member by member
type Loose = any;

const document: Loose = JSON.parse(
  await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'),
);
const operations: { name: string; operation: Loose }[] = operationsIn(document);
const names = operations.map(({ name }) => name).toSorted();
const LEFT_OUT_SECRETS = /cspm_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}/;

describe('the Postman collection', () => {
  let collection: Loose;
  let requests: Loose[];

  beforeAll(async () => {
    collection = await postmanCollection(document);
    requests = collection.item.flatMap((folder: Loose) => folder.item);
  });

  const nameOf = ({ request }: Loose) => `${request.method} /${request.url.path.join('/')}`;

  test('is of version 2.1, with a folder for each tag and a request for each operation', () => {
    expect(collection.info).toMatchObject({
      name: document.info.title,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    });
    expect(collection.item.map(({ name }: Loose) => name)).toEqual(
      document.tags.map(({ name }: Loose) => name),
    );
    expect(requests.map(nameOf).toSorted()).toEqual(names);
    for (const { name, request, response } of requests) {
      expect(name).toMatch(/\w/);
      expect(request.url.host).toEqual(['{{baseUrl}}']);
      for (const header of request.header) {
        expect(header).toEqual(
          expect.objectContaining({ key: expect.any(String), value: expect.any(String) }),
        );
      }
      expect(Array.isArray(response)).toBe(true);
    }
  });

  test('is read by the SDK of Postman, which keeps every request', () => {
    let count = 0;
    new Collection(collection).forEachItem((item) => {
      expect(item.request.url.toString()).toMatch(/^\{\{baseUrl\}\}\//);
      count += 1;
    });
    expect(count).toBe(names.length);
  });

  test('has credentials by variables, which are empty, and asks each operation with one that it takes', () => {
    const variables = Object.fromEntries(
      collection.variable.map(({ key, value }: Loose) => [key, value]),
    );
    expect(variables).toEqual({ baseUrl: 'http://127.0.0.1:3000', apiKey: '', accessToken: '' });
    expect(collection.auth.apikey).toContainEqual(
      expect.objectContaining({ key: 'value', value: '{{apiKey}}' }),
    );
    const kinds = { none: 'noauth', apiKey: undefined, accessToken: 'bearer' };
    for (const { name, operation } of operations) {
      const { request } = requests.find((each) => nameOf(each) === name);
      expect(request.auth?.type, name).toBe(kinds[credentialOf(operation) as keyof typeof kinds]);
    }
    const sent = requests.filter(({ request }) =>
      /Authorization|API-Key/i.test(JSON.stringify(request.header)),
    );
    expect(sent).toEqual([]);
  });

  test('has the example of the document for every body', () => {
    const bodies = operations.filter(
      ({ operation }) => operation.requestBody?.content['application/json'],
    );
    expect(bodies.length).toBeGreaterThan(25);
    for (const { name, operation } of bodies) {
      const { request } = requests.find((each) => nameOf(each) === name);
      expect(JSON.parse(request.body.raw), name).toEqual(
        operation.requestBody.content['application/json'].example,
      );
    }
  });

  test('is the same for the same document', async () => {
    expect(await postmanCollection(document)).toEqual(collection);
  });

  describe('against a server', () => {
    let server: TestServer;

    beforeAll(async () => {
      server = await startTestServer();
    });

    afterAll(() => server?.close());

    test('every request that reads a list or a state is answered', async () => {
      const { key } = await server.people.user({
        tenant: await server.people.tenant(['sso', 'custom_rules']),
      });
      const readers = requests.filter(
        ({ request }) =>
          request.method === 'GET' &&
          request.url.variable.length === 0 &&
          request.auth?.type !== 'bearer',
      );
      expect(readers.length).toBeGreaterThan(15);
      const refused: string[] = [];
      for (const { request } of readers) {
        const query = request.url.query.filter(({ disabled }: Loose) => disabled !== true);
        const search = new URLSearchParams(query.map((each: Loose) => [each.key, each.value]));
        const path = `/${request.url.path.join('/')}${query.length > 0 ? `?${search}` : ''}`;
        const reply = await server.call(path, { headers: key });
        // What is not licensed, is not there yet, or lives outside is refused for that and for nothing else.
        const isFine = reply.status < 400 || [403, 404, 503].includes(reply.status);
        if (!isFine) refused.push(`${path}: ${reply.text}`);
      }
      expect(refused).toEqual([]);
    });
  });
});

describe('the Bruno collection', () => {
  let files: Record<string, string>;
  let requests: Loose[];

  beforeAll(async () => {
    files = await brunoFiles(document);
    const paths = Object.keys(files).filter(
      (path) => /\/(?!folder\.bru).+\.bru$/.test(path) && !/^environments/.test(path),
    );
    requests = paths.map((path) => parseRequest(`${files[path]}`, { format: 'bru' }));
  });

  const nameOf = ({ request }: Loose) =>
    `${request.method} ${request.url.replace('{{baseUrl}}', '')}`;

  test('has a folder for each tag and a request for each operation, which Bruno reads', () => {
    expect(JSON.parse(`${files['bruno.json']}`)).toEqual({
      version: '1',
      name: document.info.title,
      type: 'collection',
    });
    const folders = Object.keys(files).filter((path) => path.endsWith('/folder.bru'));
    expect(folders).toEqual(document.tags.map(({ name }: Loose) => `${name}/folder.bru`));
    expect(requests.map(nameOf).toSorted()).toEqual(names);
  });

  test('has credentials by variables, secret ones, and asks each operation with one that it takes', () => {
    const { variables } = parseEnvironment(`${files['environments/Local.bru']}`, { format: 'bru' });
    expect(variables.map(({ name, value, secret }: Loose) => [name, value, secret])).toEqual([
      ['baseUrl', 'http://127.0.0.1:3000', false],
      ['apiKey', '', true],
      ['accessToken', '', true],
    ]);
    const root = parseCollection(`${files['collection.bru']}`, { format: 'bru' });
    expect(root.request.auth).toMatchObject({
      mode: 'apikey',
      apikey: { key: 'X-API-Key', value: '{{apiKey}}', placement: 'header' },
    });
    const modes = { none: 'none', apiKey: 'inherit', accessToken: 'bearer' };
    for (const { name, operation } of operations) {
      const { request } = requests.find((each) => nameOf(each) === name);
      expect(request.auth.mode, name).toBe(modes[credentialOf(operation) as keyof typeof modes]);
    }
    expect(JSON.stringify(files)).not.toMatch(LEFT_OUT_SECRETS);
  });

  test('sends nothing by itself that may be left out', () => {
    for (const { request } of requests) {
      for (const header of request.headers) expect(header.enabled, nameOf({ request })).toBe(false);
    }
  });

  test('is the same for the same document', async () => {
    expect(await brunoFiles(document)).toEqual(files);
  });
});
