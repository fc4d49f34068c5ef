import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { DOCS_CSP, docsPage, docsScript, docsStyle } from './docs-page.ts';

test('the documentation page loads everything from its own origin under both paths', () => {
  const addresses = [...docsPage().matchAll(/\b(?:href|src)="([^"]*)"/g)].map(
    ([, url]) => url ?? '',
  );
  expect(addresses).toEqual(['data:,', '/docs/style.css', '/docs/script.js', '/openapi.json']);
  for (const base of ['https://api.example.com/docs', 'https://api.example.com/api/v1/docs']) {
    for (const address of addresses.slice(1)) {
      expect(new URL(address, base).href).toBe(`https://api.example.com${address}`);
    }
  }
});

test('the documentation page has no inline code that its policy would have to allow', () => {
  expect(docsPage()).not.toMatch(/<style|\bstyle=|\bon[a-z]+=|<script(?![^>]*\bsrc=)|<base/);
  expect(DOCS_CSP).not.toContain('unsafe');
  expect(DOCS_CSP).toMatch(/^default-src 'none'; /);
});

test('the documentation script starts Swagger UI with our document and without a validator', () => {
  expect(() => new Script(docsScript())).not.toThrow();
  const start = docsScript().slice(docsScript().lastIndexOf('SwaggerUIBundle({'));
  expect(start).toContain("url: '/openapi.json'");
  expect(start).toContain('validatorUrl: null');
  expect(start).not.toMatch(/https?:/);
});

test('the documentation style sheet contains its images', () => {
  const style = docsStyle();
  expect(style.length).toBeGreaterThan(10_000);
  expect(style).not.toContain('@import');
  const urls = [...style.matchAll(/url\(\s*["']?([^"')]{0,10})/g)].map(([, url]) => url ?? '');
  expect(urls.length).toBeGreaterThan(0);
  expect(urls.filter((url) => !url.startsWith('data:'))).toEqual([]);
});

test('the documentation assets refer to no source map', () => {
  expect(docsScript()).not.toContain('sourceMappingURL=swagger');
  expect(docsStyle()).not.toContain('sourceMappingURL=');
});
