import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { FORMATS } from '../formats.ts';
import { writeOut } from '../output-file.ts';
import { SEVERITIES } from '../severity.ts';
import { findingLines } from '../table.ts';

export const findings = command({
  name: 'findings',
  usage: 'cspm findings [--project <name>] [--severity critical,high] [--format table]',
  summary: 'Lists findings as things stand now, or exports them.',
  options: {
    project: { kind: 'list', value: 'name', help: 'In any of these projects. Default: all.' },
    severity: { kind: 'list', words: SEVERITIES, help: 'Of any of these. Default: all.' },
    rule: { kind: 'list', value: 'id', help: 'Of any of these rules. Default: all.' },
    scan: { kind: 'text', value: 'id', help: 'What that scan saw or resolved.' },
    resolved: { kind: 'switch', help: 'Those that are resolved, instead of those that are open.' },
    muted: { kind: 'switch', help: 'Those that are muted, instead of those that are not.' },
    format: { kind: 'text', words: FORMATS, help: 'Default: table.' },
    output: { kind: 'text', value: 'file', help: 'Where to write. Default: standard output.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal) {
    const cspm = await connect(values, terminal);
    const filter = {
      project: [...values.project],
      severity: SEVERITIES.filter((severity) => values.severity.includes(severity)),
      rule: [...values.rule],
      ...(values.scan !== undefined && { scan: values.scan }),
      status: [values.resolved ? ('resolved' as const) : ('open' as const)],
      muted: values.muted,
    };
    const format = values.format ?? 'table';
    const to = { file: values.output, stream: terminal.output };
    if (format !== 'table') {
      await writeOut(cspm.findings.export({ ...filter, format: format as 'sarif' }), to);
      return EXIT.ok;
    }
    const colours = terminal.isInteractive && values.output === undefined;
    async function* lines() {
      for await (const finding of cspm.findings.list({ ...filter, limit: 100 })) {
        const { severity, ruleId, asset, message, delta } = finding;
        const note = delta === 'unchanged' ? '' : delta;
        yield findingLines({ severity, ruleId, asset: asset.name, message, note }, colours);
      }
    }
    await writeOut(lines(), to);
    return EXIT.ok;
  },
});
