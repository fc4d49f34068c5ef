// Bundles the page as an application would and opens it in a real browser, from another origin than the service's.
import { createServer } from 'node:http';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

/** esbuild refuses to bundle Node modules for a browser. */
const { outputFiles } = await build({
  entryPoints: ['page.mjs'],
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  write: false,
});

const pages = createServer((request, response) => {
  const isScript = request.url === '/page.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  response.end(
    isScript ? outputFiles[0].contents : '<script type="module" src="page.js"></script>',
  );
});
await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve));

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${pages.address().port}/`);
  await page.waitForFunction(() => 'exercise' in globalThis);
  const seen = await page.evaluate((url) => globalThis.exercise(url), process.env.CSPM_URL);
  console.log(JSON.stringify(seen));
} finally {
  await browser.close();
  pages.close();
}
