import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { run } from './run.ts';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));
const ESCAPE = '\u001b';

describe('the streams of cspm', () => {
  const cspm = commandLine();

  it.each([
    ['output', {}, true],
    ['output', { NO_COLOR: '' }, true],
    ['output', { NO_COLOR: '1' }, false],
    ['output', { TERM: 'dumb' }, false],
    ['messages', {}, false],
    ['input', {}, false],
  ] as const)(
    'with %s as the only terminal and %j, cspm writes findings in color: %s',
    async (terminal, environment, isColoured) => {
      const args = ['scan', '--local', SAMPLE];
      const { output } = await cspm(args, { environment, terminals: [terminal] });
      expect(output).toContain('bucket-public');
      expect(output.includes(ESCAPE)).toBe(isColoured);
    },
  );

  it.each([
    [20, {}, 19],
    [40, {}, 39],
    [20, { TERM: 'dumb' }, 0],
  ])(
    'on a terminal of %i columns with %j, the longest line of progress has %i characters',
    async (columns, environment, longest) => {
      const messages = Object.assign(new PassThrough(), { columns });
      const written = text(messages);
      await run(['scan', '--local', SAMPLE, '--fail-on', 'never'], {
        input: new PassThrough(),
        output: new PassThrough().resume(),
        messages,
        isTerminal: { input: false, output: false, messages: true },
        environment,
        interrupted: new AbortController().signal,
      });
      messages.end();
      const [, ...drawn] = (await written).split(`\r${ESCAPE}[2K`);
      const widths = drawn.map((line) => (line.indexOf('\n') === -1 ? line.length : 0));
      expect(Math.max(0, ...widths)).toBe(longest);
    },
  );

  it.each([
    ['output', '--output is missing: a terminal cannot show a PDF.'],
    ['messages', 'There is no credential.'],
  ] as const)(
    'cspm scans report refuses to write a PDF to a terminal only: %s',
    async (terminal, message) => {
      const args = ['scans', 'report', 'a-scan', '--format', 'pdf'];
      const { messages } = await cspm(args, { terminals: [terminal] });
      expect(messages).toContain(message);
    },
  );

  it('cspm login hides the password that is typed in a terminal although messages go to a file', async () => {
    const setRawMode = vi.fn();
    const input = Object.assign(new PassThrough(), { setRawMode });
    const [output, messages] = [new PassThrough(), new PassThrough()];
    const written = text(messages);
    input.end('secret\r');
    const code = await run(['login', '--email', 'ada@example.com', '--url', 'http://127.0.0.1:1'], {
      input,
      output,
      messages,
      isTerminal: { input: true, output: true, messages: false },
      environment: {},
      interrupted: new AbortController().signal,
    });
    messages.end();
    expect(code).toBe(4);
    // A terminal in raw mode does not echo.
    expect(setRawMode).toHaveBeenNthCalledWith(1, true);
    expect(await written).not.toContain('secret');
  });
});
