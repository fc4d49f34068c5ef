import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { allowedProjects } from '../known-filters.ts';
import { printable } from '../table.ts';
import { say, type Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

const LABELS = { pass: 'ok  ', warn: 'WARN', fail: 'FAIL', skip: 'skip' } as const;

export const preflight = command({
  name: 'preflight',
  usage: 'cspm preflight --project <name> [--profile full]',
  summary: 'Checks whether a scan can start, and lists what prevents it.',
  options: {
    project: {
      kind: 'list',
      value: 'name',
      help: 'The project to check. Separate several with commas, or repeat the option.',
    },
    profile: { kind: 'text', value: 'name', help: 'The profile of rules. Default: full.' },
    strict: { kind: 'switch', help: 'Fail on warnings too.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal) {
    if (values.project.length === 0) throw new UsageError('--project is missing.');
    const cspm = await connect(values, terminal);
    const projects = [...values.project];
    const report = await cspm.preflight.run({ projects, profile: values.profile ?? 'full' });
    terminal.output.write(
      `${report.decision.replaceAll('_', ' ')}: ${report.profile.ruleCount} rules of profile ${printable(report.profile.name)}\n`,
    );
    let hasUnknownProject = false;
    for (const { name, checks } of report.projects) {
      terminal.output.write(`${printable(name)}\n`);
      for (const { status, id, message, remediation } of checks) {
        terminal.output.write(`  ${LABELS[status]}  ${id}  ${printable(message)}\n`);
        if (status === 'warn' || status === 'fail') printRemedy(terminal, remediation);
        if (id === 'project.known' && status === 'fail') hasUnknownProject = true;
      }
    }
    if (hasUnknownProject) say(terminal, printable(await allowedProjects(cspm)));
    if (report.decision === 'blocked') return EXIT.incomplete;
    return values.strict && report.decision !== 'ready' ? EXIT.incomplete : EXIT.ok;
  },
});

function printRemedy(terminal: Terminal, remedy: string): void {
  if (remedy !== '') terminal.output.write(`        ${printable(remedy)}\n`);
}
