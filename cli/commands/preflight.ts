import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

const SIGNS = { pass: 'ok  ', warn: 'WARN', fail: 'FAIL', skip: 'skip' } as const;

export const preflight = command({
  name: 'preflight',
  usage: 'cspm preflight --project <name> [--profile full]',
  summary: 'Says whether a scan could start, and what stands in its way.',
  options: {
    project: {
      kind: 'list',
      value: 'name',
      help: 'What to look at; several with commas, or repeated.',
    },
    profile: { kind: 'text', value: 'name', help: 'Which rules. Default: full.' },
    strict: { kind: 'switch', help: 'Warnings fail too.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal) {
    if (values.project.length === 0) throw new UsageError('--project is missing.');
    const cspm = await connect(values, terminal);
    const projects = [...values.project];
    const report = await cspm.preflight.run({ projects, profile: values.profile ?? 'full' });
    terminal.output.write(
      `${report.decision.replaceAll('_', ' ')}: ${report.profile.ruleCount} rules of ${printable(report.profile.name)}\n`,
    );
    for (const { name, checks } of report.projects) {
      terminal.output.write(`${printable(name)}\n`);
      for (const { status, id, message, remediation } of checks) {
        terminal.output.write(`  ${SIGNS[status]}  ${id}  ${printable(message)}\n`);
        if (status === 'warn' || status === 'fail') printRemedy(terminal, remediation);
      }
    }
    if (report.decision === 'blocked') return EXIT.incomplete;
    return values.strict && report.decision !== 'ready' ? EXIT.incomplete : EXIT.ok;
  },
});

function printRemedy(terminal: Terminal, remedy: string): void {
  if (remedy !== '') terminal.output.write(`        ${printable(remedy)}\n`);
}
