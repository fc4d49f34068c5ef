// Serves the built application and opens it in a real browser, from another origin than the service's.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const server = await preview({ preview: { host: '127.0.0.1', port: 0 }, logLevel: 'error' });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
  await page.waitForFunction(() => 'exercise' in globalThis);
  const { CSPM_URL } = process.env;
  console.log(JSON.stringify(await page.evaluate((url) => globalThis.exercise(url), CSPM_URL)));

  await page.evaluate((url) => globalThis.show(url), CSPM_URL);
  await page.getByRole('button', { name: 'More' }).click();
  await page.waitForFunction(() => document.querySelectorAll('li').length === 3);
  await page.getByRole('status').getByText('NOT_FOUND').waitFor();
  assert.equal(await page.getByRole('button').count(), 0);
} finally {
  await browser.close();
  await server.close();
}
