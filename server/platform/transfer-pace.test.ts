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
