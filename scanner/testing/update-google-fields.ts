// npm run google-fields [-- <version>]: reads Google's discovery documents from the Go module google.golang.org/api and
// writes the schemas that rules read to generated/google-fields.json. Needs Go and its module proxy.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GOOGLE_SCHEMAS,
  type GoogleApi,
  type GoogleFields,
  type GoogleSchema,
  lookUp,
} from './google-schemas.ts';
import { recordedReads } from './recorded-reads.ts';

const MODULE = 'google.golang.org/api';
const TABLE = join(import.meta.dirname, 'generated/google-fields.json');

/** The relevant parts of a schema in a discovery document. */
interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

interface Discovery {
  readonly revision: string;
  readonly schemas: Readonly<Record<string, Schema>>;
}

const { folder, version } = download(process.argv[2] ?? 'latest');
const documents = new Map<string, Discovery>();
const read = new Map<string, Map<string, GoogleSchema>>();
for (const [type, paths] of recordedReads()) {
  for (const root of GOOGLE_SCHEMAS[type] ?? []) {
    for (const path of paths) lookUp(root, path, take);
  }
}
writeFileSync(TABLE, `${JSON.stringify(tableOf(), null, 1)}\n`);
process.stdout.write(`Wrote the fields of ${read.size} APIs of ${MODULE} ${version}.\n`);
process.stdout.write(
  'Read the changes, then the rules that they concern, then cite the revisions there.\n',
);

function download(wanted: string): { readonly folder: string; readonly version: string } {
  const empty = mkdtempSync(join(tmpdir(), 'google-fields-'));
  try {
    const args = ['mod', 'download', '-json', `${MODULE}@${wanted}`];
    const answer = execFileSync('go', args, { cwd: empty, encoding: 'utf8' });
    const { Dir, Version } = JSON.parse(answer);
    return { folder: Dir, version: Version };
  } finally {
    rmSync(empty, { recursive: true });
  }
}

function documentOf(api: string): Discovery {
  const known = documents.get(api);
  if (known !== undefined) return known;
  const file = readdirSync(join(folder, api)).find((name) => name.endsWith('-api.json'));
  if (file === undefined)
    throw new Error(`${MODULE} ${version} has no discovery document of ${api}.`);
  const document: Discovery = JSON.parse(readFileSync(join(folder, api, file), 'utf8'));
  documents.set(api, document);
  return document;
}

/** Looks up a schema of an API by name, and records that rules read it. */
function take(api: string, name: string): GoogleSchema | null {
  const schema = schemaAt(api, name);
  if (schema?.properties === undefined) return null;
  const own = read.get(api) ?? new Map<string, GoogleSchema>();
  read.set(api, own);
  const taken = own.get(name) ?? outline(name, schema.properties);
  own.set(name, taken);
  return taken;
}

/** Objects without a named schema are named after the member that contains them: `Bucket.logging`. */
function schemaAt(api: string, name: string): Schema | undefined {
  const [first = '', ...members] = name.split('.');
  return members.reduce<Schema | undefined>((schema, member) => {
    const held = schema?.properties?.[member];
    return held?.items ?? held;
  }, documentOf(api).schemas[first]);
}

function outline(name: string, properties: Readonly<Record<string, Schema>>): GoogleSchema {
  const entries = Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    members: Object.fromEntries(
      entries.map(([member, schema]) => [member, heldBy(schema, `${name}.${member}`)]),
    ),
    deprecated: entries
      .filter(([, schema]) => schema.deprecated === true)
      .map(([member]) => member),
  };
}

function heldBy(schema: Schema, name: string): string {
  const held = schema.items ?? schema;
  if (held.$ref !== undefined) return held.$ref;
  if (held.additionalProperties !== undefined) return '*';
  return held.properties === undefined ? '' : name;
}

function tableOf(): GoogleFields {
  const apis = [...read.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([api, schemas]): [string, GoogleApi] => [
      api,
      {
        revision: documentOf(api).revision,
        schemas: Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      },
    ]);
  return { source: `${MODULE} ${version}`, apis: Object.fromEntries(apis) };
}
