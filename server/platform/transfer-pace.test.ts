import { REQUEST_LIMITS } from '@cspm/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TransferPace } from './transfer-pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('bytes that only fill the buffers of the network are no pace, even if nobody asks for it before the window ends', () => {
  let bytes = 0;
  const client = { bytes: () => bytes, isAwaited: () => true, end: () => undefined };
  const pace = new TransferPace(client, 60_000);
  pace.beginWaiting();
  for (let ms = 0; ms < 20; ms += 1) {
    vi.advanceTimersByTime(1);
    bytes += 200_000;
    pace.noteProgress();
  }
  vi.advanceTimersByTime(59_000);
  expect(pace.bytesPerSecond).toBeNull();
  bytes += 600;
  vi.advanceTimersByTime(1_000);
  expect(pace.bytesPerSecond).toBe(10);
});

it('a client that steadily reads 64 KiB/s is never under 32 KiB/s, although the kernel takes its bytes 1.4 MiB at a time', () => {
  let bytes = 0;
  const client = { bytes: () => bytes, isAwaited: () => true, end: () => undefined };
  const pace = new TransferPace(client, REQUEST_LIMITS.slowStreamSeconds * 1000);
  pace.beginWaiting();
  bytes += 4 * 1024 ** 2;
  pace.noteProgress();
  const paces: number[] = [];
  for (let second = 1; second <= 600; second += 1) {
    vi.advanceTimersByTime(1_000);
    if (second % 22 === 0) {
      bytes += 1.4 * 1024 ** 2;
      pace.noteProgress();
    }
    const known = pace.bytesPerSecond;
    if (known !== null) paces.push(known);
  }
  expect(paces.length).toBeGreaterThan(500);
  expect(Math.min(...paces)).toBeGreaterThan(REQUEST_LIMITS.slowStreamBytesPerSecond);
});
