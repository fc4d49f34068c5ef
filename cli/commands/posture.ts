import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { isKnownProject, unknownProject } from '../known-filters.ts';
import { postureLines } from '../posture-screen.ts';
import { hasColours } from '../terminal.ts';
import { InputError, UsageError } from '../usage-error.ts';

const DAY_MS = 86_400_000;
const INTERVALS = ['day', 'week'] as const;
const LONGEST_DAYS = 738;

export const posture = command({
  name: 'posture',
  usage: 'cspm posture [--project <name>] [--days 30] [--interval day]',
  summary: 'Shows the score, the open findings and their trend.',
  options: {
    project: { kind: 'text', value: 'name', help: 'Only this project. Default: all projects.' },
    days: { kind: 'text', value: 'number', help: 'The days of the trend. Default: 30.' },
    interval: { kind: 'text', words: INTERVALS, help: 'One value per day or week. Default: day.' },
    format: { kind: 'text', words: ['table', 'json'], help: 'The output format. Default: table.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal) {
    const from = new Date(Date.now() - (daysOf(values.days) - 1) * DAY_MS);
    const cspm = await connect(values, terminal);
    const { project } = values;
    if (project !== undefined && !(await isKnownProject(cspm, project))) {
      throw new InputError(await unknownProject(cspm, project));
    }
    const trend = await cspm.posture.trend({
      from: from.toISOString().slice(0, 10),
      interval: values.interval === 'week' ? 'week' : 'day',
      ...(project !== undefined && { project }),
    });
    const summary = project === undefined ? await cspm.posture.summary() : null;
    const text =
      values.format === 'json'
        ? `${JSON.stringify({ summary, trend }, null, 2)}\n`
        : postureLines(summary, trend, hasColours(terminal));
    terminal.output.write(text);
    return EXIT.ok;
  },
});

/** @throws {UsageError} for anything but a whole number that the service takes */
function daysOf(value: string | undefined): number {
  const days = Number(value ?? '30');
  if (Number.isInteger(days) && days >= 1 && days <= LONGEST_DAYS) return days;
  throw new UsageError(`--days must be a whole number from 1 to ${LONGEST_DAYS}.`);
}
