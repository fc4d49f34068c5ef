import { expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { problem } from '../conformance/server.ts';
import { RateLimitError, ValidationError } from './errors.ts';
import { KEY_LIFE_MS, mintKey } from './idempotency.ts';

const LAUNCH = { projects: ['shop-prod'], profile: 'full' };

test('idempotency keys are visible ASCII without comma and quote, and are unique', () => {
  const keys = Array.from({ length: 1000 }, mintKey);
  for (const key of keys) expect(key).toMatch(/^[!#-+\--~]{1,255}$/);
  expect(new Set(keys).size).toBe(keys.length);
});

test('the attempts of one call share one idempotency key and the same bytes; another call has another key', async () => {
  const { server, cspm } = await arrange();
  const input = { projects: ['shop-prod'], profile: 'full' };
  server.on('POST /scans', { status: 503 }, { status: 202, body: scan() });
  const launched = cspm.scans.launch(input);
  setTimeout(() => input.projects.push('changed-meanwhile'));
  await launched;
  await cspm.scans.launch(LAUNCH);
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[0]).not.toBe(keys[2]);
  expect(server.requests[0]?.body).toBe(JSON.stringify(LAUNCH));
  expect(server.requests[1]?.body).toBe(JSON.stringify(LAUNCH));
});

test('an idempotency key given by the caller is used unchanged', async () => {
  const { server, cspm } = await arrange();
  server.on('POST /scans', { status: 202, body: scan() });
  await cspm.scans.launch(LAUNCH, { idempotencyKey: 'nightly-2026-11-20' });
  expect(server.requests[0]?.headers['idempotency-key']).toBe('nightly-2026-11-20');
});

test('an empty idempotency key is sent, because the service refuses it, instead of one that the caller does not know', async () => {
  const { server, cspm } = await arrange();
  server.on('POST /scans', problem(400, 'VALIDATION_FAILED'));
  await failureOf(cspm.scans.launch(LAUNCH, { idempotencyKey: '' }), ValidationError);
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['']);
});

test('no idempotency key is sent when the contract accepts none', async () => {
  const { server, cspm } = await arrange();
  server.on(`GET /scans/${SCAN_ID}`, { body: scan() });
  server.on('POST /preflight', { body: {} });
  server.on('DELETE /projects/shop-prod', { status: 204 });
  await cspm.scans.get({ id: SCAN_ID });
  await cspm.preflight.run(LAUNCH);
  await cspm.projects.delete({ name: 'shop-prod' });
  expect(server.requests.filter(({ headers }) => headers['idempotency-key'])).toEqual([]);
});

test('a call is not retried after its key has expired on the server', async () => {
  const { server, cspm, clock } = await arrange({ timeoutMs: 3 * KEY_LIFE_MS });
  const afterItsLife = { status: 429, headers: { 'retry-after': `${KEY_LIFE_MS / 1000 + 1}` } };
  server.on('POST /scans', afterItsLife);
  server.on(`GET /scans/${SCAN_ID}`, afterItsLife, { body: scan() });
  const error = await failureOf(cspm.scans.launch(LAUNCH), RateLimitError);
  expect(error.attempts).toHaveLength(1);
  expect(clock.sleeps).toEqual([]);
  await cspm.scans.get({ id: SCAN_ID });
});
