import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../../../../tests/kit/browser.ts';
import { CookieJar } from '../../../../tests/kit/cookie-jar.ts';
import { codeIn, postResponse } from '../../../../tests/kit/identity-provider.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
  sso = await SingleSignOn.start(server);
});
afterAll(() => server.close());

/** Starts a sign-in in the given browser. @returns the provider's response to it. */
async function begun(browser: CookieJar): Promise<string> {
  const request = await sso.provider.request(server, sso.tenant, {}, browser);
  return sso.provider.respond(request, {}, server.clock.now());
}

const post = (response: string, browser: CookieJar) => postResponse(server, response, {}, browser);

async function expectRefused(reply: Reply, status: number, code: string) {
  expect({ status: reply.status, code: reply.json?.code }).toEqual({ status, code });
}

describe('a SAML sign-in', () => {
  it('a SAML sign-in is rejected and audited when the response arrives from another browser or without cookies', async () => {
    const [attacker, victim] = [new CookieJar(), new CookieJar()];
    await begun(victim);
    const response = await begun(attacker);
    for (const browser of [victim, new CookieJar()]) {
      const reply = await post(response, browser);
      await expectRefused(reply, 401, 'INVALID_CREDENTIALS');
      expect(await sso.trailOf(reply)).toEqual([['auth.saml', 'failure', 'browser']]);
    }
    expect((await post(response, attacker)).status).toBe(303);
  });

  it('a SAML sign-in issues a code that works only in its own browser', async () => {
    const [attacker, victim] = [new CookieJar(), new CookieJar()];
    await begun(victim);
    const code = codeIn(await post(await begun(attacker), attacker));
    for (const browser of [victim, new CookieJar()]) {
      await expectRefused(await sso.exchange(code, browser), 400, 'INVALID_TOKEN');
    }
    expect((await sso.exchange(code, attacker)).status).toBe(200);
  });

  it('a SAML sign-in may be started several times in one browser, and each may be finished', async () => {
    const browser = new CookieJar();
    const responses = [await begun(browser), await begun(browser), await begun(browser)];
    for (const response of responses.reverse()) {
      const code = codeIn(await post(response, browser));
      expect((await sso.exchange(code, browser)).status).toBe(200);
    }
  });

  it('a SAML sign-in stores only the hash of the cookie', async () => {
    const browser = new CookieJar();
    await begun(browser);
    const [, value = 'none'] = (browser.headers['cookie'] ?? '').split('=');
    const kept = await sso.sql('SELECT * FROM identity.one_time_values');
    expect(JSON.stringify(kept)).not.toContain(value);
  });

  it('a SAML sign-in is checked against the browser only at the exchange, where browsers keep no Secure cookie', async () => {
    const insecure = await startTestServer({
      database: server.database,
      config: { webUrl: 'http://posture.test' },
    });
    const there = await SingleSignOn.start(insecure);
    const [browser, other] = [new CookieJar(), new CookieJar()];
    const request = await there.provider.request(insecure, there.tenant, {}, browser);
    await there.provider.request(insecure, there.tenant, {}, other);
    const said = { email: there.address() };
    const response = await there.provider.respond(request, said, insecure.clock.now());
    // Another browser's cookie is refused; a missing one is allowed, because a cross-site POST carries none.
    expect((await postResponse(insecure, response, {}, other)).status).toBe(401);
    const code = codeIn(await postResponse(insecure, response, {}, new CookieJar()));
    expect((await there.exchange(code, other)).status).toBe(400);
    expect((await there.exchange(code, new CookieJar())).status).toBe(400);
    expect((await there.exchange(code, browser)).status).toBe(200);
    await insecure.close();
  });
});

describe.skipIf(noBrowser !== null)('SAML in Chromium', () => {
  /** A page on another site that submits a form by itself, as identity providers do. */
  async function startOtherSite(html: () => string) {
    const site = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html');
      res.end(html());
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    // A host different from the service's makes it another site.
    const url = `http://localhost:${(site.address() as AddressInfo).port}`;
    return { url, close: () => site.close() };
  }

  it('a SAML sign-in completes in the browser that started it, and Chromium rejects a planted one', async () => {
    let response = '';
    const site = await startOtherSite(
      () =>
        `<form method="post" action="${server.url}/auth/saml/acs"><input name="SAMLResponse" value="${response}"></form><script>document.forms[0].submit()</script>`,
    );
    const chromium = await launchBrowser();
    try {
      const email = sso.address();
      const context = await chromium.newContext();
      const page = await context.newPage();
      // The provider's address does not exist; the test only needs the request that the browser takes there.
      const begin = await context.newPage();
      const asked = begin.waitForRequest(/^https:\/\/idp\.example\.com\//);
      await begin
        .goto(`${server.url}/auth/saml/login?tenant=${sso.tenant.id}`)
        .catch(() => undefined);
      const request = await sso.provider.requestIn((await asked).url(), server, sso.tenant);
      response = await sso.provider.respond(request, { email }, server.clock.now());
      await submitted(page, site.url);
      await page.getByText(`You are signed in as ${email}`).waitFor();

      // The attacker's response, submitted in the victim's browser.
      response = await begun(new CookieJar());
      await submitted(page, site.url);
      await page.getByText('The sign-in was refused (INVALID_CREDENTIALS)').waitFor();

      // The attacker's code, submitted in the victim's browser.
      const attacker = new CookieJar();
      const planted = codeIn(await post(await begun(attacker), attacker));
      await page.goto(`${server.url}/auth/callback?code=${planted}`);
      await page.getByText('was issued to another browser').waitFor();
      await context.close();
    } finally {
      await chromium.close();
      site.close();
    }
  });
});

/** Opens a page that submits its form immediately, which may abort the navigation to the page itself. */
async function submitted(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' }).catch((error: unknown) => {
    if (!/interrupted|ERR_ABORTED/.test(String(error))) throw error;
  });
}
