import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from '../../platform/root.ts';

/**
 * Content-Security-Policy of the documentation page. Scripts and requests are limited to our own origin. openapi-explorer
 * writes its colors as style elements and attributes, which need `unsafe-inline`; with no foreign origin allowed, a
 * style cannot send anything away.
 */
export const DOCS_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page for `GET /docs`. It uses absolute paths, because it is served at `/docs` and at `/api/v1/docs`. */
export function docsPage(): string {
  return PAGE;
}

// Credentials that a reader enters stay in the memory of the page: nothing here is stored.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cloud security posture API</title>
<link rel="icon" href="data:,">
<link rel="preload" href="/openapi.json" as="fetch" crossorigin>
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/script.js" defer></script>
</head>
<body>
<noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<header>
<h1>Cloud security posture API</h1>
<button type="button" id="search">Search</button>
<button type="button" id="theme">Light or dark</button>
<a href="/openapi.json">OpenAPI document</a>
</header>
<openapi-explorer collapsed="true" default-schema-tab="body" display-nulls="true" use-path-in-nav-bar="false"></openapi-explorer>
</body>
</html>
`;

let script: string | undefined;

/** The script for `GET /docs/script.js`: openapi-explorer and the code that starts it. Read on first use. */
export function docsScript(): string {
  script ??= `${explorer()}\n${own('docs-page.js')}`;
  return script;
}

let style: string | undefined;

/** The style sheet for `GET /docs/style.css`. Read on first use. */
export function docsStyle(): string {
  style ??= own('docs-page.css');
  return style;
}

function own(name: string): string {
  return readFileSync(new URL(`server/modules/meta/${name}`, ROOT), 'utf8');
}

function explorer(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('openapi-explorer/package.json'));
  const text = readFileSync(join(folder, 'dist/browser/openapi-explorer.min.js'), 'utf8');
  // The source maps are not served. Without this line developer tools do not request them.
  return text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '');
}
