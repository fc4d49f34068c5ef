import { csvOf } from './csv.ts';
import type { ExportContext, FindingPages } from './exported-finding.ts';
import { ndjsonOf } from './ndjson.ts';
import { ocsfOf } from './ocsf.ts';
import { sarifOf } from './sarif.ts';

interface Format {
  readonly mediaType: string;
  /** File name extension without the dot. */
  readonly extension: string;
  /** Generates the export in chunks of at most one page of findings. */
  write(pages: FindingPages, context: ExportContext): AsyncGenerator<string, void, undefined>;
}

/** The export formats. */
export const EXPORTS = {
  sarif: { mediaType: 'application/sarif+json', extension: 'sarif', write: sarifOf },
  ocsf: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    extension: 'ocsf.ndjson',
    write: ocsfOf,
  },
  csv: { mediaType: 'text/csv; charset=utf-8', extension: 'csv', write: csvOf },
  ndjson: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    write: ndjsonOf,
  },
} as const satisfies Record<string, Format>;
