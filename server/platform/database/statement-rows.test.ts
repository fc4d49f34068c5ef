import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import {
  type DescribedColumn,
  describeStatement,
  findStatementCalls,
  rowFaults,
  type StatementCall,
} from '../../../tests/kit/statements.ts';
import { assetsQuery } from '../../modules/assets/list.ts';
import { matchesQuery } from '../../modules/findings/bulk-mutes.ts';
import { countQuery } from '../../modules/findings/compare-counts.ts';
import { blockQuery } from '../../modules/findings/compare-page.ts';
import { EXPIRING } from '../../modules/findings/expiring-mutes.ts';
import { exportStatement } from '../../modules/findings/export-page.ts';
import { type FindingSort, pageOfScan, pageOfTenant } from '../../modules/findings/finding-page.ts';
import { type GroupPosition, groupsQuery } from '../../modules/findings/groups.ts';
import { mutedQuery } from '../../modules/findings/muted-in-scan.ts';
import { findingsStatement, pageOfIds } from '../../modules/findings/queries.ts';
import { summaryQuery } from '../../modules/findings/summary.ts';

/** Calls that are not checked: all of a file, or those whose text begins with the given string. */
const EXEMPT: readonly { file: string; text?: string; reason: string }[] = [
  ...['changes', 'copied-rows', 'copy', 'move-context', 'move-tenant', 'queue', 'verify'].map(
    (name) => ({
      file: `server/administration/cells/${name}.ts`,
      reason: 'composed from the catalogue, for every table of tenants; tested by moves',
    }),
  ),
  ...['delete-tenant', 'deletion-context'].map((name) => ({
    file: `server/administration/deletion/${name}.ts`,
    reason: 'composed from the catalogue, for every table of tenants; tested by deletions',
  })),
  ...['cell-connection', 'directory'].map((name) => ({
    file: `server/platform/cells/${name}.ts`,
    reason: 'sends the statements of its callers',
  })),
  {
    file: 'server/platform/cells/guards.ts',
    reason: 'creates triggers on tables of the catalogue',
  },
  ...['joined-query', 'tenant-database', 'transaction'].map((name) => ({
    file: `server/platform/database/${name}.ts`,
    reason: 'sends the statements of its callers',
  })),
  { file: 'server/platform/database/migrate.ts', reason: 'runs the files of the migrations' },
  { file: 'server/development/embedded-test-harness.ts', reason: 'sends the statements of tests' },
  {
    file: 'server/modules/findings/record.ts',
    text: 'FETCH',
    reason: 'Postgres describes a FETCH only with its cursor open',
  },
];

/** Nullable columns of rows that the statement restricts to non-null values. */
const NEVER_NULL: readonly { file: string; column: string; reason: string }[] = [
  {
    file: 'server/administration/reseal-authenticators.ts',
    column: 'secret',
    reason: 'WHERE totp_secret IS NOT NULL',
  },
  {
    file: 'server/modules/inventories/chunks.ts',
    column: 'data',
    reason: 'WHERE landmarks IS NOT NULL',
  },
  {
    file: 'server/modules/notifications/queries.ts',
    column: 'due_at',
    reason: 'WHERE due_at <= $3',
  },
  {
    file: 'server/modules/scans/scan-begin.ts',
    column: 'started_at',
    reason: "set with status = 'running'",
  },
  {
    file: 'server/modules/scans/scan-begin.ts',
    column: 'inventory_id',
    reason: "set with status = 'running'",
  },
];

const GROUP = { rank: 1, open: 1, key: '' };
const SCAN = { id: '', at: new Date(0) };
const COMPARISON = { later: SCAN, earlier: SCAN, projects: [] };
const ROW_FILTERS = { q: '', assetType: [''], delta: [''], since: '' };

const ASSET_FILTERS = { type: [''], q: '', location: [''] };
const ASSETS = { projectId: '', inventoryId: '' };
const ASSET_PAGE = { after: { name: '', type: '' }, limit: 25 };

