import type { Cspm, Schedule } from '@cspm/sdk';
import type { Values } from '../arguments.ts';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../table.ts';
import { say, type Terminal } from '../terminal.ts';
import { InputError, UsageError, unknownAction } from '../usage-error.ts';

const OPTIONS = {
  name: { kind: 'text', value: 'name', help: 'create, update: the name.' },
  project: { kind: 'list', value: 'name', help: 'create, update: the projects to scan.' },
  profile: {
    kind: 'text',
    value: 'name',
    help: 'create, update: the profile to evaluate. Default: full.',
  },
  cron: {
    kind: 'text',
    value: 'expression',
    help: "create, update: minute, hour, day, month, day of week, as in '0 3 * * *'.",
  },
  timezone: {
    kind: 'text',
    value: 'zone',
    help: 'create, update: the IANA time zone, as in Europe/Berlin. Default: UTC.',
  },
  'pull-first': {
    kind: 'switch',
    help: 'create, update: a run first pulls the inventories of the projects from their sources.',
  },
  'no-pull-first': { kind: 'switch', help: 'update: a run scans the inventories as they are.' },
  enable: { kind: 'switch', help: 'update: enable the schedule, and take it over.' },
  disable: { kind: 'switch', help: 'create, update: disable the schedule.' },
  format: { kind: 'text', words: ['table', 'json'], help: 'The output format. Default: table.' },
  ...CONNECTION_OPTIONS,
} as const;

type Given = Values<typeof OPTIONS>;

/** What an action prints: the schedules it lists, or the one it created or changed. */
type Action = (cspm: Cspm, given: Given, which: string | undefined) => Promise<Schedule[] | null>;

const ACTIONS: Readonly<Record<string, Action>> = {
  async list(cspm) {
    return all(cspm);
  },

  async show(cspm, _given, which) {
    return [await find(cspm, which)];
  },

  async create(cspm, given) {
    const { name, project, profile, cron, timezone } = given;
    if (name === undefined || cron === undefined || project.length === 0) {
      throw new UsageError('schedules create needs --name, --project and --cron.');
    }
    refuseBoth(given);
    const schedule = await cspm.schedules.create({
      ...{ name, cron, projects: [...project], profile: profile ?? 'full' },
      ...(timezone !== undefined && { timezone }),
      pullFirst: given['pull-first'],
      enabled: !given.disable,
    });
    return [schedule];
  },

  async update(cspm, given, which) {
    refuseBoth(given);
    const before = await find(cspm, which);
    const schedule = await cspm.schedules.update({
      id: before.id,
      name: given.name ?? before.name,
      projects: given.project.length === 0 ? before.projects : [...given.project],
      profile: given.profile ?? before.profile,
      cron: given.cron ?? before.cron,
      timezone: given.timezone ?? before.timezone,
      pullFirst: given['pull-first'] || (before.pullFirst && !given['no-pull-first']),
      enabled: given.enable || (before.enabled && !given.disable),
    });
    return [schedule];
  },

  async delete(cspm, _given, which) {
    await cspm.schedules.delete({ id: (await find(cspm, which)).id });
    return null;
  },
};

/** @throws {UsageError} for a switch and its opposite */
function refuseBoth(given: Given): void {
  if (given.enable && given.disable) throw new UsageError('Use --enable or --disable.');
  if (given['pull-first'] && given['no-pull-first']) {
    throw new UsageError('Use --pull-first or --no-pull-first.');
  }
}

export const schedules = command({
  name: 'schedules',
  usage:
    "cspm schedules list|show|create|update|delete [<id or name>] [--name <name> --project <name> --cron '0 3 * * *']",
  summary: 'Lists, creates, changes and deletes scheduled scans.',
  maxArguments: 2,
  options: OPTIONS,
  async run(values, terminal, [name = 'list', which]) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw unknownAction(name, Object.keys(ACTIONS));
    }
    if (which !== undefined && (name === 'list' || name === 'create')) {
      throw new UsageError(`Unexpected argument "${which}".`);
    }
    const found = await action(await connect(values, terminal), values, which);
    if (found === null) say(terminal, 'Deleted the schedule.');
    else print(found, { isList: name === 'list', format: values.format }, terminal);
    return EXIT.ok;
  },
});

async function all(cspm: Cspm): Promise<Schedule[]> {
  const found: Schedule[] = [];
  for await (const schedule of cspm.schedules.list({ limit: 100 })) found.push(schedule);
  return found;
}

/** @throws {InputError} when no schedule has that id or name */
async function find(cspm: Cspm, which: string | undefined): Promise<Schedule> {
  if (which === undefined) throw new UsageError('Missing argument: the schedule id or name.');
  const found = (await all(cspm)).find(({ id, name }) => id === which || name === which);
  if (found === undefined) throw new InputError(`No schedule has the id or name "${which}".`);
  return found;
}

function print(
  found: readonly Schedule[],
  { isList, format }: { readonly isList: boolean; readonly format: string | undefined },
  terminal: Terminal,
): void {
  if (format === 'json') {
    terminal.output.write(`${JSON.stringify(isList ? found : found[0], null, 2)}\n`);
    return;
  }
  if (found.length === 0) say(terminal, 'There are no schedules.');
  terminal.output.write(found.map(linesOf).join(isList ? '\n' : ''));
}

function linesOf(schedule: Schedule): string {
  const { id, name, cron, timezone, projects, profile, pullFirst, nextRunAt, lastRun } = schedule;
  const last =
    lastRun === null
      ? 'never'
      : `${lastRun.at} ${lastRun.status}${lastRun.scanId === null ? '' : ` (scan ${lastRun.scanId})`}`;
  const rows = [
    ['id', id],
    ['times', `${cron} in ${timezone}`],
    ['scans', `${projects.join(', ')} with profile ${profile}`],
    ...(pullFirst ? [['pulls', 'the inventories first, from the sources of the projects']] : []),
    ['next run', nextRunAt ?? 'disabled'],
    ['last run', last],
    ...(lastRun?.problem ? [['problem', lastRun.problem]] : []),
    ...(schedule.disabledReason ? [['disabled', schedule.disabledReason.message]] : []),
  ];
  const lines = rows.map(([label = '', text = '']) => `  ${label.padEnd(9)} ${printable(text)}`);
  return `${printable(name)}\n${lines.join('\n')}\n`;
}
