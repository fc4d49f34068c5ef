import { type Pieces, readText } from './text-stream.ts';

/** A server-sent event. */
export interface ServerEvent<T> {
  /** Id of this event, or of the latest earlier event that had one. */
  readonly id: string;
  /** Type of the event. */
  readonly event: string;
  readonly data: T;
}

/** State that is kept across connections. */
export interface EventState {
  /** Id of the last complete event. */
  id: string;
  /** How long the server asks to wait before reconnecting, in milliseconds. */
  retry?: number;
}

/**
 * Reads server-sent events (WHATWG HTML §9.2.6) with JSON data. An incomplete last event is ignored.
 * @throws {SyntaxError} for data that is not JSON.
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
    // A line ends with CR, LF or both; a CR LF may be split between two pieces.
    const lines = (rest + (afterCr ? piece.replace(/^\n/, '') : piece)).split(/\r\n|\r|\n/);
    afterCr = piece.endsWith('\r');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // The expression matches every line.
      const [, field, value = ''] = /^([^:]*):? ?(.*)/s.exec(line) as RegExpExecArray;
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
