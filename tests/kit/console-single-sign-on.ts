import type { ConsoleVisitor } from './console-page.ts';
import type { SingleSignOn } from './single-sign-on.ts';
import type { TestServer } from './test-server.ts';

/** Signs in at the identity provider, without the sign-in page, and returns with its response, as a browser does. */
export async function signInThrough(
  { page }: ConsoleVisitor,
  server: TestServer,
  { provider, tenant }: Pick<SingleSignOn, 'provider' | 'tenant'>,
  email: string,
): Promise<void> {
  // The host of the provider does not exist, and Playwright does not intercept requests that follow a redirect.
  const begun = page.waitForRequest('https://idp.example.com/**');
  await page.goto(`${server.url}/auth/saml/login?tenant=${tenant.id}`).catch(() => undefined);
  // The browser opens its error page after that, which would interrupt the next navigation.
  await page.waitForURL(/^chrome-error:/, { waitUntil: 'commit' });
  const address = (await begun).url();
  const request = await provider.requestIn(address, server, tenant);
  const response = await provider.respond(request, { email }, server.clock.now());
  const body = `<form method="post" action="${request.acsUrl}"><input name="SAMLResponse" value="${response}"><button>Go</button></form>`;
  await page.route('https://idp.example.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  );
  await page.goto(address);
  await page.getByRole('button', { name: 'Go' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
