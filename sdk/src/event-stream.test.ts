import { describe, expect, test } from 'vitest';
import { type EventState, readEvents, type ServerEvent } from './event-stream.ts';

const encoder = new TextEncoder();

async function read(pieces: readonly (string | Uint8Array)[], state: EventState = { id: '' }) {
  async function* bytes() {
    for (const piece of pieces) {
      yield typeof piece === 'string' ? encoder.encode(piece) : piece;
    }
  }
  const events: ServerEvent<unknown>[] = [];
  for await (const event of readEvents(bytes(), state)) events.push(event);
  return events;
}

/** Parses a text, which must give the same events for every split into two chunks and into single bytes. */
async function readHoweverCut(text: string) {
  const bytes = encoder.encode(text);
  const whole = await read([bytes]);
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(await read([bytes.slice(0, at), bytes.slice(at)]), `cut at ${at}`).toEqual(whole);
  }
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(await read(single)).toEqual(whole);
  return whole;
}

describe('server-sent events (WHATWG HTML §9.2.6)', () => {
  test.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ])(
    'lines of server-sent events may end with %s, wherever the chunks are split',
    async (_, end) => {
      const lines = [
        'id: 1',
        'event: progress',
        'data: {"a":1}',
        '',
        'id: 2',
        'data: "ü€😀"',
        '',
        '',
      ];
      expect(await readHoweverCut(lines.join(end))).toEqual([
        { id: '1', event: 'progress', data: { a: 1 } },
        { id: '2', event: 'message', data: 'ü€😀' },
      ]);
    },
  );

  test('server-sent events may mix all kinds of line ends', async () => {
    expect(await readHoweverCut('data: 1\r\n\ndata: 2\r\rdata: 3\n\r\n')).toEqual([
      { id: '', event: 'message', data: 1 },
      { id: '', event: 'message', data: 2 },
      { id: '', event: 'message', data: 3 },
    ]);
  });

  test('server-sent events ignore a byte order mark at the start', async () => {
    expect(await readHoweverCut('\ufeffdata: 1\n\n')).toHaveLength(1);
  });

  test('server-sent events may contain comments and unknown fields, which are ignored', async () => {
    expect(await readHoweverCut(': hello\n:\ndata: 1\nfoo: bar\n:data: 2\n\n: bye\n\n')).toEqual([
      { id: '', event: 'message', data: 1 },
    ]);
  });

  test('server-sent events join several data lines with line feeds and drop one leading space of each', async () => {
    expect(await readHoweverCut('data:["a",\ndata: "b"\ndata:  ]\n\n')).toEqual([
      { id: '', event: 'message', data: ['a', 'b'] },
    ]);
  });

  test('server-sent events do not end lines at Unicode line separators', async () => {
    expect(await readHoweverCut('data: "a\u2028b\u2029c\u0085d"\n\n')).toEqual([
      { id: '', event: 'message', data: 'a\u2028b\u2029c\u0085d' },
    ]);
  });

  test('server-sent events keep the id until there is another, but not the type', async () => {
    expect(await readHoweverCut('id: 7\nevent: a\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\n')).toEqual([
      { id: '7', event: 'a', data: 1 },
      { id: '7', event: 'message', data: 2 },
      { id: '', event: 'message', data: 3 },
    ]);
  });

  test('a server-sent event without data is ignored, except for its id', async () => {
    const state = { id: '' };
    expect(await read(['id: 5\nevent: a\n\n'], state)).toEqual([]);
    expect(state).toEqual({ id: '5' });
  });

  test('server-sent events ignore an id with NUL', async () => {
    const state = { id: '3' };
    await read(['id: 4\0\ndata: 1\n\n'], state);
    expect(state.id).toBe('3');
  });

  test('an incomplete last event is ignored, including its id', async () => {
    const state = { id: '' };
    const events = await read(['id: 1\ndata: 1\n\nid: 2\ndata: 2\n'], state);
    expect(events).toEqual([{ id: '1', event: 'message', data: 1 }]);
    expect(state.id).toBe('1');
  });

  test('`retry` of server-sent events accepts only digits', async () => {
    const state: EventState = { id: '' };
    await read(['retry: 1500\n', 'retry: soon\n', 'retry: -1\n'], state);
    expect(state.retry).toBe(1500);
  });

  test('server-sent events raise an error for data that is not JSON', async () => {
    await expect(read(['data: hello\n\n'])).rejects.toThrow(SyntaxError);
  });
});
