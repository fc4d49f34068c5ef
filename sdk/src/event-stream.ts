import { type Pieces, readText } from './text-stream.ts';

/** A server-sent event. */
export interface ServerEvent<T> {
  /** Of this event, or the last before it that had one. */
  readonly id: string;
  /** What sort of event it is. */
  readonly event: string;
  readonly data: T;
}

/** What outlasts a connection. */
export interface EventState {
  /** Of the last event that came whole. */
  id: string;
  /** How long the server wants to be left alone after a connection has ended, in milliseconds. */
  retry?: number;
}

/**
 * Reads server-sent events (WHATWG HTML §9.2.6) with data in JSON. One that was cut off in its middle is left out.
 * @throws {SyntaxError} for data that is no JSON.
 */
export async function* readEvents<T>(
  pieces: Pieces,
  state: EventState,
): AsyncGenerator<ServerEvent<T>, void, void> {
  let { id } = state;
  let event = '';
  let data: string[] = [];
  let rest = '';
  let afterCr = false;
  for await (const piece of readText(pieces)) {
    // A line ends with CR, LF or both, which may come in two pieces.
    const lines = (rest + (afterCr ? piece.replace(/^\n/, '') : piece)).split(/\r\n|\r|\n/);
    afterCr = piece.endsWith('\r');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, field, value = ''] = /^([^:]*):? ?(.*)/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      if (field === 'event') event = value;
      if (field === 'id' && !value.includes('\0')) id = value;
      if (field === 'retry' && /^\d+$/.test(value)) state.retry = Number(value);
      if (line) continue;
      state.id = id;
      if (data.length) yield { id, event: event || 'message', data: JSON.parse(data.join('\n')) };
      event = '';
      data = [];
    }
  }
}
