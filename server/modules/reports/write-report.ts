import { attachment } from '../../platform/attachment.ts';
import { csvReport } from './csv-report.ts';
import { htmlReport } from './html-report.ts';
import { pdfReport } from './pdf-report.ts';
import type { Report } from './report.ts';

/** A report in pieces; text, or the bytes of a binary format. */
type Pieces = AsyncGenerator<string | Uint8Array, void, undefined>;

interface Format {
  readonly mediaType: string;
  write(report: Report): Pieces;
}

const FORMATS = {
  html: { mediaType: 'text/html; charset=utf-8', write: htmlReport },
  pdf: { mediaType: 'application/pdf', write: pdfReport },
  csv: { mediaType: 'text/csv; charset=utf-8', write: csvReport },
} as const satisfies Record<string, Format>;

type ReportFormat = keyof typeof FORMATS;

/** Writes a report piece by piece. Nothing is read before the first piece is asked for. */
export async function* writeReport(format: ReportFormat, gather: () => Promise<Report>): Pieces {
  yield* FORMATS[format].write(await gather());
}

/** Content type and file name. A browser saves the report instead of showing it on the origin of the API. */
export function reportHeaders(
  format: ReportFormat,
  now: Date,
): { 'Content-Type': string; 'Content-Disposition': string } {
  return {
    'Content-Type': FORMATS[format].mediaType,
    'Content-Disposition': attachment('report', now, format),
  };
}
