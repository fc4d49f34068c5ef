import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import { type Chart, chartsOf } from './chart.ts';
import { STYLE } from './html-style.ts';
import { Markup, markup } from './markup.ts';
import { type Report, type ReportedFinding, SEVERITIES } from './report.ts';
import {
  coverFacts,
  evidenceOf,
  frameworkTitle,
  listNote,
  numberOf,
  STATUS_LABELS,
  STATUSES,
  scoreText,
  shortened,
  timeOf,
  valuesOf,
} from './report-text.ts';

const ROWS_AT_ONCE = 25;
/** The longest message of a finding that is shown whole. */
const MAX_TEXT = 1000;

/** The report as one page that needs no other file, no script and no network. */
export async function* htmlReport(report: Report): AsyncGenerator<string, void, undefined> {
  yield cover(report).text;
  yield* requirements(report);
  const risks = await report.risks.read();
  yield* table(
    {
      name: 'risks',
      title: 'Top risks: findings that are not muted',
      note: listNote(risks.length, report.risks.total),
      columns: ['Severity', 'Finding', 'Asset', 'First seen'],
    },
    risks,
    riskRow,
  );
  const muted = await report.muted.read();
  yield* table(
    {
      name: 'muted',
      title: 'Muted findings',
      note: listNote(muted.length, report.muted.total),
      columns: ['Severity', 'Finding', 'Asset', 'Reason', 'Muted until'],
    },
    muted,
    mutedRow,
  );
  yield '</main>\n</body>\n</html>\n';
}

/** The policy refuses scripts, addresses and forms even if text of a tenant got into the page. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function cover(report: Report): Markup {
  const { scan, compliance, score, trend } = report;
  const { bySeverity } = scan.totals;
  const facts = coverFacts(report).map(
    ([label, value]) => markup`<dt>${label}</dt><dd>${value}</dd>\n`,
  );
  const severities = SEVERITIES.map((severity) =>
    figure(numberOf(bySeverity[severity]), severity, severity),
  );
  const delta = (['new', 'reopened', 'unchanged', 'resolved'] as const).map((change) =>
    figure(numberOf(scan.delta[change]), change),
  );
  const charts = chartsOf(trend).map(chartMarkup);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CSP}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Security posture of ${report.tenant}, ${timeOf(report.madeAt)}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header>
<h1>Security posture report</h1>
<dl>
${facts}</dl>
</header>
<main>
<section>
<h2>Score</h2>
<ul class="figures">${figure(scoreText(score), 'score of 100')}</ul>
<p class="soft">The share of verdicts that passed, weighted by severity. Undecided verdicts do not count.</p>
<ul class="figures">${severities}</ul>
<p class="soft">Findings that the scan saw, by severity.</p>
<ul class="figures">${delta}</ul>
<p class="soft">Changes since the previous scans of the same projects.</p>
</section>
<section>
<h2>Trend</h2>
${charts.length === 0 ? markup`<p>There are no earlier days to compare with.</p>` : markup`<div class="charts">${charts}</div>`}
</section>
${projects(report)}
<section class="requirements">
<h2>Requirements: ${frameworkTitle(compliance.framework)}</h2>
<ul class="figures">${STATUSES.map((status) =>
    figure(numberOf(compliance.summary[status]), STATUS_LABELS[status], status),
  )}</ul>
</section>
`;
}

function figure(value: string, label: string, tone = ''): Markup {
  return markup`<li><b class="${tone}">${value}</b>${label}</li>`;
}

function projects({ scan }: Report): Markup {
  const rows = scan.projects.map(
    ({ name, status, assets, findings }) =>
      markup`<tr><th scope="row" class="name">${name}</th><td>${status}</td><td class="number">${numberOf(assets)}</td><td class="number">${numberOf(findings)}</td></tr>\n`,
  );
  return markup`<section>
<h2>Projects</h2>
<table>
<caption>${numberOf(rows.length)} in all.</caption>
<thead><tr><th scope="col">Project</th><th scope="col">Status</th><th scope="col" class="number">Assets</th><th scope="col" class="number">Findings</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</section>
`;
}

const WIDTH = 480;
const HEIGHT = 160;
/** Room for the labels of the axes. */
const LEFT = 44;
const BOTTOM = 22;
const PAD = 10;

