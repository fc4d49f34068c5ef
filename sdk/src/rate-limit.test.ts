import { expect, test } from 'vitest';
import { readRateLimits } from './rate-limit.ts';

test('each limit comes with its policy', () => {
  const headers = {
    ratelimit: '"default";r=57;t=42, "scans";r=8;t=12',
    'ratelimit-policy': '"scans";q=10;w=60;pk=:YQ==:, "default";q=60;w=60',
  };
  expect(readRateLimits(new Headers(headers))).toEqual([
    { name: 'default', remaining: 57, resetSeconds: 42, quota: 60, windowSeconds: 60 },
    { name: 'scans', remaining: 8, resetSeconds: 12, quota: 10, windowSeconds: 60 },
  ]);
});

test('headers that were sent twice read as one list', () => {
  const headers = new Headers();
  headers.append('ratelimit', '"default";r=57;t=42');
  headers.append('ratelimit', '"scans";r=8;t=12');
  expect(readRateLimits(new Headers(headers)).map(({ name }) => name)).toEqual([
    'default',
    'scans',
  ]);
});

test('a limit without count or time is of no use and left out', () => {
  const headers = { ratelimit: '"a";r=1, "b";t=1, "c";r=1;t=1' };
  expect(readRateLimits(new Headers(headers)).map(({ name }) => name)).toEqual(['c']);
});

test('a response without the headers tells nothing', () => {
  expect(readRateLimits(new Headers())).toEqual([]);
});
