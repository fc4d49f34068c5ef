import type { Bootstrapped } from './bootstrap.ts';

/** What whoever started the server by hand wants to read: where it is, and at the first start how to get in. */
export function welcome(url: string, first: Bootstrapped | null): string[] {
  const lines = ['', `Serving on ${url}   (documentation: ${url}/docs)`];
  if (first === null) return [...lines, ''];
  lines.push(
    '',
    'First credentials. They are shown this once:',
    `  e-mail    ${first.email}`,
    `  password  ${first.password}`,
  );
  if (first.apiKey !== null) {
    lines.push(
      `  API key   ${first.apiKey}`,
      '',
      'Scan the demo project, then look at what was found:',
      `  curl -X POST ${url}/scans -H 'X-API-Key: ${first.apiKey}' \\`,
      `    -H 'Content-Type: application/json' -d '{"projects":["demo"],"profile":"full"}'`,
      `  curl '${url}/findings?severity=critical' -H 'X-API-Key: ${first.apiKey}'`,
    );
  }
  return [...lines, ''];
}
