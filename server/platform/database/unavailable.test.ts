import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isDatabaseUnavailable, isStatementOutOfResources } from './unavailable.ts';

const LOCALES = '/usr/share/locale';

/** The translations of Postgres' own messages that Debian has installed, by language. */
function catalogs(): [language: string, read: () => Map<string, string>][] {
  return listed(LOCALES).flatMap((language) => {
    const folder = `${LOCALES}/${language}/LC_MESSAGES`;
    const files = listed(folder).filter((file) => /^postgres-\d+\.mo$/.test(file));
    return files.map((file): [string, () => Map<string, string>] => [
      `${language} (${file})`,
      () => translations(readFileSync(`${folder}/${file}`)),
    ]);
  });
}

/** Empty where there is no such folder. */
function listed(folder: string): string[] {
  return existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : [];
}

/** Reads a catalog of GNU gettext: tables of lengths and offsets of the texts and of their translations. */
function translations(catalog: Buffer): Map<string, string> {
  const [count, originals, translated] = [8, 12, 16].map((at) => catalog.readUInt32LE(at));
  const text = (table: number, at: number) => {
    const length = catalog.readUInt32LE(table + 8 * at);
    const offset = catalog.readUInt32LE(table + 8 * at + 4);
    return catalog.toString('utf8', offset, offset + length);
  };
  return new Map(
    Array.from({ length: count ?? 0 }, (_, at) => [
      text(originals ?? 0, at),
      text(translated ?? 0, at),
    ]),
  );
}

/** An error as node-postgres reads it. */
function postgresError(code: string, severity: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('message', 100, 'error'), { code, severity });
}

const found = catalogs();

describe.skipIf(found.length === 0)('an error of a Postgres that speaks another language', () => {
  it.each(found)(
    'an error of Postgres ends the session only if it is FATAL or PANIC, in %s',
    (_language, read) => {
      const words = read();
      const inLanguage = (severity: string) => words.get(severity) ?? severity;
      for (const severity of ['FATAL', 'PANIC'].map(inLanguage)) {
        expect(isDatabaseUnavailable(postgresError('XX000', severity)), severity).toBe(true);
        expect(isStatementOutOfResources(postgresError('53100', severity)), severity).toBe(false);
      }
      const error = inLanguage('ERROR');
      expect(isDatabaseUnavailable(postgresError('XX000', error)), error).toBe(false);
      expect(isStatementOutOfResources(postgresError('53100', error)), error).toBe(true);
    },
  );
});
