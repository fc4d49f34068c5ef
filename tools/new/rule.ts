import { RULES } from '../../scanner/rules/catalogue.ts';
import { MAPPINGS } from '../../scanner/terraform/mappings.ts';
import table from '../../scanner/testing/generated/google-fields.json' with { type: 'json' };
import { GOOGLE_SCHEMAS, type GoogleFields, lookUp } from '../../scanner/testing/google-schemas.ts';
import { MEMBER_ATTRIBUTES } from '../../scanner/testing/terraform-attributes.ts';
import { WITHOUT_ATTRIBUTE, WITHOUT_MAPPING } from '../../scanner/testing/terraform-exceptions.ts';
import { type Draft, FILL_IN, Misuse } from './draft.ts';
import { camel, constant, snake } from './names.ts';
import type { Options } from './options.ts';

const FIELDS: GoogleFields = table;
const ATTRIBUTES = 'scanner/testing/terraform-attributes.ts';
const SAMPLE = 'samples/shop-prod.test.ts';

/** A rule on one member of a resource: its file, its cases, and its rows in the tables that list rules. */
export function newRule(draft: Draft, id: string, options: Options): readonly string[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(id)) {
    throw new Misuse(
      `${id} is not a rule id. Write lower-case words joined by hyphens, the resource first: bucket-soft-delete.`,
    );
  }
  if (RULES.some((rule) => rule.id === id)) {
    throw new Misuse(`The rule ${id} already exists. Choose another id.`);
  }
  const type = typeOf(id, options.type);
  const member = memberOf(type, options.member);
  const files = { rule: `scanner/rules/${id}.ts`, cases: `scanner/rules/${id}.cases.ts` };
  draft.create(files.rule, ruleFile(id, type, member));
  draft.create(files.cases, casesFile(id, type, member));
  register(draft, id);
  addAttributes(draft, type, member);
  const row = `  '${id}': ['${FILL_IN}: the last segment of the name of each asset that fails'],\n`;
  draft.insert(SAMPLE, row, { before: rowAfter(draft.read(SAMPLE), id) });
  addChange(draft, id);
  const isKnown = member === null || isThere(type, member);
  return [
    ...(isKnown
      ? []
      : [
          'Run npm run google-fields (needs Go): the table of Google members does not reach this one.',
        ]),
    `${files.rule}: the condition and the texts. It now fails every ${type}.`,
    `${files.cases}: assets that pass and fail, and assets that the rule does not apply to.`,
    `samples/shop-prod.ndjson: an asset that passes and one that fails; ${SAMPLE}: the names of all that fail.`,
    'Run npm run generate, then npx vitest run scanner/ samples/',
    'Run npm run check. CHANGELOG.md has a line about the rule; extend it if there is more to say.',
  ];
}

/** The asset type of `--type`, or of the rules whose id begins with the same word. */
function typeOf(id: string, given: string | undefined): string {
  const word = `${id.split('-')[0]}-`;
  const neighbours = RULES.filter((rule) => rule.id.startsWith(word)).flatMap((rule) =>
    rule.assetTypes.slice(0, 1),
  );
  const counts = new Map<string, number>();
  for (const type of neighbours) counts.set(type, (counts.get(type) ?? 0) + 1);
  const [commonest] = [...counts].toSorted(([, a], [, b]) => b - a);
  const type = given ?? commonest?.[0];
  if (type === undefined) {
    throw new Misuse(
      `No rule begins with ${word}, so the asset type is not known. Add --type, for example --type storage.googleapis.com/Bucket.`,
    );
  }
  if (!Object.hasOwn(GOOGLE_SCHEMAS, type)) {
    throw new Misuse(
      `The members of ${type} are not known. Correct the type, or add it to scanner/testing/google-schemas.ts and run npm run google-fields (needs Go). Known types:\n${known()}`,
    );
  }
  const isMapped = Object.values(MAPPINGS).some(({ assetType }) => assetType === type);
  if (!isMapped && !Object.hasOwn(WITHOUT_MAPPING, type)) {
    throw new Misuse(
      `No Terraform resource is mapped to ${type}. Add one to scanner/terraform/, as management.ts has them, or a reason to scanner/testing/terraform-exceptions.ts.`,
    );
  }
  return type;
}

function known(): string {
  return Object.keys(GOOGLE_SCHEMAS)
    .filter((type) => type.includes('/'))
    .map((type) => `  ${type}`)
    .join('\n');
}

function schemaOf(api: string, name: string) {
  return FIELDS.apis[api]?.schemas[name] ?? null;
}

function memberOf(type: string, given: string | undefined): string | null {
  if (given === undefined) return null;
  const isPath = /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/.test(given);
  if (isPath && (isThere(type, given) || leadsOutside(type, given))) return given;
  const members = (GOOGLE_SCHEMAS[type] ?? []).flatMap((root) => {
    const [api = '', name = ''] = root.split('#');
    return Object.keys(schemaOf(api, name)?.members ?? {});
  });
  throw new Misuse(
    `${type} has no member ${given}. Correct --member; the members of the resource are ${[...new Set(members)].join(', ')}.`,
  );
}

function isThere(type: string, path: string): boolean {
  return (GOOGLE_SCHEMAS[type] ?? []).some((root) => lookUp(root, path, schemaOf) !== 'absent');
}

/** Whether the path goes through a schema that the table leaves out because no rule reads it yet. */
function leadsOutside(type: string, path: string): boolean {
  return (GOOGLE_SCHEMAS[type] ?? []).some((root) => {
    const [api = '', first = ''] = root.split('#');
    let name = first;
    for (const member of path.split('.')) {
      const schema = schemaOf(api, name);
      if (schema === null) return name !== '' && name !== '*';
      name = schema.members[member] ?? '';
    }
    return false;
  });
}

