import { fileURLToPath } from 'node:url';
import { contract } from '@cspm/contract';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { generateOpenApi } from '../tools/generate/openapi.ts';
import { generateOpenApiTypes } from '../tools/generate/openapi-types.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEST = fileURLToPath(new URL('types.test-d.ts', import.meta.url));
const GENERATED = fileURLToPath(new URL('types.gen.ts', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: a document is changed here in ways that its type forbids
type Document = any;

/** One slip of each kind, each in another operation, and where it has to be seen. */
const SLIPS: Record<string, (document: Document) => void> = {
  'scansGet path': ({ paths }) => {
    paths['/scans/{id}'].get.parameters[0].schema = { type: 'integer' };
  },
  'findingsSummary query': ({ paths }) => {
    paths['/findings/summary'].get.parameters[0].required = true;
  },
  'rulesList query': ({ paths }) => {
    paths['/rules'].get.parameters.shift();
  },
  'projectsCreate body': ({ paths }) => {
    const { schema } = paths['/projects'].post.requestBody.content['application/json'];
    schema.required.push('description');
  },
  'usersUpdate body': ({ components }) => {
    components.schemas.UsersUpdateBody.properties.nickname = { type: 'string' };
  },
  'twoFactorSetup 200': ({ components }) => {
    delete components.schemas.TwoFactorSetup.properties.otpauthUri;
    components.schemas.TwoFactorSetup.required = ['secret'];
  },
  'preflightRun 200': ({ components }) => {
    components.schemas.Preflight.properties.decision.enum.push('perhaps');
  },
  'tenantGet 200': ({ paths }) => {
    const content = paths['/tenant'].get.responses['200'].content['application/json'];
    content.schema = { type: 'array', items: content.schema };
  },
  'mutesDelete 204': ({ paths }) => {
    paths['/mutes/{id}'].delete.responses['204'].content = {
      'application/json': { schema: { type: 'string' } },
    };
  },
  'metaLive is not documented': ({ paths }) => {
    paths['/health/live'].get.operationId = 'metaAlive';
  },
  'metaAlive is no operation of the contract': () => {},
};

test('the type checker refuses a document with one error in any place, and names the place', async () => {
  const document: Document = structuredClone(generateOpenApi(contract, '1'));
  for (const slip of Object.values(SLIPS)) slip(document);
  const complaints = check(await generateOpenApiTypes(document));
  expect(complaints).toHaveLength(1);
  const places = [...(complaints[0] ?? '').matchAll(/differs: ([^"]+)"/g)].map(
    ([, place]) => place,
  );
  expect(places.toSorted()).toEqual(Object.keys(SLIPS).toSorted());
}, 300_000);

/** Checks the type test against other types than the committed ones. */
function check(types: string): string[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const lean = { ...options, types: [], noErrorTruncation: true };
  const host = ts.createCompilerHost(lean);
  const read = host.getSourceFile;
  host.getSourceFile = (file, ...how) =>
    file === GENERATED
      ? ts.createSourceFile(file, types, ts.ScriptTarget.ES2023)
      : read(file, ...how);
  const program = ts.createProgram([TEST], lean, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(TEST))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
