import type { ComparedFinding, Cspm, ScanComparison } from '@cspm/sdk';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { orMissingScan } from '../or-missing.ts';
import { writeOut } from '../output-file.ts';
import { SEVERITIES } from '../severity.ts';
import { findingLines, printable } from '../table.ts';
import { hasColours } from '../terminal.ts';
import { UsageError, unknownAction } from '../usage-error.ts';

const CHANGES = ['new', 'reopened', 'resolved', 'unchanged'] as const;

const COMPARISON_FORMATS = ['table', 'json'] as const;
const REPORT_FORMATS = ['html', 'pdf', 'csv'] as const;

/** The largest page. */
const PAGE = 500;

export const scans = command({
  name: 'scans',
  usage:
    'cspm scans compare <id> --with <earlier id> [--change new,resolved] [--format table]\n' +
    '       cspm scans report <id> [--format pdf] [--framework cis-gcp-4.0] [--output report.pdf]',
  summary: 'Compares a scan with an earlier one of the same projects, or writes a report of it.',
  maxArguments: 2,
  options: {
    with: { kind: 'text', value: 'id', help: 'The earlier scan.' },
    change: {
      kind: 'list',
      words: CHANGES,
      help: 'Only these changes. Default: new, reopened and resolved.',
    },
    severity: { kind: 'list', words: SEVERITIES, help: 'Only these severities.' },
    project: { kind: 'list', value: 'name', help: 'Only findings of these projects.' },
    rule: { kind: 'list', value: 'id', help: 'Only findings of these rules.' },
    framework: {
      kind: 'text',
      value: 'id',
      help: 'The benchmark of a report. Default: cis-gcp-4.0.',
    },
    format: {
      kind: 'text',
      words: [...COMPARISON_FORMATS, ...REPORT_FORMATS],
      help: 'table (default) or json of a comparison; html (default), pdf or csv of a report.',
    },
    output: { kind: 'text', value: 'file', help: 'The output file. Default: standard output.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal, [action, id]) {
    if (action !== 'compare' && action !== 'report') {
      throw unknownAction(action ?? '', ['compare', 'report']);
    }
    if (id === undefined) throw new UsageError(`Name the scan to ${action}.`);
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
    const format = chosen(COMPARISON_FORMATS, values.format, 'table');
    const cspm = await connect(values, terminal);
    const asked = {
      id,
      with: values.with,
      change: values.change.length > 0 ? words(CHANGES, values.change) : CHANGES.slice(0, -1),
      severity: words(SEVERITIES, values.severity),
      project: [...values.project],
      rule: [...values.rule],
    };
    const colours = hasColours(terminal) && values.output === undefined;
    const text = format === 'json' ? jsonOf(cspm, asked) : linesOf(cspm, asked, colours);
    await orMissingScan({ cspm, scans: [id, values.with] }, writeOut(text, to));
    return EXIT.ok;
  },
});

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

async function* pagesOf(cspm: Cspm, asked: Asked): AsyncGenerator<ScanComparison> {
  let cursor: string | undefined;
  do {
    const page = await cspm.scans.compare({ ...asked, cursor, limit: PAGE });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The first page, with the items of all pages. */
async function* jsonOf(cspm: Cspm, asked: Asked): AsyncGenerator<string> {
  let begun = false;
  for await (const { items, nextCursor: _, ...rest } of pagesOf(cspm, asked)) {
    if (!begun) yield `${JSON.stringify(rest).slice(0, -1)},"items":[`;
    for (const item of items) {
      yield `${begun ? ',' : ''}\n${JSON.stringify(item)}`;
      begun = true;
    }
    begun = true;
  }
  yield ']}\n';
}

async function* linesOf(cspm: Cspm, asked: Asked, colours: boolean): AsyncGenerator<string> {
  for await (const { counts, items, projects } of pagesOf(cspm, asked)) {
    if (counts !== null) {
      const told = CHANGES.map((change) => `${counts[change].total} ${change}`).join(', ');
      yield `${projects.map(printable).join(', ')}: ${told}\n`;
    }
    yield items.map((item) => lineOf(item, colours)).join('');
  }
}

function lineOf({ change, finding }: ComparedFinding, colours: boolean): string {
  const { severity, ruleId, asset, message } = finding;
  return findingLines({ severity, ruleId, asset: asset.name, message, note: change }, colours);
}