function citation(type: string): string {
  const [root = ''] = GOOGLE_SCHEMAS[type] ?? [];
  const api = root.split('#')[0] ?? '';
  return `Fields: ${api.replace('/', ' ')}, discovery revision ${FIELDS.apis[api]?.revision}.`;
}

function ruleFile(id: string, type: string, member: string | null): string {
  const path = (member ?? 'fillIn').split('.');
  const last = path.at(-1) ?? '';
  const parent = path
    .slice(0, -1)
    .reduce((parent, name) => `child(${parent}, '${name}')`, 'resource');
  const read = path.length === 1 ? `resource['${last}']` : `${parent}?.['${last}']`;
  const category = RULES.find((rule) => rule.assetTypes.includes(type))?.category ?? 'compute';
  const usesChild = path.length > 1 ? "import { child } from '../json.ts';\n" : '';
  return `import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
${usesChild}import { fail, PASS } from '../outcome.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * ${citation(type)}
 */

export const ${camel(id)} = resourceRule(
  {
    id: '${id}',
    title: '${FILL_IN}: what is wrong, without a full stop',
    severity: 'medium',
    category: '${category}',
    assetTypes: ['${type}'],
    description: '${FILL_IN}: why it matters, in one or two sentences.',
    remediation: '${FILL_IN}: how to correct it, with the gcloud command between backticks.',
    noFix: '${FILL_IN}: why no patch can repair the asset, without a capital letter or a full stop; or replace noFix by fix',
    compliance: NO_REQUIREMENT,
  },
  (resource) => {
    const setting = ${read};
    // ${FILL_IN}: the condition of a pass. NOT_APPLICABLE and unknown(…) are in ../outcome.ts.
    if (setting === '${FILL_IN}') return PASS;
    return fail({
      message: '${FILL_IN}: what is wrong with this asset.',
      evidence: [cite('${path.join('.')}', setting)],
    });
  },
);
`;
}

function casesFile(id: string, type: string, member: string | null): string {
  const data = (value: string) =>
    (member ?? 'fillIn').split('.').reduceRight((inner, name) => `{ ${name}: ${inner} }`, value);
  return `import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const resource = resourceCases('${type}');

export const ${constant(id)}_CASES: readonly RuleCases[] = [
  {
    rule: '${id}',
    pass: [resource.case('${FILL_IN}: an asset that passes', ${data('null')})],
    fail: [resource.case('an asset that does not mention it', {})],
    na: 'never',
    unknown: resource.unknown,
  },
];
`;
}

function register(draft: Draft, id: string): void {
  const catalogue = 'scanner/rules/catalogue.ts';
  draft.insert(catalogue, `import { ${camel(id)} } from './${id}.ts';\n`, {
    after: /^import .*\n/,
  });
  draft.insert(catalogue, `  ${camel(id)},\n`, { before: /^\]\.toSorted/m });
  const cases = 'scanner/rules/catalogue.cases.ts';
  draft.insert(cases, `import { ${constant(id)}_CASES } from './${id}.cases.ts';\n`, {
    after: /^import .*\n/,
  });
  draft.insert(cases, `  ...${constant(id)}_CASES,\n`, { before: /^\];/m });
}

/** A line in the part "Added" of the next release, which has groups in most releases. */
function addChange(draft: Draft, id: string): void {
  const file = 'CHANGELOG.md';
  const line = `- Rule \`${id}\`.\n`;
  const group = `#### Rules and verdicts\n\n`;
  const added = String.raw`^## Unreleased\n(?:(?!## ).*\n)*?### Added\n\n`;
  const places: readonly (readonly [after: RegExp, text: string])[] = [
    [new RegExp(String.raw`${added}(?:(?!#{1,3} ).*\n)*?${group}`, 'm'), line],
    [new RegExp(`${added}(?=- )`, 'm'), line],
    [new RegExp(added, 'm'), `${group}${line}\n`],
  ];
  const [after, text] = places.find(([place]) => place.test(draft.read(file))) ?? [
    /^## Unreleased\n\n(?:### Before you upgrade\n(?:(?!##).*\n)*)?/m,
    `### Added\n\n${group}${line}\n`,
  ];
  draft.insert(file, text, { after });
}

/** Terraform spells nearly every attribute as the API does, in snake case; `read-members.test.ts` tries each. */
function addAttributes(draft: Draft, type: string, member: string | null): void {
  if (member === null) return;
  const resources = Object.entries(MAPPINGS).filter(([, { assetType }]) => assetType === type);
  for (const [resource] of resources) {
    const isListed = [MEMBER_ATTRIBUTES, WITHOUT_ATTRIBUTE].some((table) =>
      Object.keys(table[resource] ?? {}).some(
        (name) => name === member || member.startsWith(`${name}.`),
      ),
    );
    if (isListed) continue;
    const row = `    '${member}': '${snake(member)}',\n`;
    if (Object.hasOwn(MEMBER_ATTRIBUTES, resource)) {
      draft.insert(ATTRIBUTES, row, { after: new RegExp(`^ {2}${resource}: \\{\\n`, 'm') });
    } else {
      draft.insert(ATTRIBUTES, `  ${resource}: {\n${row}  },\n`, { before: /^\};/m });
    }
  }
}

/** The row of the sample's table that comes after the id in alphabetical order, or the end of the table. */
function rowAfter(text: string, id: string): RegExp {
  const start = text.indexOf('const FAILURES');
  const rows = [
    ...text.slice(start, text.indexOf('\n};', start)).matchAll(/^ {2}'([a-z0-9-]+)':/gm),
  ];
  const next = rows.map(([, row = '']) => row).find((row) => row > id);
  return next === undefined ? /^\};/m : new RegExp(`^ {2}'${next}':`, 'm');
}
