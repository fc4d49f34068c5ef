import type PDFDocument from 'pdfkit';
import { printed } from './pdf-text.ts';

export const MARGIN = 42;
export const INK = '#1b2430';
export const SOFT = '#5b6470';
export const RULE = '#d5dae1';
/** Room that a heading needs for what follows it: a note, the head of a table and its first row. */
const HEADING_ROOM = 150;
const PADDING = 4;

export type Doc = InstanceType<typeof PDFDocument>;

export interface Cell {
  readonly text: string;
  /** Smaller lines below the text. */
  readonly notes?: readonly string[];
  readonly colour?: string;
  readonly isBold?: boolean;
}

export interface Column {
  readonly title: string;
  /** The width of the column as a share of the page's width. */
  readonly share: number;
  readonly align?: 'right';
}

export function widthOf({ page }: Doc): number {
  return page.width - 2 * MARGIN;
}

function bottomOf({ page }: Doc): number {
  return page.height - MARGIN;
}

/** Begins a page if less than this height is left. */
export function keep(doc: Doc, height: number): void {
  if (doc.y + height > bottomOf(doc)) doc.addPage();
}

export function heading(doc: Doc, text: string): void {
  keep(doc, HEADING_ROOM);
  doc.font('Helvetica-Bold').fontSize(14).fillColor(INK).moveDown(1);
  doc.text(printed(text), MARGIN, doc.y, { width: widthOf(doc) });
  doc.moveDown(0.3);
}

export function note(doc: Doc, text: string): void {
  doc.font('Helvetica').fontSize(9).fillColor(SOFT);
  doc.text(printed(text), MARGIN, doc.y, { width: widthOf(doc) });
  doc.moveDown(0.5);
}

/** Numbers with their labels, side by side. */
export function figures(
  doc: Doc,
  all: readonly { readonly value: string; readonly label: string; readonly colour?: string }[],
): void {
  keep(doc, 46);
  const { y } = doc;
  const width = widthOf(doc) / 5;
  for (const [at, { value, label, colour = INK }] of all.entries()) {
    const x = MARGIN + at * width;
    doc.font('Helvetica-Bold').fontSize(16).fillColor(colour);
    doc.text(printed(value), x, y, { width, lineBreak: false });
    doc.font('Helvetica').fontSize(9).fillColor(SOFT);
    doc.text(printed(label), x, y + 20, { width, lineBreak: false });
  }
  doc.y = y + 40;
}

/** The titles of a table's columns, repeated on each of its pages. */
export function tableHead(doc: Doc, columns: readonly Column[]): void {
  row(
    doc,
    columns,
    columns.map(({ title }) => ({ text: title, colour: SOFT, isBold: true })),
  );
}

/** A row that is never split: it begins a page if it does not fit on this one. */
export function tableRow(doc: Doc, columns: readonly Column[], cells: readonly Cell[]): void {
  const widths = columns.map(({ share }) => share * widthOf(doc) - PADDING);
  const height = Math.max(
    ...cells.map((cell, at) => drawCell(doc, cell, { width: widths[at] ?? 0 }, null)),
  );
  if (doc.y + height + 2 * PADDING > bottomOf(doc)) {
    doc.addPage();
    tableHead(doc, columns);
  }
  row(doc, columns, cells, height);
}

function row(doc: Doc, columns: readonly Column[], cells: readonly Cell[], height?: number): void {
  const top = doc.y + PADDING;
  const full = widthOf(doc);
  let [x, drawn] = [MARGIN, 0];
  for (const [at, cell] of cells.entries()) {
    const { share = 0, align } = columns[at] ?? {};
    const width = share * full - PADDING;
    drawn = Math.max(drawn, drawCell(doc, cell, { width, ...(align && { align }) }, [x, top]));
    x += share * full;
  }
  const base = top + (height ?? drawn) + PADDING;
  doc
    .moveTo(MARGIN, base)
    .lineTo(MARGIN + full, base)
    .lineWidth(0.5)
    .stroke(RULE);
  doc.y = base;
}

/** Draws a cell at a place, or only measures it. @returns its height. */
function drawCell(
  doc: Doc,
  { text, notes = [], colour = INK, isBold = false }: Cell,
  options: { width: number; align?: 'right' },
  place: readonly [number, number] | null,
): number {
  let height = 0;
  const add = (words: string, size: number, font: string, paint: string) => {
    if (words === '') return;
    doc.font(font).fontSize(size).fillColor(paint);
    const shown = printed(words);
    if (place === null) {
      height += doc.heightOfString(shown, options);
    } else {
      doc.text(shown, place[0], place[1] + height, options);
      height = doc.y - place[1];
    }
  };
  add(text, 9, isBold ? 'Helvetica-Bold' : 'Helvetica', colour);
  for (const words of notes) add(words, 8, 'Helvetica', SOFT);
  return height;
}
