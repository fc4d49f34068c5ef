import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { newId } from '../../server/platform/ids.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import { CookieJar } from '../kit/cookie-jar.ts';
import { GoogleAccounts } from '../kit/google-accounts.ts';
import { beginGoogle, googleForm, postGoogle } from '../kit/google-redirect.ts';
import { codeIn } from '../kit/identity-provider.ts';
import { SingleSignOn } from '../kit/single-sign-on.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';
import { TokenIssuer } from '../kit/token-issuer.ts';

describe.skipIf(noBrowser !== null)('sign-in in the console', () => {
  let browser: Browser;
  let issuer: TokenIssuer;
  let server: TestServer;
  let google: GoogleAccounts;
  let visitor: ConsoleVisitor;
  /** A page of another site, which attackers control. */
  let site: Server;
  let otherPage = '';

  beforeAll(async () => {
    await buildConsole();
    issuer = await TokenIssuer.start();
    site = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html').end(otherPage);
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE, issuer }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close(), issuer?.close()]);
    site?.close();
  });

  beforeEach(async () => {
    google = new GoogleAccounts(issuer, server, somebody());
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(() => visitor.close());

  const somebody = () => ({ sub: newId(), email: `${newId()}@example.com` });
  const heading = (name: string) => visitor.page.getByRole('heading', { name, level: 1 });
  const waitForShell = () =>
    visitor.page.getByRole('navigation', { name: 'Main' }).first().waitFor();

  async function startWithGoogle(path = '/sign-in') {
    await visitor.goto(path);
    await visitor.page.getByRole('link', { name: 'Continue with Google' }).click();
    await heading('Choose an account').waitFor();
  }

  /** Opens a page of another site and presses its button, as its script would. */
  async function submitFromOtherSite(form: string) {
    otherPage = `<!doctype html><html lang="en"><title>Other</title>${form}</html>`;
    await visitor.page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    await visitor.page.getByRole('button').click();
  }

  /** What Google would make the attacker's browser post. */
  async function formOfAttacker(attacker: CookieJar) {
    const request = await beginGoogle(server, attacker);
    const fields = new URLSearchParams(await googleForm(server, request, somebody()));
    const inputs = [...fields].map(([name, value]) => `<input name="${name}" value="${value}">`);
    return `<form method="post" action="${server.url}/auth/google/callback">${inputs.join('')}<button>Go</button></form>`;
  }

  async function expectNobodySignedIn() {
    await visitor.goto('/');
    await heading('Sign in').waitFor();
  }

  it('the sign-in page signs a person in with Google and opens the requested page', async () => {
    const { page } = visitor;
    await startWithGoogle('/projects');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${server.url}/console/projects`);
    await waitForShell();
    await page.getByText(google.person.email).first().waitFor();
    expect(visitor.complaints).toEqual([]);
    await page.reload();
    await waitForShell();
  });

  it('the sign-in page refuses a response of Google that is posted again, in its own browser and in another', async () => {
    await startWithGoogle();
    await visitor.page.getByRole('button', { name: 'Continue' }).click();
    await waitForShell();
    await submitFromOtherSite(google.granted);
    await heading('The sign-in has expired').waitFor();
    await visitor.close();
    visitor = await ConsoleVisitor.open(browser, server);
    await submitFromOtherSite(google.granted);
    await heading('The sign-in has expired').waitFor();
    await expectNobodySignedIn();
  });

  it('the sign-in page refuses a sign-in that an attacker planted in the browser of somebody else', async () => {
    // The victim has a sign-in under way, so the browser has a cookie of its own.
    await startWithGoogle();
    const attacker = new CookieJar();
    await submitFromOtherSite(await formOfAttacker(attacker));
    await heading('The sign-in has expired').waitFor();
    const form = await beginGoogle(server, attacker).then((one) =>
      googleForm(server, one, somebody()),
    );
    const planted = codeIn(await postGoogle(server, form, attacker));
    await visitor.page.goto(`${server.url}/auth/callback?code=${planted}`);
    await visitor.page.getByRole('button', { name: 'Continue' }).click();
    await heading('The sign-in has expired').waitFor();
    await visitor.page.waitForURL(`${server.url}/console/auth/callback`);
    await expectNobodySignedIn();
  });

  it('the sign-in page says that the person cancelled at Google, and leads to the requested page at the next try', async () => {
    const { page } = visitor;
    await startWithGoogle('/projects');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await heading('The sign-in was cancelled').waitFor();
    await page.waitForURL(`${server.url}/console/auth/callback`);
    await page.getByText(/^Correlation id/).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('sign-in-cancelled');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${server.url}/console/projects`);
    await waitForShell();
    expect(visitor.complaints).toEqual([]);
  });

  it('the sign-in page says that a person has no account while registration is closed', async () => {
    const closed = await startTestServer({
      ...{ consoleFolder: BUILT_CONSOLE, issuer, database: server.database },
      config: { registration: 'closed' },
    });
    const { page } = visitor;
    await page.goto(`${closed.url}/console/sign-in`);
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading('You have no account yet').waitFor();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('link', { name: 'Continue with Google' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create one' }).count()).toBe(0);
    await closed.close();
  });

  it('the sign-in page shows no text that a crafted link contains', async () => {
    const { page } = visitor;
    const words = encodeURIComponent('Call 555 <img src=x onerror=alert(1)>');
    await page.goto(`${server.url}/auth/callback?error=${words}&correlationId=${words}`);
    await heading('The sign-in failed').waitFor();
    expect(await page.innerText('body')).not.toContain('555');
    expect(await page.getByText(/Correlation id/).count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  it('the sign-in page finds the identity provider of a person by the domain of the address', async () => {
    const { page } = visitor;
    const sso = await SingleSignOn.start(server);
    await visitor.goto('/sign-in');
    await page.getByRole('button', { name: 'Use single sign-on' }).click();
    await page.getByLabel('Work e-mail').fill('ada@unknown.example');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(/no single sign-on for this domain/).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('single-sign-on-by-domain');
    // The host of the provider does not exist.
    const gone = page.waitForRequest('https://idp.example.com/**');
    await page.getByLabel('Work e-mail').fill(sso.address());
    await page.getByRole('button', { name: 'Continue' }).click();
    const request = await sso.provider.requestIn((await gone).url(), server, sso.tenant);
    expect(request.acsUrl).toBe(`${server.url}/auth/saml/acs`);
  });

  it('the sign-in page says that the response of an identity provider was refused', async () => {
    const fields = '<input name="SAMLResponse" value="PHNhbWxwOlJlc3BvbnNlLz4=">';
    await submitFromOtherSite(
      `<form method="post" action="${server.url}/auth/saml/acs">${fields}<button>Go</button></form>`,
    );
    await heading('The sign-in was refused').waitFor();
    await visitor.page.goto(`${server.url}/auth/saml/login?tenant=${newId()}`);
    await heading('No single sign-on').waitFor();
  });

  it('the sign-in page offers only the sign-in methods that the server has', async () => {
    const plain = await startTestServer({
      consoleFolder: BUILT_CONSOLE,
      config: { registration: 'closed' },
    });
    const { page } = visitor;
    const methods = page.waitForResponse(`${plain.url}/auth/methods`);
    await page.goto(`${plain.url}/console/sign-in`);
    await (await methods).finished();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    for (const name of ['Continue with Google', 'Use single sign-on', 'Create one']) {
      expect(await page.getByText(name).count()).toBe(0);
    }
    await plain.close();
  });

  it('the sign-in page lets people sign in with a password while the other methods are loading', async () => {
    const { page } = visitor;
    const user = await server.people.user();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    // Never answered.
    await page.route('**/auth/methods', () => isAsked());
    await visitor.goto('/sign-in');
    await asked;
    await visitor.signIn(user.email, user.password);
    await waitForShell();
  });

  it('the sign-in page lets people sign in with a password when the other methods cannot be loaded', async () => {
    const { page } = visitor;
    const user = await server.people.user();
    await page.route('**/auth/methods', (route) => route.abort());
    await visitor.goto('/sign-in');
    await page.getByText('Other ways to sign in could not be loaded.').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.unroute('**/auth/methods');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Continue with Google' }).waitFor();
    await visitor.signIn(user.email, user.password);
    await waitForShell();
  });

  it.each(['desktop', 'phone'] as const)(
    'the sign-in page is accessible in both themes on a %s',
    async (size) => {
      for (const theme of ['light', 'dark'] as const) {
        const other = await ConsoleVisitor.open(browser, server, { size, theme });
        await other.goto('/sign-in');
        await other.page.getByRole('link', { name: 'Continue with Google' }).waitFor();
        expect(await other.accessibilityViolations()).toEqual([]);
        await other.screenshot(`sign-in-methods-${size}-${theme}`);
        await other.close();
      }
    },
  );
});
