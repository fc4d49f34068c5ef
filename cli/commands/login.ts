import { createInterface } from 'node:readline/promises';
import { PassThrough } from 'node:stream';
import { ApiError, createClient } from '@cspm/sdk';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, urlOf } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { forgetSession, readSession, saveSession } from '../session-file.ts';
import { say, type Terminal } from '../terminal.ts';

export const login = command({
  name: 'login',
  usage: 'cspm login --email <address> [--url <url>]',
  summary:
    'Signs in and stores the session for later commands. In pipelines, set CSPM_API_KEY instead.',
  options: {
    email: {
      kind: 'text',
      value: 'address',
      help: 'The e-mail address of the account. Without it, the command asks for it.',
    },
    tenant: {
      kind: 'text',
      value: 'id',
      help: 'The tenant to sign in to. Default: the last one used.',
    },
    logout: { kind: 'switch', help: 'End the stored session.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal) {
    if (values.logout) return logout(terminal);
    const url = urlOf(values, terminal);
    const cspm = createClient({ baseUrl: url });
    const email = values.email ?? (await ask(terminal, 'E-mail: '));
    const password = await ask(terminal, 'Password: ', { hidden: true });
    const account = {
      email,
      password,
      ...(values.tenant !== undefined && { tenantId: values.tenant }),
    };
    const tokens = await cspm.auth.login(account).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'TOTP_REQUIRED') throw error;
      return cspm.auth.login({ ...account, totp: await ask(terminal, 'One-time code: ') });
    });
    await saveSession(terminal.environment, { url, ...tokens });
    const { tenant, role } = await cspm.auth.me();
    say(terminal, `Signed in to ${tenant.name} as ${role}.`);
    return EXIT.ok;
  },
});

async function logout(terminal: Terminal) {
  const session = await readSession(terminal.environment);
  if (session !== null) {
    const cspm = createClient({ baseUrl: session.url });
    await cspm.auth.logout({ refreshToken: session.refreshToken });
    await forgetSession(terminal.environment);
  }
  say(terminal, 'Signed out.');
  return EXIT.ok;
}

/** Reads one line from the user. A hidden answer is not echoed. */
async function ask(
  terminal: Terminal,
  question: string,
  { hidden = false }: { readonly hidden?: boolean } = {},
): Promise<string> {
  terminal.messages.write(question);
  const lines = createInterface({
    input: terminal.input,
    // readline echoes the input to its output.
    output: hidden ? new PassThrough().resume() : terminal.messages,
    terminal: terminal.isInteractive,
  });
  try {
    return await lines.question('', { signal: terminal.interrupted });
  } finally {
    lines.close();
    if (hidden) terminal.messages.write('\n');
  }
}
