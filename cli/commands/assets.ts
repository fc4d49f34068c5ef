import { styleText } from 'node:util';
import type { Asset, AssetDetails, Cspm } from '@cspm/sdk';
import type { Values } from '../arguments.ts';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { orMissingIn } from '../or-missing.ts';
import { writeOut } from '../output-file.ts';
import { COLOURS, findingLines, printable } from '../table.ts';
import { hasColours, type Terminal } from '../terminal.ts';
import { UsageError, unknownAction } from '../usage-error.ts';

const OPTIONS = {
  project: { kind: 'text', value: 'name', help: 'The project. Required.' },
  type: { kind: 'list', value: 'type', help: 'list: these types; show: the type of the asset.' },
  location: { kind: 'list', value: 'location', help: 'list: only assets at these locations.' },
  search: { kind: 'text', value: 'text', help: 'list: only assets whose name contains the text.' },
  'with-findings': { kind: 'switch', help: 'list: only assets with open findings.' },
  'without-findings': { kind: 'switch', help: 'list: only assets without open findings.' },
  format: { kind: 'text', words: ['table', 'json'], help: 'The output format. Default: table.' },
  ...CONNECTION_OPTIONS,
} as const;

type Given = Values<typeof OPTIONS>;

export const assets = command({
  name: 'assets',
  usage: 'cspm assets list|show --project <name> [<full resource name>] [--type <type>]',
  summary: 'Lists the assets of a project, or shows one with its findings and verdicts.',
  maxArguments: 2,
  options: OPTIONS,
  async run(given, terminal, [action = 'list', name]) {
    const { project } = given;
    if (action !== 'list' && action !== 'show') {
      throw unknownAction(action, ['list', 'show']);
    }
    if (project === undefined) throw new UsageError(`assets ${action} needs --project.`);
    if (action === 'list') {
      if (name !== undefined) throw new UsageError(`Unexpected argument "${name}".`);
      if (given['with-findings'] && given['without-findings']) {
        throw new UsageError('Use --with-findings or --without-findings.');
      }
      const cspm = await connect(given, terminal);
      await orMissingIn(
        { cspm, project },
        list(cspm, project, given, terminal),
        `The project ${project} has no inventory.`,
      );
      return EXIT.ok;
    }
    if (name === undefined) throw new UsageError('Missing argument: the full resource name.');
    if (given.type.length > 1) throw new UsageError('assets show takes one --type.');
    const [type] = given.type;
    const cspm = await connect(given, terminal);
    const asset = await orMissingIn(
      { cspm, project },
      cspm.assets.lookup({ project, name, ...(type !== undefined && { type }) }),
      `The inventory of ${project} has no ${type === undefined ? '' : `${type} `}asset "${name}". List them: cspm assets list --project ${project}`,
    );
    terminal.output.write(
      given.format === 'json' ? `${JSON.stringify(asset, null, 2)}\n` : text(asset, terminal),
    );
    return EXIT.ok;
  },
});

/** Writes each asset as it arrives: a project can have a million. JSON is one object a line. */
async function list(cspm: Cspm, project: string, given: Given, terminal: Terminal): Promise<void> {
  const filter = {
    type: [...given.type],
    location: [...given.location],
    ...(given.search !== undefined && { q: given.search }),
    ...(given['with-findings'] && { hasFindings: true }),
    ...(given['without-findings'] && { hasFindings: false }),
  };
  async function* lines() {
    for await (const asset of cspm.assets.list({ project, limit: 100, ...filter })) {
      yield given.format === 'json' ? `${JSON.stringify(asset)}\n` : line(asset, terminal);
    }
  }
  await writeOut(lines(), { file: undefined, stream: terminal.output });
}

function line({ name, type, location, ...found }: Asset, terminal: Terminal): string {
  const { openFindings, worstSeverity } = found;
  const counted = worstSeverity === null ? '-' : `${openFindings} ${worstSeverity.toUpperCase()}`;
  const shown = counted.padEnd(12);
  const coloured =
    hasColours(terminal) && worstSeverity !== null
      ? styleText(COLOURS[worstSeverity], shown, { validateStream: false })
      : shown;
  return `${coloured}  ${printable(type)}  ${location ?? '-'}  ${printable(name)}\n`;
}

function text(shown: AssetDetails, terminal: Terminal): string {
  const { name, type, location, inventory, asset, findings, scan, verdicts } = shown;
  const verdictLines = (verdicts ?? []).map(
    ({ ruleId, verdict, missing }) =>
      `  ${verdict.toUpperCase().padEnd(8)}${ruleId}${missing === null ? '' : `  (missing: ${printable(missing)})`}\n`,
  );
  return [
    `${printable(name)}\n`,
    `  type       ${printable(type)}\n`,
    `  location   ${location ?? 'unknown'}\n`,
    `  inventory  ${inventory.createdAt}\n`,
    `\nFindings: ${findings.length === 0 ? 'none' : findings.length}\n`,
    ...findings.map(({ id, severity, ruleId, message, status }) =>
      findingLines(
        { id, severity, ruleId, asset: name, message, note: status === 'open' ? '' : status },
        hasColours(terminal),
      ),
    ),
    `\nVerdicts of ${scan === null ? 'the last scan: none has completed' : `the scan of ${scan.createdAt}`}\n`,
    ...(scan !== null && verdicts === null ? ['  The scan did not evaluate this asset.\n'] : []),
    ...verdictLines,
    '\nData\n',
    asset === null
      ? '  Larger than 1 MiB or more than 10,000 values; not shown.\n'
      : `${printableJson(JSON.stringify(asset, null, 2))}\n`,
  ].join('');
}

/** Line feeds are those between members: within a text JSON escapes them. */
function printableJson(json: string): string {
  return json.split('\n').map(printable).join('\n');
}
