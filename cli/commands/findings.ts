import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { findingsBySeverity } from '../findings-by-severity.ts';
import { FORMATS } from '../formats.ts';
import { checkFilters } from '../known-filters.ts';
import { writeOut } from '../output-file.ts';
import { SEVERITIES } from '../severity.ts';
import { findingLines, rowOf } from '../table.ts';
import { hasColours } from '../terminal.ts';

export const findings = command({
  name: 'findings',
  usage: 'cspm findings [--project <name>] [--severity critical,high] [--format table]',
  summary: 'Lists or exports the current findings, most severe first.',
  options: {
    project: { kind: 'list', value: 'name', help: 'Only findings of these projects.' },
    severity: { kind: 'list', words: SEVERITIES, help: 'Only these severities.' },
    rule: { kind: 'list', value: 'id', help: 'Only findings of these rules.' },
    scan: { kind: 'text', value: 'id', help: 'Only findings that this scan saw or resolved.' },
    resolved: { kind: 'switch', help: 'List resolved findings instead of open ones.' },
    muted: { kind: 'switch', help: 'List muted findings instead of the others.' },
    format: { kind: 'text', words: FORMATS, help: 'The output format. Default: table.' },
    output: { kind: 'text', value: 'file', help: 'The output file. Default: standard output.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal) {
    const cspm = await connect(values, terminal);
    await checkFilters(cspm, values);
    const severity = SEVERITIES.filter((one) => values.severity.includes(one));
    const filter = {
      project: [...values.project],
      rule: [...values.rule],
      ...(values.scan !== undefined && { scan: values.scan }),
      status: [values.resolved ? ('resolved' as const) : ('open' as const)],
      muted: values.muted,
    };
    const format = values.format ?? 'table';
    const to = { file: values.output, stream: terminal.output };
    if (format !== 'table') {
      const wanted = { ...filter, severity, format: format as 'sarif' };
      await writeOut(cspm.findings.export(wanted), to);
      return EXIT.ok;
    }
    const colours = hasColours(terminal) && values.output === undefined;
    async function* lines() {
      const wanted = severity.length === 0 ? SEVERITIES : severity;
      for await (const finding of findingsBySeverity(cspm, filter, wanted)) {
        yield findingLines(rowOf(finding), colours);
      }
    }
    await writeOut(lines(), to);
    return EXIT.ok;
  },
});
