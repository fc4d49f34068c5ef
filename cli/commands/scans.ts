import type { ComparedFinding, Cspm, Scan, ScanStatus } from '@cspm/sdk';
import type { Values } from '../arguments.ts';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { checkFilters } from '../known-filters.ts';
import { orMissingScan } from '../or-missing.ts';
import { writeOut } from '../output-file.ts';
import { SEVERITIES } from '../severity.ts';
import { findingLines, printable, rowOf } from '../table.ts';
import { hasColours, say, type Terminal } from '../terminal.ts';
import { UsageError, unknownAction } from '../usage-error.ts';

const CHANGES = ['new', 'reopened', 'resolved', 'unchanged'] as const;

const TABLE_FORMATS = ['table', 'json'] as const;
const REPORT_FORMATS = ['html', 'pdf', 'csv'] as const;

const STATUSES = [
  'queued',
  'running',
  'completed',
  'partial',
  'failed',
  'cancelled',
] as const satisfies readonly ScanStatus[];

/** The largest page of a comparison, and of the list of scans. */
const PAGE = 500;
const SCANS_PAGE = 100;

const LIMIT_DEFAULT = 25;

const OPTIONS = {
  with: { kind: 'text', value: 'id', help: 'compare: the earlier scan.' },
  change: {
    kind: 'list',
    words: CHANGES,
    help: 'compare: only these changes. Default: new, reopened and resolved.',
  },
  severity: { kind: 'list', words: SEVERITIES, help: 'compare: only these severities.' },
  project: {
    kind: 'list',
    value: 'name',
    help: 'list: only scans of these projects; compare: only findings of these projects.',
  },
  rule: { kind: 'list', value: 'id', help: 'compare: only findings of these rules.' },
  status: { kind: 'list', words: STATUSES, help: 'list: only scans with these statuses.' },
  limit: {
    kind: 'text',
    value: 'number',
    help: `list: at most this many scans. Default: ${LIMIT_DEFAULT}.`,
  },
  framework: {
    kind: 'text',
    value: 'id',
    help: 'report: the benchmark. Default: cis-gcp-4.0.',
  },
  format: {
    kind: 'text',
    words: [...TABLE_FORMATS, ...REPORT_FORMATS],
    help: 'list, compare: table (default) or json; report: html (default), pdf or csv.',
  },
  output: { kind: 'text', value: 'file', help: 'The output file. Default: standard output.' },
  ...CONNECTION_OPTIONS,
} as const;

type Given = Values<typeof OPTIONS>;

export const scans = command({
  name: 'scans',
  usage:
    'cspm scans compare <id> --with <earlier id> [--change new,resolved] [--format table]\n' +
    '       cspm scans report <id> [--format pdf] [--framework cis-gcp-4.0] [--output report.pdf]\n' +
    '       cspm scans list [--project <name>] [--status completed] [--limit 25]',
  summary: 'Lists scans, compares a scan with an earlier one, or writes a report of a scan.',
  maxArguments: 2,
  options: OPTIONS,
  async run(values, terminal, [action, id]) {
    if (action !== 'list' && action !== 'compare' && action !== 'report') {
      throw unknownAction(action ?? '', ['list', 'compare', 'report']);
    }
    if (action === 'list') {
      if (id !== undefined) throw new UsageError(`Unexpected argument "${id}".`);
      await list(values, terminal);
      return EXIT.ok;
    }
    if (id === undefined) throw new UsageError('Missing argument: the scan id.');
    const to = { file: values.output, stream: terminal.output };
    if (action === 'report') {
      const format = chosen(REPORT_FORMATS, values.format, 'html');
      const { framework } = values;
      if (format === 'pdf' && values.output === undefined && terminal.isTerminal.output) {
        throw new UsageError('--output is missing: a terminal cannot show a PDF.');
      }
      const cspm = await connect(values, terminal);
      const asked = { id, format, ...(framework !== undefined && { framework }) };
      const writing = writeOut(cspm.scans.report(asked as ReportInput), to);
      await orMissingScan({ cspm, scans: [id] }, writing);
      return EXIT.ok;
    }
    if (values.with === undefined) throw new UsageError('--with is missing: the earlier scan.');
    const format = chosen(TABLE_FORMATS, values.format, 'table');
    const cspm = await connect(values, terminal);
    const asked = {
      id,
      with: values.with,
      change: values.change.length > 0 ? words(CHANGES, values.change) : CHANGES.slice(0, -1),
      severity: words(SEVERITIES, values.severity),
      project: [...values.project],
      rule: [...values.rule],
      limit: PAGE,
    };
    const colours = hasColours(terminal) && values.output === undefined;
    const text = format === 'json' ? jsonOf(cspm, asked) : linesOf(cspm, asked, colours);
    await orMissingScan({ cspm, scans: [id, values.with] }, writeOut(text, to));
    return EXIT.ok;
  },
});

