import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cloneDatabase,
  type DatabaseUrls,
  emptyDatabase,
  type TestDatabase,
} from '../../tests/kit/database.ts';
import { forOperator } from '../../tests/kit/server-process.ts';
import { runAdmin } from './run.ts';

let migrated: TestDatabase;
let empty: TestDatabase;

beforeAll(async () => {
  [migrated, empty] = [await cloneDatabase(), await emptyDatabase()];
});

afterAll(async () => {
  await migrated.drop();
  await empty.drop();
});

async function admin(urls: DatabaseUrls, ...words: string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const code = await runAdmin(words, forOperator(urls), { out, err });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

describe('npm run admin on a database that it cannot administer', () => {
  it.each([[['migrate']], [['tenant', 'list']]])(
    'npm run admin %j names DATABASE_URL and the remedy when the database is out of reach',
    async (words) => {
      const ownerUrl = 'postgres://u:secret-word@127.0.0.1:1/x';
      const { code, out, err } = await admin({ ...migrated, ownerUrl }, ...words);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(
        /^DATABASE_URL: cannot connect to the database \(.*ECONNREFUSED.*\); check that Postgres runs there and accepts this role\n$/,
      );
      expect(err).not.toContain('secret-word');
    },
  );

  it.each([
    ['a migrated', () => migrated],
    ['an empty', () => empty],
  ])(
    'npm run admin names DATABASE_URL and the remedy for the serving role of %s database',
    async (_state, databaseOf) => {
      const database = databaseOf();
      const ownerUrl = database.appUrl;
      for (const words of [['migrate'], ['tenant', 'list']]) {
        expect(await admin({ ...database, ownerUrl }, ...words)).toEqual({
          code: 1,
          out: '',
          err: `DATABASE_URL: the role ${new URL(ownerUrl).username} is not the owner of the database; set the URL of the role that owns it and its tables\n`,
        });
      }
    },
  );
});
