import type { FindingPages } from './exported-finding.ts';

/** Writes findings as JSON, one per line. */
export async function* ndjsonOf(pages: FindingPages): AsyncGenerator<string, void, undefined> {
  for await (const page of pages) {
    yield page.map((finding) => `${JSON.stringify(finding)}\n`).join('');
  }
}
