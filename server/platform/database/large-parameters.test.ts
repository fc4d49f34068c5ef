import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../../tests/kit/test-server.ts';
import { sendLargeParametersInPlace } from './large-parameters.ts';
import { createPool } from './pool.ts';

const KIB = 1024;

interface Connection {
  bind(config: {
    portal?: string;
    statement?: string;
    values?: unknown[] | null;
    binary?: boolean;
  }): void;
  _send(message: Buffer): void;
}

/** What a connection sends for a message Bind. */
function sentBy(connection: Connection, config: Parameters<Connection['bind']>[0]): Buffer[] {
  const sent: Buffer[] = [];
  connection._send = (message) => sent.push(message);
  connection.bind(config);
  return sent;
}

function connections() {
  const plain = new pg.Client() as unknown as { connection: Connection };
  const changed = new pg.Client();
  sendLargeParametersInPlace(changed);
  return {
    plain: plain.connection,
    changed: (changed as unknown as { connection: Connection }).connection,
  };
}

describe('large parameters', () => {
  it.each([
    ['first', [randomBytes(40 * KIB), 'text', null]],
    ['last', ['text', null, randomBytes(40 * KIB)]],
    ['between others', ['tëxt', randomBytes(16 * KIB), null, Buffer.from('small'), '']],
    ['next to each other', [randomBytes(20 * KIB), randomBytes(3000 * KIB), randomBytes(16 * KIB)]],
    ['absent', ['text', Buffer.alloc(0), randomBytes(16 * KIB - 1), null]],
    ['null instead of a list', null],
  ])('large parameters that are %s are sent as node-postgres sends them', (_, values) => {
    const { plain, changed } = connections();
    for (const config of [
      { statement: 'näme', values },
      { portal: 'pörtal', values, binary: true },
    ]) {
      const expected = Buffer.concat(sentBy(plain, config));
      expect(Buffer.concat(sentBy(changed, config)).equals(expected)).toBe(true);
    }
  });

  it('a large parameter is sent without a copy', () => {
    const large = randomBytes(40 * KIB);
    const sent = sentBy(connections().changed, { statement: 's', values: ['text', large] });
    expect(sent.filter((part) => part === large)).toHaveLength(1);
  });

  it('a statement without parameters is sent as before', () => {
    const { plain, changed } = connections();
    const config = { statement: 'begin' };
    expect(sentBy(changed, config)).toEqual(sentBy(plain, config));
  });

  it('Postgres receives large parameters of a pool unchanged', async () => {
    const server = await startTestServer();
    const pool = createPool({
      url: server.database.appUrl,
      name: 'cspm large parameters test',
      maxConnections: 1,
      statementTimeoutMs: 60_000,
      onError: () => {},
    });
    try {
      const [a, b] = [randomBytes(3000 * KIB), randomBytes(17 * KIB)];
      const text = 'SELECT $1::bytea AS a, $2::text AS text, $3::bytea AS b, $4::text AS missing';
      for (const name of ['echo', 'echo', undefined]) {
        const config = { text, values: [a, 'tëxt', b, null] };
        const { rows } = await pool.query(name === undefined ? config : { ...config, name });
        expect(rows[0].a.equals(a) && rows[0].b.equals(b)).toBe(true);
        expect(rows[0]).toMatchObject({ text: 'tëxt', missing: null });
      }
    } finally {
      await pool.end();
      await server.close();
    }
  });
});
