import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { codeAt, enrol } from '../kit/authenticator.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { waitForShell } from '../kit/console-journeys.ts';
import { TEST_APP_SECRET } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

describe.skipIf(noBrowser !== null)('the session of several tabs', () => {
  const fixture = consoleFixture();

  it('a step-up while another tab renews the session leaves the browser signed in, whichever answer comes last', async () => {
    const { server } = fixture;
    const user = await server.people.user();
    const visitor = await fixture.open('/roles', user);
    const { page, context } = visitor;
    await page.getByRole('button', { name: 'Create role' }).click();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, user, {
      at: server.clock.now(),
    });
    const form = page.getByRole('dialog', { name: 'Create a role' });
    await form.getByLabel('Name').fill('release-manager');
    await form.getByLabel('Launch scans').check();
    await form.getByRole('button', { name: 'Create role' }).click();
    const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await stepUp.getByLabel('Code').fill(codeAt(secret, server.clock.now()));

    // The other tab renews the session, because a call is refused. The answer is on the way until the step-up has begun.
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await context.route('**/auth/refresh', async (route) => {
      const response = await route.fetch();
      await mayAnswer;
      // The page may have given up the request meanwhile.
      await route.fulfill({ response }).catch(() => undefined);
    });
    const second = await visitor.tab();
    await second.page.route(({ pathname }) => pathname === '/projects', refuse, { times: 1 });
    const renewal = second.page.waitForResponse('**/auth/refresh');
    await second.goto('/projects');
    await renewed(user.id);
    const verified = page.waitForResponse('**/auth/2fa/verify');
    await stepUp.getByRole('button', { name: 'Confirm' }).click();
    await Promise.race([verified, waitsForLock()]);
    answer();
    await (await renewal).finished();
    expect((await verified).status()).toBe(200);
    await form.waitFor({ state: 'detached' });

    // The only tab renews the session with the cookie that the browser has.
    await second.page.close();
    await context.unroute('**/auth/refresh');
    server.clock.advance({ minutes: 1 });
    await page.reload();
    await waitForShell(visitor);

    async function waitsForLock(): Promise<void> {
      await page.waitForFunction(async () => {
        const { pending = [] } = await navigator.locks.query();
        return pending.some(({ name }) => name === 'cspm.session');
      });
    }
  });

  /** Waits until the server has renewed the session of a person. */
  const renewed = (userId: string) =>
    until('a renewal', async () => {
      const { rows } = await fixture.server.database.owner.query(
        `SELECT 1 FROM identity.refresh_tokens r JOIN identity.sessions s ON s.id = r.session_id
         WHERE s.user_id = $1 AND r.spent_at IS NOT NULL`,
        [userId],
      );
      return rows.length > 0;
    });
});

/** As the server refuses a token that has expired. */
const refuse = (route: Route) =>
  route.fulfill({
    status: 401,
    contentType: 'application/problem+json',
    body: JSON.stringify({ status: 401, code: 'UNAUTHORIZED', title: 'Unauthorized' }),
  });
