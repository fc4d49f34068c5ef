import type { ExportedFinding, UndecidedRule } from '@cspm/scanner';
import { quantity } from './local-report.ts';
import { codeSpan } from './markdown.ts';
import { findingLines, printable } from './table.ts';

/** A finding with the Terraform resource that it is about; null if the plan only changes a part of the asset. */
export interface PlanFinding {
  readonly finding: ExportedFinding;
  readonly address: string | null;
}

/** What a plan would do to the findings of a project. Findings are sorted by severity, most severe first. */
export interface PlanReport {
  readonly file: string;
  readonly project: string;
  readonly added: readonly PlanFinding[];
  readonly resolved: readonly ExportedFinding[];
  readonly undecided: readonly UndecidedRule[];
  /** Lines on what was left out: resources that have no asset, and mutes that could not be read. */
  readonly notes: readonly string[];
}

/** `2 added (1 muted), 1 resolved, 3 known only after apply` */
export function planCounts({ added, resolved, undecided }: PlanReport): string {
  const muted = added.filter(({ finding }) => finding.muted !== null).length;
  const note = muted === 0 ? '' : ` (${muted} muted)`;
  return `${added.length} added${note}, ${resolved.length} resolved, ${undecided.length} known only after apply`;
}

/** The three lists, as a table for a terminal. */
export function planTable(report: PlanReport, colours: boolean): string {
  const { added, resolved, undecided } = report;
  const parts: string[] = [];
  if (added.length > 0) {
    const rows = added.map(({ finding, address }) => findingRow(finding, address, colours));
    parts.push(`The plan would add ${quantity(added.length, 'finding')}:\n\n${rows.join('')}`);
  }
  if (resolved.length > 0) {
    const rows = resolved.map((finding) => findingRow(finding, null, colours));
    parts.push(
      `The plan would resolve ${quantity(resolved.length, 'finding')}:\n\n${rows.join('')}`,
    );
  }
  if (undecided.length > 0) {
    const rows = undecided.map(({ ruleId, asset, reason, open }) => {
      const note = open === 0 ? '' : `  (${quantity(open, 'open finding')})`;
      return `UNKNOWN   ${ruleId}  ${printable(asset.name)}${note}\n          ${printable(reason)}\n`;
    });
    const verdicts = quantity(undecided.length, 'verdict');
    parts.push(`${verdicts} will be known only after apply:\n\n${rows.join('')}`);
  }
  if (parts.length === 0) {
    parts.push(`The plan adds and resolves no finding of ${report.project}.\n`);
  }
  return parts.join('\n');
}

function findingRow(finding: ExportedFinding, address: string | null, colours: boolean): string {
  const { severity, ruleId, asset, message, muted } = finding;
  const note = [address, muted === null ? null : 'muted']
    .filter((part) => part !== null)
    .join(', ');
  return findingLines(
    { severity, ruleId, asset: asset.name, message, note: printable(note) },
    colours,
  );
}

/** Comments of GitHub have at most 65,536 characters; those of GitLab may have more. */
const COMMENT_MAX = 60_000;

/** Lets a pipeline find its own comment, to replace it. */
const MARKER = '<!-- cspm scan --plan -->';

/** A comment for a pull request. It lists as much as a comment may hold, and then says how much it left out. */
export function planComment(report: PlanReport): string {
  const { project, added, resolved, undecided, notes } = report;
  const room = { left: COMMENT_MAX };
  const sections = [
    section(
      room,
      'Would be added',
      added.map(({ finding, address }) => findingItem(finding, address)),
    ),
    section(
      room,
      'Would be resolved',
      resolved.map((finding) => findingItem(finding, null)),
    ),
    section(
      room,
      'Known only after apply',
      undecided.map(({ ruleId, asset, address, reason, open }) => {
        const note = open === 0 ? '' : ` (${quantity(open, 'open finding')})`;
        return `- ${codeSpan(ruleId)} ${codeSpan(address ?? asset.name)}${note}\n  ${codeSpan(reason)}\n`;
      }),
    ),
    section(
      room,
      'Not compared',
      notes.map((line) => `- ${codeSpan(line)}\n`),
    ),
  ];
  const title = `### cspm: Terraform plan against ${codeSpan(project)}`;
  return `${MARKER}\n${title}\n\n${planCounts(report)}\n${sections.join('')}`;
}

function section(room: { left: number }, title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  let text = `\n#### ${title}\n\n`;
  for (const [at, item] of items.entries()) {
    if (item.length > room.left) return `${text}- and ${items.length - at} more\n`;
    room.left -= item.length;
    text += item;
  }
  return text;
}

function findingItem(finding: ExportedFinding, address: string | null): string {
  const { severity, ruleId, asset, message, muted } = finding;
  const resource = address === null ? '' : ` (${codeSpan(address)})`;
  const note = muted === null ? '' : ', muted';
  return `- **${severity}** ${codeSpan(ruleId)} ${codeSpan(asset.name)}${resource}${note}\n  ${codeSpan(message)}\n`;
}
