import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { reasonOf } from './reason.ts';

it('the reason of a connection to a host with several addresses names each address', async () => {
  const failed = await new Promise<Error>((resolve) => {
    connect({
      host: 'db.example',
      port: 1,
      autoSelectFamily: true,
      lookup: (_host, _options, found) =>
        found(null, [
          { address: '127.0.0.1', family: 4 },
          { address: '127.0.0.2', family: 4 },
        ]),
    }).once('error', resolve);
  });
  expect(failed).toMatchObject({ message: '' });
  expect(reasonOf(failed)).toBe(
    'connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1',
  );
});

it.each([
  [new Error('boom'), 'boom'],
  [Object.assign(new Error(''), { code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
  [new TypeError(''), 'TypeError'],
  ['a word', 'a word'],
])('the reason of %j is never empty', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