/** Prints the newest scans. */
async function list(given: Given, terminal: Terminal): Promise<void> {
  const format = chosen(TABLE_FORMATS, given.format, 'table');
  const limit = limitOf(given.limit);
  const cspm = await connect(given, terminal);
  await checkFilters(cspm, { project: given.project, rule: [], scan: undefined });
  const asked = { project: [...given.project], status: words(STATUSES, given.status) };
  const found: Scan[] = [];
  for await (const scan of cspm.scans.list({ ...asked, limit: Math.min(limit, SCANS_PAGE) })) {
    found.push(scan);
    if (found.length === limit) break;
  }
  async function* text() {
    yield format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : found.map(scanLine).join('');
  }
  await writeOut(text(), { file: given.output, stream: terminal.output });
  if (found.length === 0) say(terminal, 'No scan matches.');
}

/** @throws {UsageError} for anything but a whole number from 1 */
function limitOf(value: string | undefined): number {
  const limit = Number(value ?? LIMIT_DEFAULT);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new UsageError('--limit must be a whole number from 1.');
}

function scanLine({ id, createdAt, status, profile, projects, totals }: Scan): string {
  const names = projects.map(({ name }) => name).join(', ');
  return `${createdAt}  ${status.padEnd(9)}  ${printable(`${id}  ${names}  ${profile}`)}  ${totals.fail} failed\n`;
}

/** The service knows the frameworks, and refuses others. */
type ReportInput = Parameters<Cspm['scans']['report']>[0];

/** The format that was given, if the action has it. */
function chosen<const Word extends string>(
  known: readonly Word[],
  given: string | undefined,
  byDefault: Word,
): Word {
  const found = given === undefined ? byDefault : known.find((word) => word === given);
  if (found === undefined) throw new UsageError(`--format must be one of ${known.join(', ')}.`);
  return found;
}

type Asked = Parameters<Cspm['scans']['compare']>[0];

function words<const Word extends string>(known: readonly Word[], given: readonly string[]) {
  return known.filter((word) => given.includes(word));
}

/** The first page, with the items of all pages. */
async function* jsonOf(cspm: Cspm, asked: Asked): AsyncGenerator<string> {
  let isBegun = false;
  let comma = '';
  for await (const { items, nextCursor: _, ...rest } of cspm.scans.compare(asked).pages()) {
    if (!isBegun) yield `${JSON.stringify(rest).slice(0, -1)},"items":[`;
    isBegun = true;
    for (const item of items) {
      yield `${comma}\n${JSON.stringify(item)}`;
      // A page can be empty.
      comma = ',';
    }
  }
  yield ']}\n';
}

async function* linesOf(cspm: Cspm, asked: Asked, colours: boolean): AsyncGenerator<string> {
  for await (const { counts, items, projects } of cspm.scans.compare(asked).pages()) {
    if (counts !== null) {
      const told = CHANGES.map((change) => `${counts[change].total} ${change}`).join(', ');
      yield `${projects.map(printable).join(', ')}: ${told}\n`;
    }
    yield items.map((item) => lineOf(item, colours)).join('');
  }
}

function lineOf({ change, finding }: ComparedFinding, colours: boolean): string {
  return findingLines({ ...rowOf(finding), note: change }, colours);
}
