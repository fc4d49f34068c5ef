import { scan } from '../arrange.ts';
import { check, same } from '../check.ts';
import type { LoopbackServer } from '../server.ts';
import type { SubpathCase } from './case.ts';
import type { Parts } from './parts.ts';

/** Answers that are checked by their schemas. */
export const schemas: readonly SubpathCase[] = [
  {
    id: 'zod.refuses',
    subpath: 'schemas',
    title: 'ends a call whose answer does not match its schema, and names the member',
    async run(parts, server) {
      const { totals, ...incomplete } = scan();
      check(totals !== undefined, 'no totals');
      const error = await launch(parts, server, { ...incomplete, status: 7 }).then(
        () => undefined,
        (cause: { code?: string; message: string }) => cause,
      );
      check(error !== undefined, 'the call succeeded');
      same(error.code, 'INVALID_RESPONSE', 'the code');
      const text = `${error.message} ${JSON.stringify(error)}`;
      for (const member of ['totals', 'status'])
        check(text.includes(member), `the error does not name ${member}: ${text}`);
    },
  },
  {
    id: 'zod.accepts',
    subpath: 'schemas',
    title: 'passes on an answer that matches, with members that a later server added',
    async run(parts, server) {
      const later = { ...scan(), added: 1 };
      same(await launch(parts, server, later), later, 'the answer');
    },
  },
  {
    id: 'zod.once',
    subpath: 'schemas',
    title: 'does not repeat a call for an answer that does not match',
    async run(parts, server) {
      await launch(parts, server, { id: 7 }).catch(() => undefined);
      check(server.to('POST /scans').length === 1, `${server.to('POST /scans').length} requests`);
      same(server.to('POST /scans')[0]?.headers['x-api-key'], 'cspm_x', 'the credential');
    },
  },
];

async function launch({ createValidatingClient }: Parts, server: LoopbackServer, body: unknown) {
  server.on('POST /scans', { status: 202, body });
  const options = { baseUrl: server.url, apiKey: 'cspm_x', validateResponses: true };
  return createValidatingClient(options).scans.launch({ projects: ['shop-prod'], profile: 'full' });
}
