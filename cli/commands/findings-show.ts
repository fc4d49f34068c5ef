import type { FindingWithFix } from '@cspm/sdk';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { orMissing } from '../or-missing.ts';
import { findingLines, printable, rowOf } from '../table.ts';
import { hasColours } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export const findingsShow = command({
  name: 'findings show',
  usage: 'cspm findings show <id> [--format json]',
  summary: 'Shows a finding with its verified fix: command, Terraform attributes and JSON Patch.',
  options: {
    format: { kind: 'text', words: ['text', 'json'], help: 'The output format. Default: text.' },
    ...CONNECTION_OPTIONS,
  },
  maxArguments: 1,
  async run(values, terminal, [id]) {
    if (id === undefined) throw new UsageError('Missing argument: the finding id.');
    const cspm = await connect(values, terminal);
    const finding = await orMissing(
      cspm.findings.get({ id }),
      () => `There is no finding "${id}".`,
    );
    terminal.output.write(
      values.format === 'json'
        ? `${JSON.stringify(finding, null, 2)}\n`
        : textOf(finding, hasColours(terminal)),
    );
    return EXIT.ok;
  },
});

function textOf(finding: FindingWithFix, colours: boolean): string {
  const { remediation, noFix } = finding;
  const lines = [
    `\nRemediation\n  ${printable(remediation)}`,
    ...(noFix === null ? [] : [`\nNo automatic fix: ${printable(noFix)}.`]),
    ...fixLines(finding.fix),
  ];
  return `${findingLines(rowOf(finding), colours)}${lines.join('\n')}\n`;
}

function fixLines(fix: FindingWithFix['fix']): string[] {
  if (fix === null) return [];
  const settings = fix.terraform.map(({ resource, match, attribute, value }) => {
    const where = match === null ? resource : `${resource} (${match})`;
    return `  ${printable(`${where}: ${value === null ? `remove ${attribute}` : `${attribute} = ${value}`}`)}`;
  });
  return [
    '\nFix, verified on the stored asset; nothing was changed in your cloud',
    ...(fix.caution === null ? [] : [`  Note: ${printable(fix.caution)}`]),
    ...['\nCommand', ...fix.gcloud.split('\n').map((line) => `  ${printable(line)}`)],
    ...(settings.length === 0 ? [] : ['\nTerraform', ...settings]),
    ...['\nJSON Patch', ...fix.patch.map((one) => `  ${printable(JSON.stringify(one))}`)],
  ];
}
