// npm run test:google -- --parent projects/x: checks the client against Google itself, with your credentials. It reads
// only. Without a parent or credentials it skips itself and says why.
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import {
  GoogleCloud,
  GoogleCloudError,
  type GoogleCredential,
  googleEndpoints,
  isComplete,
  type PullState,
  parseParent,
  parseServiceAccountKey,
  startPull,
} from '@cspm/google-cloud';
import { INVENTORY_LIMITS, readInventory } from '@cspm/scanner';
import { scriptOptions } from '../tools/script-options.ts';

const USAGE =
  'npm run test:google -- --parent projects/my-project [--key service-account-key.json] [--pages 20]';

const { values } = scriptOptions(USAGE, {
  options: {
    parent: { type: 'string' },
    key: { type: 'string' },
    pages: { type: 'string', default: '20' },
  },
});

const OPTIONS = {
  format: 'ndjson',
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxRecordBytes: INVENTORY_LIMITS.recordBytes,
} as const;

await main();

async function main(): Promise<void> {
  if (values.parent === undefined) return skip('no --parent projects/<id> was given');
  const parent = parseParent(values.parent);
  const google = new GoogleCloud({ credential: await credential(), endpoints: endpoints() });
  const { ok, checks } = await google.check(parent);
  for (const { name, ok, detail, remedy } of checks) {
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}: ${detail} ${remedy}`);
  }
  if (!ok) {
    const [first] = checks;
    if (values.key === undefined && first?.ok === false) return skip(first.detail);
    process.exitCode = 1;
    return;
  }
  const state = await pull(google, startPull(parent, new Date()), Number(values.pages));
  await refuseWrongToken(google, state);
  console.log('\nThe client and Google agree.');
}

/** Pulls up to so many pages, each with a new generator, as after a crash. Every record must be accepted by the reader. */
async function pull(google: GoogleCloud, from: PullState, pages: number): Promise<PullState> {
  let state = from;
  const seen = new Set<string>();
  while (!isComplete(state) && state.pages < pages) {
    for await (const page of google.pull({ state })) {
      const bytes = Buffer.from(page.records.map((record) => `${record}\n`).join(''));
      for await (const { name, type } of readInventory(chunk(bytes), OPTIONS)) {
        const key = `${page.contentType} ${type} ${name}`;
        assert(!seen.has(key), `${key} was served twice`);
        seen.add(key);
      }
      state = page.state;
      console.log(`page ${state.pages} ${page.contentType}: ${page.records.length} assets`);
      break;
    }
  }
  assert.equal(state.readTime, from.readTime);
  return state;
}

/** Google does not document how it refuses a page token, and the client depends on it. */
async function refuseWrongToken(google: GoogleCloud, state: PullState): Promise<void> {
  const wrong = { ...state, next: { contentType: 'RESOURCE', pageToken: 'not-a-token' } } as const;
  const error = await google
    .pull({ state: wrong })
    .next()
    .then(() => null)
    .catch((thrown: unknown) => thrown);
  assert(error instanceof GoogleCloudError, 'a wrong page token was accepted');
  assert.equal(error.code, 'page_token_expired', error.message);
  console.log(`ok     a wrong page token is refused: ${error.message}`);
}

async function credential(): Promise<GoogleCredential> {
  if (values.key === undefined) return { type: 'application_default', environment: process.env };
  const key = parseServiceAccountKey(JSON.parse(await readFile(values.key, 'utf8')));
  return { type: 'service_account_key', key };
}

/** Google's own, or the fake's, to test this program. */
function endpoints() {
  const { env } = process;
  return googleEndpoints({
    assetUrl: env['GOOGLE_ASSET_URL'],
    tokenUrl: env['GOOGLE_TOKEN_URL'],
    iamCredentialsUrl: env['GOOGLE_IAM_CREDENTIALS_URL'],
    allowLoopbackHttp: env['GOOGLE_ALLOW_LOOPBACK_HTTP'] === 'true',
  });
}

function skip(reason: string): void {
  console.log(`Skipped: ${reason}. Nothing was tested.`);
}

async function* chunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
