// Builds the application, serves it, and opens it in a real browser, from another origin than the service's.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { chromium } from 'playwright-core';

const { CSPM_URL } = process.env;
const environment = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: '1',
  CSPM_API_KEY: 'cspm_consumer',
  NEXT_PUBLIC_CSPM_URL: CSPM_URL,
};
const [code] = await once(next('build'), 'exit');
assert.equal(code, 0);

const address = `http://127.0.0.1:${await freePort()}`;
const server = next('start', '--hostname', '127.0.0.1', '--port', new URL(address).port);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const onServer = await answerOf(`${address}/exercise`);
  console.log(await onServer.text());

  const page = await browser.newPage();
  const html = await (await page.goto(`${address}/`)).text();
  assert.match(html, /<li>gcp-storage-public<\/li><li>gcp-sql-public<\/li>/);
  await page.waitForFunction(() => 'exercise' in globalThis);
  const seen = await page.evaluate((url) => globalThis.exercise(url), `${CSPM_URL}-browser`);
  console.log(JSON.stringify(seen));

  // The rest is loaded in the browser, with the session of the person.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForFunction(() => document.querySelectorAll('li').length === 3);
  assert.equal(await page.getByRole('button').count(), 0);
} finally {
  await browser.close();
  server.kill();
}

/** Runs a command of Next.js; what it prints is shown where it fails. */
function next(...args) {
  const stdio = ['ignore', process.stderr, process.stderr];
  return spawn(process.execPath, ['node_modules/next/dist/bin/next', ...args], {
    stdio,
    env: environment,
  });
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** The first response of a server that is being started. */
async function answerOf(url) {
  while (server.exitCode === null) {
    const response = await fetch(url).catch(() => null);
    if (response) return response;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`next start ended with ${server.exitCode}`);
}
