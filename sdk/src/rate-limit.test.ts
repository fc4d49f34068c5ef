import { expect, test } from 'vitest';
import { readRateLimits } from './rate-limit.ts';

test('each rate limit of a response has its policy', () => {
  const headers = {
    ratelimit: '"default";r=57;t=42, "scans";r=8;t=12',
    'ratelimit-policy': '"scans";q=10;w=60;pk=:YQ==:, "default";q=60;w=60',
  };
  expect(readRateLimits(new Headers(headers))).toEqual([
    { name: 'default', remaining: 57, resetSeconds: 42, quota: 60, windowSeconds: 60 },
    { name: 'scans', remaining: 8, resetSeconds: 12, quota: 10, windowSeconds: 60 },
  ]);
});

test('repeated rate-limit headers are read as one list', () => {
  const headers = new Headers();
  headers.append('ratelimit', '"default";r=57;t=42');
  headers.append('ratelimit', '"scans";r=8;t=12');
  expect(readRateLimits(new Headers(headers)).map(({ name }) => name)).toEqual([
    'default',
    'scans',
  ]);
});

test('a rate limit without count or time is ignored', () => {
  const headers = { ratelimit: '"a";r=1, "b";t=1, "c";r=1;t=1' };
  expect(readRateLimits(new Headers(headers)).map(({ name }) => name)).toEqual(['c']);
});

test('a response without rate-limit headers has no rate limits', () => {
  expect(readRateLimits(new Headers())).toEqual([]);
});
