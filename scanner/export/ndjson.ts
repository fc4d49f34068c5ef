import type { FindingPages } from './exported-finding.ts';

/** Findings as they are, one a line. */
export async function* ndjsonOf(pages: FindingPages): AsyncGenerator<string, void, undefined> {
  for await (const page of pages) {
    yield page.map((finding) => `${JSON.stringify(finding)}\n`).join('');
  }
}