function chartMarkup({ title, top, from, to, lines }: Chart): Markup {
  const [width, height] = [WIDTH - LEFT - PAD, HEIGHT - BOTTOM - PAD];
  const drawn = lines.map(({ colour, points }) => {
    const path = points.map(
      ([x, y]) => `${(LEFT + x * width).toFixed(1)},${(PAD + y * height).toFixed(1)}`,
    );
    return markup`<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`;
  });
  const legend = lines.map(
    ({ label, colour }) => markup`<tspan fill="${colour}" dx="8">${label}</tspan>`,
  );
  const [base, right] = [HEIGHT - BOTTOM, WIDTH - PAD];
  return markup`<figure>
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title} from ${from} to ${to}" font-size="11" font-family="sans-serif">
<path d="M${LEFT} ${PAD}H${right}M${LEFT} ${base}H${right}" stroke="#d5dae1"/>
<text x="${LEFT - 6}" y="${PAD + 4}" text-anchor="end" fill="#5b6470">${numberOf(top)}</text>
<text x="${LEFT - 6}" y="${base + 4}" text-anchor="end" fill="#5b6470">0</text>
<text x="${LEFT}" y="${HEIGHT - 5}" fill="#5b6470">${from}</text>
<text x="${right}" y="${HEIGHT - 5}" text-anchor="end" fill="#5b6470">${to}</text>
<text x="${WIDTH / 2}" y="${HEIGHT - 5}" text-anchor="middle">${legend}</text>
${drawn}
</svg>
</figure>
`;
}

async function* requirements({ compliance }: Report) {
  const { requirements: all } = compliance;
  yield* table(
    {
      name: 'requirement-list',
      title: 'Requirements and evidence',
      note: 'Verdicts of the rules that decide each requirement. A requirement is undecided if data or a rule was missing.',
      columns: ['Requirement', 'Title', 'Status', 'Passed', 'Failed', 'Undecided', 'Rules'],
    },
    all,
    (requirement) => {
      const { pass, fail, unknown, missing } = evidenceOf(requirement);
      const { id, title, section, status, rules } = requirement;
      return markup`<tr><th scope="row">${id}</th><td>${title}<span class="evidence">${section}</span></td><td><span class="tag ${status}">${STATUS_LABELS[status]}</span></td><td class="number">${numberOf(pass)}</td><td class="number">${numberOf(fail)}</td><td class="number">${numberOf(unknown)}</td><td><code>${rules.map(({ ruleId }) => ruleId).join(', ')}</code>${missing.length === 0 ? '' : markup`<span class="evidence">Missing: ${missing.join(', ')}</span>`}</td></tr>\n`;
    },
  );
}

function riskRow(finding: ReportedFinding): Markup {
  const evidence = valuesOf(finding).map((value) => markup`<code class="evidence">${value}</code>`);
  return markup`<tr>${severityCell(finding)}<td><b>${finding.title}</b> <code>${finding.ruleId}</code><span class="evidence">${shortened(finding.message, MAX_TEXT)}</span>${evidence}<span class="evidence">${finding.remediation}</span></td>${assetCell(finding)}<td class="number">${timeOf(finding.firstSeenAt)}</td></tr>\n`;
}

function mutedRow(finding: ReportedFinding): Markup {
  const { muted } = finding;
  return markup`<tr>${severityCell(finding)}<td><b>${finding.title}</b> <code>${finding.ruleId}</code></td>${assetCell(finding)}<td>${muted?.reason ?? ''}</td><td class="number">${muted === null ? '' : timeOf(muted.expiresAt)}</td></tr>\n`;
}

function severityCell({ severity }: ReportedFinding): Markup {
  return markup`<td><span class="tag ${severity}">${severity}</span></td>`;
}

function assetCell({ asset, subject, project }: ReportedFinding): Markup {
  return markup`<td>${asset.name}<span class="evidence">${subject}</span><span class="evidence">${project}</span></td>`;
}

interface Table {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
}

/** A section with a table, a few rows at a time. */
async function* table<T>(
  { name, title, note, columns }: Table,
  rows: readonly T[],
  rowOf: (row: T) => Markup,
): AsyncGenerator<string, void, undefined> {
  yield markup`<section class="${name}">
<h2>${title}</h2>
<p class="soft">${note}</p>
`.text;
  if (rows.length > 0) {
    const heads = columns.map((column) => markup`<th scope="col">${column}</th>`);
    yield markup`<table>\n<thead><tr>${heads}</tr></thead>\n<tbody>\n`.text;
    const yielder = new EventLoopYielder();
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      yield markup`${rows.slice(at, at + ROWS_AT_ONCE).map(rowOf)}`.text;
      if (yielder.isDue) await yielder.yieldNow();
    }
    yield '</tbody>\n</table>\n';
  }
  yield '</section>\n';
}
