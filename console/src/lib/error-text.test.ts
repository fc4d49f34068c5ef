import { createClient } from '@cspm/sdk';
import { expect, it } from 'vitest';
import { errorText } from './error-text.ts';

/** A client whose requests get the answer of something else than the API. */
function clientBehind(status: number) {
  return createClient({
    baseUrl: 'http://127.0.0.1:9',
    apiKey: 'key',
    retry: false,
    fetch: async () =>
      new Response('<html>an answer of a proxy</html>', {
        status,
        headers: { 'content-type': 'text/html' },
      }),
  });
}

async function textOf(call: PromiseLike<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return errorText(error);
  }
  throw new Error('The call succeeded');
}

it.each([200, 403, 502])(
  'the text about the answer %i of a proxy says so, and whether a change may have been made',
  async (status) => {
    const { projects } = clientBehind(status);
    const what = `A proxy answered, not the server (HTTP ${status}).`;
    expect(await textOf(projects.list())).toBe(`${what} Try again.`);
    expect(await textOf(projects.create({ name: 'shop' }))).toBe(
      `${what} The change may have been made; reload to see.`,
    );
  },
);