/** Statements that are put together at run time: one text of each form. */
const RUN_TIME_TEXTS: Readonly<Record<string, readonly string[]>> = {
  'server/modules/assets/list.ts': [
    assetsQuery('', ASSETS, {}, { after: null, limit: 25 }).statement.text,
    assetsQuery('', ASSETS, { ...ASSET_FILTERS, hasFindings: false }, ASSET_PAGE).statement.text,
    assetsQuery('', ASSETS, { ...ASSET_FILTERS, hasFindings: true }, ASSET_PAGE).statement.text,
  ],
  'server/modules/findings/expiring-mutes.ts': [EXPIRING.text],
  'server/modules/findings/queries.ts': [
    pageOfTenant('', {}, page()),
    pageOfTenant('', { muted: true, rule: [''] }, page()),
    pageOfTenant('', { muted: false, rule: [''], severity: [''] }, page()),
    pageOfTenant('', { project: [''], severity: [''], status: [''], rule: [''] }, page()),
    pageOfTenant('', { project: [''], rule: [''], ...ROW_FILTERS }, page('severity')),
    pageOfTenant('', { muted: true, severity: [''], ...ROW_FILTERS }, page('severity')),
    pageOfTenant('', { asset: '', muted: false }, page('lastSeen')),
    pageOfScan('', SCAN, { muted: true, project: [''] }, page()),
    pageOfScan('', SCAN, { ...ROW_FILTERS, asset: '' }, page('severity')),
    pageOfIds('', [''], new Date(0)),
  ].map((query) => findingsStatement(query).text),
  'server/modules/findings/export-page.ts': [
    pageOfTenant('', {}, page()),
    pageOfTenant('', { muted: true, rule: [''] }, page()),
    pageOfScan('', SCAN, { ...ROW_FILTERS, project: [''] }, page()),
  ].map((query) => exportStatement(query).text),
  'server/modules/findings/compare-page.ts': [
    blockQuery('', COMPARISON, { q: '' }, { before: null, size: 1_000, limit: 1 }).statement.text,
  ],
  'server/modules/findings/compare-counts.ts': [
    countQuery('', COMPARISON, { rule: [''] }).statement.text,
  ],
  'server/modules/findings/bulk-mutes.ts': [
    matchesQuery('', { ...ROW_FILTERS, muted: false }, null, new Date(0)).statement.text,
    matchesQuery('', { muted: true, project: [''] }, SCAN, new Date(0)).statement.text,
  ],
  'server/modules/findings/groups.ts': [
    groupsQuery('', 'rule', {}, null, groupPage(null)).statement.text,
    groupsQuery('', 'asset', ROW_FILTERS, SCAN, groupPage(GROUP)).statement.text,
    groupsQuery('', 'project', { muted: false }, null, groupPage(GROUP)).statement.text,
  ],
  'server/modules/findings/muted-in-scan.ts': [
    mutedQuery('', SCAN, { delta: [''], limit: 1, now: new Date(0) }).statement.text,
  ],
  'server/modules/findings/summary.ts': [null, SCAN].map(
    (scan) => summaryQuery('', ROW_FILTERS, scan, new Date(0)).statement.text,
  ),
};

function page(sort: FindingSort = 'newest') {
  const after = { id: '', key: 'high' };
  return { sort, after, limit: 25, now: new Date(0) };
}

function groupPage(after: GroupPosition | null) {
  return { after, limit: 25, now: new Date(0) };
}

describe('the row type that a hand-written statement declares', () => {
  let database: TestDatabase;
  let calls: StatementCall[];

  beforeAll(async () => {
    database = await cloneDatabase();
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    calls = findStatementCalls(root, (path) => !/\.test\.ts$|\/(testing|generated)\//.test(path));
  });
  afterAll(() => database.drop());

  it('the row type that a hand-written statement declares has the columns that Postgres describes, with their types', async () => {
    const faults: string[] = [];
    for (const call of calls) {
      if (isExempt(call)) continue;
      const texts = call.text === null ? RUN_TIME_TEXTS[fileOf(call)] : [call.text];
      if (texts === undefined) {
        faults.push(
          `${call.place}: the text is no constant; make it one, or add texts of it to RUN_TIME_TEXTS`,
        );
      }
      for (const text of texts ?? []) faults.push(...(await faultsOf(call, text)));
    }
    expect(faults).toEqual([]);
  });

  it('an exemption from the comparison of row types is allowed only where it is used', () => {
    const unused = EXEMPT.filter((exemption) => !calls.some((call) => fits(exemption, call)));
    expect(unused).toEqual([]);
    const files = new Set(calls.map(fileOf));
    expect([...NEVER_NULL, ...Object.keys(RUN_TIME_TEXTS).map((file) => ({ file }))]).toSatisfy(
      (named: { file: string }[]) => named.every(({ file }) => files.has(file)),
    );
  });

  it.each([
    [
      'a missing column',
      new Map([['id', text('string')]]),
      'the row type lacks the column name (text)',
    ],
    [
      'a column too many',
      new Map([
        ['id', text('string')],
        ['name', text('string')],
        ['size', text('number')],
      ]),
      'the statement does not return the declared column size',
    ],
    [
      'a wrong type',
      new Map([
        ['id', text('number')],
        ['name', text('string')],
      ]),
      'column id is declared as number, and is uuid in Postgres',
    ],
    [
      'a null that is not declared',
      new Map([
        ['id', text('string')],
        ['name', text('string')],
        ['description', text('string')],
      ]),
      'column description is declared as string, and is text | null in Postgres',
    ],
  ] as const)('a declared row type is refused for %s', async (_, row, message) => {
    const columns = row.has('description') ? 'id, name, description' : 'id, name';
    const described = await describeStatement(database.owner, `SELECT ${columns} FROM projects`);
    const call = { place: 'rows.ts:1', text: '', row, untypedRowsAreAny: false };
    expect(rowFaults(call, described)).toEqual([`rows.ts:1: ${message}`]);
  });

  async function faultsOf(call: StatementCall, text: string): Promise<string[]> {
    let columns: DescribedColumn[];
    try {
      columns = await describeStatement(database.owner, text);
    } catch (error) {
      return [`${call.place}: ${String(error)}`];
    }
    const known = NEVER_NULL.filter(({ file }) => file === fileOf(call));
    const described = columns.map((column) =>
      known.some((one) => one.column === column.name) ? { ...column, nullable: false } : column,
    );
    return rowFaults(call, described);
  }
});

function text(kind: 'string' | 'number') {
  return { type: kind, kinds: [kind], nullable: false };
}

function fileOf({ place }: StatementCall): string {
  return place.replace(/:\d+$/, '');
}

function isExempt(call: StatementCall): boolean {
  return EXEMPT.some((exemption) => fits(exemption, call));
}

function fits(exemption: { file: string; text?: string }, call: StatementCall): boolean {
  if (exemption.file !== fileOf(call)) return false;
  return exemption.text === undefined || call.text?.trimStart().startsWith(exemption.text) === true;
}
