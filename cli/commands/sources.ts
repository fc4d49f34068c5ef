import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseParent, parseServiceAccountEmail } from '@cspm/google-cloud';
import type { Cspm, ProjectSource, Pull } from '@cspm/sdk';
import type { Values } from '../arguments.ts';
import { cannotRead } from '../cannot-read.ts';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { orMissingIn } from '../or-missing.ts';
import { ProgressBar } from '../progress.ts';
import { printable } from '../table.ts';
import { say, type Terminal } from '../terminal.ts';
import { InputError, UsageError, unknownAction } from '../usage-error.ts';

const OPTIONS = {
  parent: {
    kind: 'text',
    value: 'parent',
    help: 'set: projects/<id or number>, folders/<number> or organizations/<number>.',
  },
  'key-file': {
    kind: 'text',
    value: 'file',
    help: 'set: the JSON key file of a service account. The service stores it encrypted.',
  },
  'service-account': {
    kind: 'text',
    value: 'e-mail',
    help: 'set: the service account that the service impersonates, instead of a key.',
  },
  'no-wait': { kind: 'switch', help: 'pull: do not wait for the end of the pull.' },
  format: { kind: 'text', words: ['table', 'json'], help: 'The output format. Default: table.' },
  ...CONNECTION_OPTIONS,
} as const;

interface Invocation {
  readonly cspm: Cspm;
  readonly given: Values<typeof OPTIONS>;
  /** The name of the project. */
  readonly name: string;
  readonly terminal: Terminal;
}

type Action = (invocation: Invocation) => Promise<ExitCode>;

/** A key file has about 2 kB. */
const KEY_FILE_MAX = 64 * 1024;
/** How long `pull` waits between two looks at the pull: short at first, and longer with each look. */
const POLL_MS = { first: 500, growth: 1.5, longest: 10_000 };

const ACTIONS: Readonly<Record<string, Action>> = {
  async show(invocation) {
    return printSource(invocation, await invocation.cspm.sources.get({ name: invocation.name }));
  },

  async set(invocation) {
    const { cspm, given, name } = invocation;
    const { parent, 'key-file': keyFile, 'service-account': serviceAccount } = given;
    if (parent === undefined || (keyFile === undefined) === (serviceAccount === undefined)) {
      throw new UsageError('sources set needs --parent, and --key-file or --service-account.');
    }
    // Here, so that they exit with 2 like other wrong arguments. The service checks the rest.
    parseParent(parent);
    if (serviceAccount !== undefined) parseServiceAccountEmail(serviceAccount);
    const credential =
      serviceAccount === undefined
        ? { type: 'service_account_key' as const, key: await readKeyFile(keyFile ?? '') }
        : { type: 'impersonation' as const, serviceAccount };
    const source = await cspm.sources.set({ name, kind: 'google-cloud', parent, credential });
    return printSource(invocation, source);
  },

  async check({ cspm, given, name, terminal }) {
    const report = await cspm.sources.check({ name });
    if (given.format === 'json') printJson(terminal, report);
    else {
      for (const { name: what, ok, detail, remedy } of report.checks) {
        terminal.output.write(`${ok ? 'pass' : 'FAIL'}  ${what}\n      ${printable(detail)}\n`);
        if (remedy !== '') terminal.output.write(`      ${printable(remedy)}\n`);
      }
    }
    return report.ok ? EXIT.ok : EXIT.incomplete;
  },

  async pull(invocation) {
    const { cspm, given, name, terminal } = invocation;
    let pull = await cspm.pulls.start({ name });
    const bar = new ProgressBar(terminal);
    try {
      let pauseMs = POLL_MS.first;
      while (!given['no-wait'] && pull.finishedAt === null) {
        bar.draw(null, `${pull.status}: ${pull.pages} pages, ${pull.records} records`);
        await delay(pauseMs, undefined, { signal: terminal.interrupted });
        pull = await cspm.pulls.get({ name, id: pull.id });
        pauseMs = Math.min(pauseMs * POLL_MS.growth, POLL_MS.longest);
      }
    } catch (error) {
      bar.end();
      if (terminal.interrupted.aborted) {
        say(
          terminal,
          `The service continues the pull ${pull.id}. See it: cspm sources pulls ${name}`,
        );
      }
      throw error;
    } finally {
      bar.end();
    }
    printPulls(invocation, pull, [pull]);
    return ['failed', 'partial'].includes(pull.status) ? EXIT.incomplete : EXIT.ok;
  },

  async pulls(invocation) {
    const found: Pull[] = [];
    for await (const pull of invocation.cspm.pulls.list({ name: invocation.name, limit: 100 })) {
      found.push(pull);
    }
    if (found.length === 0) say(invocation.terminal, 'There are no pulls.');
    printPulls(invocation, found, found);
    return EXIT.ok;
  },

  async delete({ cspm, name, terminal }) {
    await cspm.sources.delete({ name });
    say(terminal, 'Deleted the source.');
    return EXIT.ok;
  },
};

