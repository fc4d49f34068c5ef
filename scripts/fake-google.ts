// npm run fake-google: Google's token endpoint, IAM Credentials and Cloud Asset API on loopback, to try pulls without Google.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VIEWER } from '../tests/kit/google/asset-inventory.ts';
import { FakeGoogle } from '../tests/kit/google/fake-google.ts';
import { scriptOptions } from '../tools/script-options.ts';

const USER = 'you@shop.example';
const USAGE =
  'npm run fake-google [-- --port 8085 --parent projects/shop-prod --inventory samples/shop-prod.ndjson]';

const { values } = scriptOptions(USAGE, {
  options: {
    port: { type: 'string', default: '8085' },
    parent: { type: 'string', default: 'projects/shop-prod' },
    inventory: { type: 'string', default: 'samples/shop-prod.ndjson' },
  },
});
const { parent, inventory } = values;
const google = await FakeGoogle.start({ port: Number(values.port) }).catch((error: Error) => {
  console.error(
    `${error.message}. Choose another port: npm run fake-google -- --port 0 takes a free one.`,
  );
  process.exit(1);
});
await google.serveFile(parent, inventory);

const folder = await mkdtemp(join(tmpdir(), 'cspm-fake-google-'));
const credentials = join(folder, 'application_default_credentials.json');
const key = join(folder, 'service-account-key.json');
google.inventory.grant(USER, parent, [...VIEWER, 'serviceusage.services.use']);
await keep(credentials, google.identities.user(USER, null));
await keep(key, google.viewer(parent));

const variables = { ...google.environment, GOOGLE_APPLICATION_CREDENTIALS: credentials };
console.log(`Serving ${inventory} as ${parent} on ${google.url}. Ctrl-C stops.

In another terminal:
${Object.entries(variables)
  .map(([name, value]) => `  export ${name}=${value}`)
  .join('\n')}
  npm run cspm -- scan --gcp ${parent} --fail-on never

The key of a service account that may view ${parent}, for a server that has the same variables:
  ${key}
`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

async function stop(): Promise<void> {
  await google.close();
  await rm(folder, { recursive: true, force: true });
}

async function keep(file: string, content: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
