import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Content-Security-Policy of the documentation page, without inline scripts or styles. Swagger UI sets styles through
 * the DOM, which needs no permission. `data:` is for the icons in its style sheet.
 */
export const DOCS_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
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

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cloud security posture API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/script.js" defer></script>
</head>
<body>
<noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="docs"></div>
</body>
</html>
`;

let script: string | undefined;

/** The script for `GET /docs/script.js`: Swagger UI and the code that starts it. Read on first use. */
export function docsScript(): string {
  script ??= `${readAsset('swagger-ui-bundle.js')}\n${START}`;
  return script;
}

let style: string | undefined;

/** The style sheet for `GET /docs/style.css`. Read on first use. */
export function docsStyle(): string {
  style ??= `${readAsset('swagger-ui.css')}\n${OWN_STYLE}`;
  return style;
}

// `validatorUrl: null` keeps Swagger UI from sending the document's address to validator.swagger.io. Credentials that a
// reader enters stay in the page's memory.
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const OWN_STYLE = 'body { margin: 0; }\n';

function readAsset(name: string): string {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const text = readFileSync(join(folder, name), 'utf8');
  // The source maps are not served. Without this line developer tools do not request them.
  return text.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=.*\s*$/, '');
}
