import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { ApiError, type Tokens } from '@cspm/sdk';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, clientOf, urlOf } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { forgetSession, readSession, saveSession } from '../session-file.ts';
import { printable } from '../table.ts';
import { say, type Terminal } from '../terminal.ts';
import { InputError } from '../usage-error.ts';

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
    const cspm = clientOf({ baseUrl: url }, terminal);
    const questions = new Questions(terminal);
    const signIn = async () => {
      const email = values.email ?? (await questions.ask('E-mail: '));
      const password = await questions.ask('Password: ', { hidden: true });
      const account = {
        email,
        password,
        ...(values.tenant !== undefined && { tenantId: values.tenant }),
      };
      return cspm.auth.login(account).catch(async (error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'TOTP_REQUIRED') throw error;
        return cspm.auth.login({ ...account, totp: await questions.ask('One-time code: ') });
      });
    };
    const tokens = await signIn().finally(() => questions.close());
    await saveSession(terminal.environment, { url, ...checked(tokens) }).catch(async (error) => {
      // Nobody could use the session or end it.
      await cspm.auth.logout({ refreshToken: tokens.refreshToken }).catch(() => undefined);
      throw error;
    });
    const { tenant, role } = await cspm.auth.me();
    say(terminal, `Signed in to ${tenant.name} as ${role}.`);
    return EXIT.ok;
  },
});

/** @throws {ApiError} when the server is not the service, so that its answer does not replace a stored session */
function checked({ accessToken, refreshToken, expiresIn }: Partial<Tokens>) {
  if (!isFilled(accessToken) || !isFilled(refreshToken) || typeof expiresIn !== 'number') {
    throw new ApiError({ code: 'INVALID_RESPONSE', message: 'the answer contains no tokens' });
  }
  return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1_000 };
}

function isFilled(text: unknown): text is string {
  return typeof text === 'string' && text !== '';
}

/** Forgets the session even if the service does not end it. */
async function logout(terminal: Terminal) {
  const session = await readSession(terminal.environment);
  if (session !== null) {
    const { url, refreshToken } = session;
    try {
      await clientOf({ baseUrl: url }, terminal).auth.logout({ refreshToken });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      say(
        terminal,
        `Signed out on this machine, but ${printable(url)} did not end the session (${printable(error.message)}). It stays valid there until it expires.`,
      );
      return EXIT.service;
    } finally {
      await forgetSession(terminal.environment);
    }
  }
  say(terminal, 'Signed out.');
  return EXIT.ok;
}

/** Asks the user for one line after the other. Input that is not typed may contain several. */
class Questions {
  readonly #terminal: Terminal;
  /** readline echoes the input to its output. */
  readonly #echo = new PassThrough();
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;

  constructor(terminal: Terminal) {
    const { input, isTerminal, interrupted } = terminal;
    this.#terminal = terminal;
    this.#lines = createInterface({ input, output: this.#echo, terminal: isTerminal.input });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    // In a terminal, readline takes Ctrl-C for itself.
    this.#lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    interrupted.addEventListener('abort', () => this.#lines.close(), { once: true });
  }

  /** A hidden answer is not echoed. @throws {InputError} at the end of the input */
  async ask(
    question: string,
    { hidden = false }: { readonly hidden?: boolean } = {},
  ): Promise<string> {
    const { messages, interrupted } = this.#terminal;
    if (hidden) {
      messages.write(question);
      this.#echo.resume();
    } else {
      this.#echo.pipe(messages, { end: false });
      this.#lines.setPrompt(question);
      this.#lines.prompt();
    }
    const answer = await this.#answers.next();
    this.#echo.unpipe(messages);
    if (hidden || answer.done === true) messages.write('\n');
    interrupted.throwIfAborted();
    if (answer.done !== true) return answer.value;
    throw new InputError(
      'The input ended before the question was answered. Type the answer in a terminal, or set CSPM_API_KEY.',
    );
  }

  close(): void {
    this.#lines.close();
  }
}
