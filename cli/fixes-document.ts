import type { ExportedFinding } from '@cspm/scanner';

/** Writes one JSON document with the fix of each asset and rule; docs/fixes.md describes it. */
export async function* fixesDocument(
  pages: AsyncIterable<readonly ExportedFinding[]>,
  file: string,
): AsyncGenerator<string> {
  let separator = '';
  yield `{"format":"cspm-fixes/1","file":${JSON.stringify(file)},"fixes":[`;
  for await (const page of pages) {
    for (const { ruleId, severity, asset, fix } of page) {
      yield `${separator}\n${JSON.stringify({ ruleId, severity, asset, ...fix })}`;
      separator = ',';
    }
  }
  yield '\n]}\n';
}
