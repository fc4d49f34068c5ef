import { EventLoopYielder, pollEventLoop } from '../../platform/event-loop-yield.ts';
import { type Chart, chartsOf, SEVERITY_COLOURS } from './chart.ts';
import {
  type Cell,
  type Column,
  type Doc,
  figures,
  heading,
  INK,
  keep,
  MARGIN,
  note,
  RULE,
  SOFT,
  tableHead,
  tableRow,
  widthOf,
} from './pdf-page.ts';
import { printed } from './pdf-text.ts';
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
  timeOf,
  valuesOf,
} from './report-text.ts';

const STATUS_COLOURS = {
  pass: '#1a7f37',
  fail: '#c0281c',
  unknown: '#a05a00',
  na: SOFT,
  manual: SOFT,
} as const;

/** The report of `htmlReport` as PDF, page by page. */
export async function* pdfReport(report: Report): AsyncGenerator<Uint8Array, void, undefined> {
  const yielder = new EventLoopYielder();
  // Loaded for the first report, because few servers write PDF and the library takes 11 MB.
  const { default: PDFDocument } = await import('pdfkit');
  // Loading takes up to 45 ms.
  await pollEventLoop();
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Security posture of ${printed(report.tenant)}`,
      CreationDate: new Date(report.madeAt),
    },
  });
  try {
    for await (const _ of drawn(doc, report)) {
      const bytes: Uint8Array | null = doc.read();
      if (bytes !== null) yield bytes;
      if (yielder.isDue) await yielder.yieldNow();
    }
    doc.end();
    for await (const bytes of doc) yield bytes;
  } finally {
    doc.destroy();
  }
}

/** What fits into one line with the id of the scan and the number of the page, in capitals too. */
const FOOTER_NAME_LENGTH = 50;

/** Draws the report, and pauses after each part that is small enough for one turn of the event loop. */
async function* drawn(doc: Doc, report: Report): AsyncGenerator<void, void, undefined> {
  let pages = 0;
  const number = () => {
    pages += 1;
    footer(doc, `${printed(report.tenant, FOOTER_NAME_LENGTH)}, scan ${report.scan.id}`, pages);
  };
  number();
  doc.on('pageAdded', number);
  cover(doc, report);
  yield;
  trend(doc, report);
  yield;
  yield* projects(doc, report);
  yield* requirements(doc, report);
  const risks = await report.risks.read();
  yield* table(
    doc,
    'Top risks: findings that are not muted',
    listNote(risks.length, report.risks.total),
    RISK_COLUMNS,
    risks,
    riskCells,
  );
  const muted = await report.muted.read();
  yield* table(
    doc,
    'Muted findings',
    listNote(muted.length, report.muted.total),
    MUTED_COLUMNS,
    muted,
    mutedCells,
  );
}

function footer(doc: Doc, text: string, page: number): void {
  const { x, y } = doc;
  const number = String(page);
  doc.font('Helvetica').fontSize(8).fillColor(SOFT);
  // Text without a width is not wrapped. Wrapped text below the margin would begin a page, which has a footer too.
  const line = (words: string, left: number) =>
    doc.text(words, left, doc.page.height - MARGIN + 14, { lineBreak: false });
  line(text, MARGIN);
  line(number, MARGIN + widthOf(doc) - doc.widthOfString(number));
  [doc.x, doc.y] = [x, y];
}

function cover(doc: Doc, report: Report): void {
  const { scan, score } = report;
  doc.font('Helvetica-Bold').fontSize(22).fillColor(INK);
  doc.text('Security posture report', MARGIN, MARGIN);
  doc
    .moveTo(MARGIN, doc.y)
    .lineTo(MARGIN + widthOf(doc), doc.y)
    .lineWidth(2)
    .stroke('#1d4ed8');
  doc.moveDown(0.6);
  for (const [label, value] of coverFacts(report)) {
    const { y } = doc;
    doc.font('Helvetica').fontSize(10).fillColor(SOFT).text(label, MARGIN, y);
    doc.fillColor(INK).text(printed(value), MARGIN + 100, y, { width: widthOf(doc) - 100 });
    doc.y += 2;
  }
  heading(doc, 'Score');
  figures(doc, [{ value: scoreText(score), label: 'score of 100' }]);
  note(
    doc,
    'The share of verdicts that passed, weighted by severity. Undecided verdicts do not count.',
  );
  figures(
    doc,
    SEVERITIES.map((severity) => ({
      value: numberOf(scan.totals.bySeverity[severity]),
      label: severity,
      colour: SEVERITY_COLOURS[severity],
    })),
  );
  note(doc, 'Findings that the scan saw, by severity.');
  figures(
    doc,
    (['new', 'reopened', 'unchanged', 'resolved'] as const).map((change) => ({
      value: numberOf(scan.delta[change]),
      label: change,
    })),
  );
  note(doc, 'Changes since the previous scans of the same projects.');
}

const CHART_HEIGHT = 120;

function trend(doc: Doc, report: Report): void {
  heading(doc, 'Trend');
  const charts = chartsOf(report.trend);
  if (charts.length === 0) note(doc, 'There are no earlier days to compare with.');
  keep(doc, CHART_HEIGHT);
  const { y } = doc;
  const width = widthOf(doc) / 2;
  for (const [at, chart] of charts.entries()) {
    drawChart(doc, chart, { x: MARGIN + at * width, y, width: width - 16 });
  }
  if (charts.length > 0) doc.y = y + CHART_HEIGHT;
}

function drawChart(
  doc: Doc,
  { title, top, from, to, lines }: Chart,
  { x, y, width }: { x: number; y: number; width: number },
): void {
  const [left, upper] = [x + 34, y + 18];
  const [wide, high] = [width - 34, CHART_HEIGHT - 46];
  const label = (text: string, at: readonly [number, number], align: 'left' | 'right', w: number) =>
    doc.text(printed(text), at[0], at[1], { width: w, align, lineBreak: false });
  doc.font('Helvetica-Bold').fontSize(9).fillColor(INK);
  label(title, [x, y], 'left', width);
  let place = left + 78;
  doc.font('Helvetica').fontSize(8);
  for (const { label: name, colour, points } of lines) {
    doc.fillColor(colour);
    if (lines.length > 1) label(name, [place, y], 'left', 48);
    place += 48;
    for (const [at, [px, py]] of points.entries()) {
      const [toX, toY] = [left + px * wide, upper + py * high];
      if (at === 0) doc.moveTo(toX, toY);
      else doc.lineTo(toX, toY);
    }
    doc.lineWidth(1.5).stroke(colour);
  }
  doc.moveTo(left, upper).lineTo(left + wide, upper);
  doc.moveTo(left, upper + high).lineTo(left + wide, upper + high);
  doc.lineWidth(0.5).stroke(RULE).fillColor(SOFT);
  label(numberOf(top), [x, upper - 4], 'right', 30);
  label('0', [x, upper + high - 4], 'right', 30);
  label(from, [left, upper + high + 6], 'left', wide);
  label(to, [left, upper + high + 6], 'right', wide);
}

async function* projects(doc: Doc, { scan }: Report) {
  yield* table(
    doc,
    'Projects',
    `${numberOf(scan.projects.length)} in all.`,
    [
      { title: 'Project', share: 0.55 },
      { title: 'Status', share: 0.15 },
      { title: 'Assets', share: 0.15, align: 'right' },
      { title: 'Findings', share: 0.15, align: 'right' },
    ],
    scan.projects,
    ({ name, status, assets, findings }) => [
      { text: name },
      { text: status },
      { text: numberOf(assets) },
      { text: numberOf(findings) },
    ],
  );
}

async function* requirements(doc: Doc, { compliance }: Report) {
  heading(doc, `Requirements: ${frameworkTitle(compliance.framework)}`);
  figures(
    doc,
    STATUSES.map((status) => ({
      value: numberOf(compliance.summary[status]),
      label: STATUS_LABELS[status],
      colour: STATUS_COLOURS[status],
    })),
  );
  yield* table(
    doc,
    'Requirements and evidence',
    'Verdicts of the rules that decide each requirement. A requirement is undecided if data or a rule was missing.',
    [
      { title: 'Id', share: 0.07 },
      { title: 'Title', share: 0.42 },
      { title: 'Status', share: 0.15 },
      { title: 'Passed', share: 0.11, align: 'right' },
      { title: 'Failed', share: 0.11, align: 'right' },
      { title: 'Undecided', share: 0.14, align: 'right' },
    ],
    compliance.requirements,
    (requirement) => {
      const { id, title, section, status } = requirement;
      const { pass, fail, unknown, missing } = evidenceOf(requirement);
      const lacked = missing.length === 0 ? '' : `Missing: ${missing.join(', ')}`;
      return [
        { text: id },
        { text: title, notes: [section, lacked] },
        { text: STATUS_LABELS[status], colour: STATUS_COLOURS[status], isBold: true },
        { text: numberOf(pass) },
        { text: numberOf(fail) },
        { text: numberOf(unknown) },
      ];
    },
  );
}

const RISK_COLUMNS: readonly Column[] = [
  { title: 'Severity', share: 0.11 },
  { title: 'Finding', share: 0.45 },
  { title: 'Asset', share: 0.29 },
  { title: 'First seen', share: 0.15 },
];

function riskCells(finding: ReportedFinding): Cell[] {
  const { title, ruleId, message, remediation, firstSeenAt } = finding;
  const notes = [ruleId, message, ...valuesOf(finding), remediation];
  return [
    severityCell(finding),
    { text: title, notes },
    assetCell(finding),
    { text: timeOf(firstSeenAt) },
  ];
}

const MUTED_COLUMNS: readonly Column[] = [
  { title: 'Severity', share: 0.11 },
  { title: 'Finding', share: 0.22 },
  { title: 'Asset', share: 0.27 },
  { title: 'Reason', share: 0.25 },
  { title: 'Muted until', share: 0.15 },
];

function mutedCells(finding: ReportedFinding): Cell[] {
  const { title, ruleId, muted } = finding;
  return [
    severityCell(finding),
    { text: title, notes: [ruleId] },
    assetCell(finding),
    { text: muted?.reason ?? '' },
    { text: muted === null ? '' : timeOf(muted.expiresAt) },
  ];
}

function severityCell({ severity }: ReportedFinding): Cell {
  return { text: severity, colour: SEVERITY_COLOURS[severity], isBold: true };
}

function assetCell({ asset, subject, project }: ReportedFinding): Cell {
  return { text: asset.name, notes: [subject, project] };
}

async function* table<T>(
  doc: Doc,
  title: string,
  about: string,
  columns: readonly Column[],
  rows: readonly T[],
  cellsOf: (row: T) => readonly Cell[],
): AsyncGenerator<void, void, undefined> {
  heading(doc, title);
  note(doc, about);
  if (rows.length > 0) tableHead(doc, columns);
  for (const row of rows) {
    tableRow(doc, columns, cellsOf(row));
    yield;
  }
}
