import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { ApiError, type Cspm, type Scan } from '@cspm/sdk';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { FORMATS } from '../formats.ts';
import { scanLocally } from '../local-scan.ts';
import { writeOut } from '../output-file.ts';
import { ProgressBar } from '../progress.ts';
import { FAIL_ON, failsOn } from '../severity.ts';
import { findingLines, printable } from '../table.ts';
import { say, type Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export const scan = command({
  name: 'scan',
  usage: `cspm scan --project <name> [--inventory export.ndjson] [--profile full] [--fail-on high]
       cspm scan --local export.ndjson [--profile full] [--fail-on high]`,
  summary:
    'Scans a project on the service, or a file with no service at all, and prints what is wrong.',
  options: {
    project: { kind: 'text', value: 'name', help: 'What to scan.' },
    inventory: {
      kind: 'text',
      value: 'file',
      help: 'Upload this export first. It may be gzipped.',
    },
    create: { kind: 'switch', help: 'Make the project if it is not there.' },
    local: {
      kind: 'text',
      value: 'file',
      help: 'Scan this export here; nothing is sent anywhere.',
    },
    profile: { kind: 'text', value: 'name', help: 'Which rules. Default: full.' },
    rules: {
      kind: 'list',
      value: 'files',
      help: 'With --local: rules of your own besides, in CEL (YAML or JSON).',
    },
    'fail-on': {
      kind: 'text',
      words: FAIL_ON,
      help: 'End with 1 where a finding is that bad or worse. Default: high.',
    },
    'only-new': { kind: 'switch', help: 'Findings that were there before do not fail.' },
    format: { kind: 'text', words: FORMATS, help: 'Default: table.' },
    output: { kind: 'text', value: 'file', help: 'Where to write. Default: standard output.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal) {
    const { project, local } = values;
    if ((project === undefined) === (local === undefined)) {
      throw new UsageError('Give either --project, or --local with a file.');
    }
    const format = values.format ?? 'table';
    const threshold = values['fail-on'] ?? 'high';
    const out = { file: values.output, stream: terminal.output };
    if (local !== undefined) {
      if (values['only-new']) {
        throw new UsageError('--only-new needs the service: a file has no scan before it.');
      }
      const profile = values.profile ?? 'full';
      const { rules } = values;
      return scanLocally({ file: local, profile, rules, format, threshold, out }, terminal);
    }
    if (values.rules.length > 0) {
      throw new UsageError(
        '--rules is for --local: the service has the custom rules of your tenant.',
      );
    }
    const cspm = await connect(values, terminal);
    const name = project ?? '';
    if (values.create) await create(cspm, name);
    if (values.inventory !== undefined) await upload(cspm, name, values.inventory, terminal);
    const done = await launchAndWait(cspm, name, values.profile ?? 'full', terminal);
    const worst = await report(
      cspm,
      done,
      { format, threshold, onlyNew: values['only-new'], out },
      terminal,
    );
    return exitCodeOf(done, worst, terminal);
  },
});

async function create(cspm: Cspm, name: string): Promise<void> {
  await cspm.projects.create({ name }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error;
  });
}

async function upload(cspm: Cspm, name: string, file: string, terminal: Terminal): Promise<void> {
  await access(file, constants.R_OK).catch(() => {
    throw new UsageError(`--inventory: ${file} cannot be read.`);
  });
  const contentType = /\.json(\.gz)?$/.test(file) ? 'application/json' : 'application/x-ndjson';
  const bytes = createReadStream(file);
  const inventory = await cspm.projects.uploadInventory(
    { name, inventory: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes },
    { headers: { 'content-type': contentType }, signal: terminal.interrupted },
  );
  say(terminal, `Uploaded ${inventory.assets} assets of ${inventory.assetTypes.length} types.`);
  for (const { line, message } of inventory.warnings) {
    say(terminal, `  line ${line}: ${printable(message)}`);
  }
}

async function launchAndWait(cspm: Cspm, project: string, profile: string, terminal: Terminal) {
  const { id } = await cspm.scans.launch({ projects: [project], profile });
  const bar = new ProgressBar(terminal);
  try {
    return await cspm.scans.wait(id, {
      signal: terminal.interrupted,
      onProgress: ({ status, totals }) =>
        bar.draw(null, `${status}: ${totals.assets} assets, ${totals.fail} violations`),
    });
  } catch (error) {
    if (terminal.interrupted.aborted) await cspm.scans.cancel({ id }).catch(() => undefined);
    throw error;
  } finally {
    bar.end();
  }
}

interface Reporting {
  readonly format: string;
  readonly threshold: string;
  readonly onlyNew: boolean;
  readonly out: { readonly file: string | undefined; readonly stream: NodeJS.WritableStream };
}

/** Writes what the scan saw. @returns how many findings fail the pipeline */
async function report(cspm: Cspm, done: Scan, how: Reporting, terminal: Terminal): Promise<number> {
  const { format, threshold, onlyNew, out } = how;
  const seen = { scan: done.id, status: ['open' as const], muted: false };
  const colours = terminal.isInteractive && out.file === undefined;
  let failing = 0;
  async function* lines() {
    for await (const finding of cspm.findings.list({ ...seen, limit: 100 })) {
      const { severity, ruleId, asset, message, delta } = finding;
      const isOld = delta === 'unchanged';
      if (failsOn(severity, threshold) && !(onlyNew && isOld)) failing += 1;
      const row = { severity, ruleId, asset: asset.name, message, note: isOld ? '' : delta };
      yield findingLines(row, colours);
    }
  }
  const to = { file: out.file, stream: terminal.output };
  if (format === 'table') {
    await writeOut(lines(), to);
    return failing;
  }
  for await (const _line of lines());
  // All of them: what is muted is marked as such in the export, and reading it again is what mutes are for.
  await writeOut(cspm.findings.export({ scan: done.id, format: format as 'sarif' }), to);
  return failing;
}

function exitCodeOf(done: Scan, failing: number, terminal: Terminal): ExitCode {
  const { totals, delta, status } = done;
  say(
    terminal,
    `Scan ${status}: ${totals.assets} assets, ${totals.pass} passed, ${totals.fail} failed, ${totals.unknown} unknown; ${delta.new} new, ${delta.reopened} reopened, ${delta.resolved} resolved.`,
  );
  for (const { name, error } of done.projects) {
    if (error !== null) say(terminal, `${printable(name)}: ${printable(error)}`);
  }
  if (status !== 'completed') return EXIT.incomplete;
  return failing > 0 ? EXIT.findings : EXIT.ok;
}
