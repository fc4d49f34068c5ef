import { codeAt, enrol } from './authenticator.ts';
import type { ConsoleVisitor } from './console-page.ts';
import type { TestUser } from './people.ts';
import { TEST_APP_SECRET, type TestServer } from './test-server.ts';

/** Gives a person an authenticator and signs them in with it on the page that is shown. */
export async function signInWithCode(
  visitor: ConsoleVisitor,
  server: TestServer,
  user: TestUser,
): Promise<void> {
  const at = server.clock.now();
  const { secret } = await enrol(server.database, TEST_APP_SECRET, user, { at });
  await visitor.signIn(user.email, user.password);
  await visitor.page.getByLabel('Authentication code').fill(codeAt(secret, server.clock.now()));
  await visitor.page.getByRole('button', { name: 'Verify' }).click();
}
