import { createClient } from '@cspm/sdk';
import { describe, expect, it } from 'vitest';
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

describe('the text about an answer of a proxy', () => {
  it('says that the server is not available, and whether a change may have been made', async () => {
    const { projects } = clientBehind(502);
    expect(await textOf(projects.list())).toBe(
      'The server is not available right now (HTTP 502). Try again in a moment.',
    );
    expect(await textOf(projects.create({ name: 'shop' }))).toBe(
      'The server is not available right now (HTTP 502). The change may have been made; reload to see.',
    );
  });

  it('leads to the network if a page was answered instead of data', async () => {
    for (const status of [200, 403, 407]) {
      expect(await textOf(clientBehind(status).projects.list())).toContain(
        `answered with HTTP ${status}`,
      );
    }
  });
});