export const sources = command({
  name: 'sources',
  usage:
    'cspm sources show|set|check|pull|pulls|delete <project> [--parent projects/<id> --key-file key.json]',
  summary: 'Sets where the service pulls the inventory of a project from, and starts pulls.',
  maxArguments: 2,
  options: OPTIONS,
  async run(values, terminal, [name = '', project]) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw unknownAction(name, Object.keys(ACTIONS));
    }
    if (project === undefined) throw new UsageError('Missing argument: the project name.');
    const cspm = await connect(values, terminal);
    return orMissingIn(
      { cspm, project },
      action({ cspm, given: values, name: project, terminal }),
      `Project ${project} has no source. Set one: cspm sources set ${project} --parent projects/<id> --key-file key.json`,
    );
  },
});

/** @throws {InputError} that never quotes the file, as the message of JSON.parse would */
async function readKeyFile(file: string): Promise<Record<string, never>> {
  const content = parsed(await keyFileText(file));
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new InputError(
      `--key-file: ${file} is not a JSON object. Give the key file of a service account, as gcloud iam service-accounts keys create writes it.`,
    );
  }
  // The service checks what is in it.
  return content as Record<string, never>;
}

async function keyFileText(file: string): Promise<string> {
  let size: number;
  try {
    ({ size } = await stat(file));
    if (size <= KEY_FILE_MAX) return await readFile(file, 'utf8');
  } catch (error) {
    throw cannotRead('--key-file', file, error);
  }
  throw new InputError(
    `--key-file: ${file} has ${size} bytes. A key file has at most ${KEY_FILE_MAX}.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function printSource({ given, terminal }: Invocation, source: ProjectSource): ExitCode {
  if (given.format === 'json') {
    printJson(terminal, source);
    return EXIT.ok;
  }
  const { parent, principal, credentialType, createdBy, createdAt, lastPull } = source;
  const last =
    lastPull === null
      ? 'never'
      : `${lastPull.at} ${lastPull.status}${lastPull.assets === null ? '' : `, ${lastPull.assets} assets`}`;
  printRows(terminal, [
    ['parent', parent],
    ['account', `${principal} (${credentialType})`],
    ['set', `${createdAt} by ${createdBy.label}`],
    ['last pull', last],
    ...(lastPull?.problem ? [['problem', lastPull.problem]] : []),
  ]);
  return EXIT.ok;
}

function printPulls({ given, terminal }: Invocation, json: unknown, pulls: readonly Pull[]): void {
  if (given.format === 'json') {
    printJson(terminal, json);
    return;
  }
  for (const { id, status, createdAt, pages, records, assets, seconds, ...pull } of pulls) {
    const took = seconds === null ? '' : ` in ${seconds} s`;
    printRows(terminal, [
      ['pull', id],
      ['status', `${status}, requested ${createdAt} by ${pull.createdBy.label}`],
      ['read', `${pages} pages, ${records} records${took}`],
      ...(assets === null ? [] : [['assets', String(assets)]]),
      ...pull.missing.map(({ permission, remedy }) => ['missing', `${permission}. ${remedy}`]),
      ...(pull.problem === null ? [] : [['problem', pull.problem]]),
    ]);
  }
}

function printJson(terminal: Terminal, value: unknown): void {
  terminal.output.write(`${JSON.stringify(value, null, 2)}\n`);
}

function printRows(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  const lines = rows.map(([label = '', text = '']) => `${label.padEnd(9)} ${printable(text)}`);
  terminal.output.write(`${lines.join('\n')}\n`);
}
