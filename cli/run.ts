import { GoogleCloudError } from '@cspm/google-cloud';
import { ApiError, ConnectionError, RateLimitError } from '@cspm/sdk';
import { describeOptions, parseOptions } from './arguments.ts';
import type { Command } from './command.ts';
import { assets } from './commands/assets.ts';
import { findings } from './commands/findings.ts';
import { findingsShow } from './commands/findings-show.ts';
import { inventoryPull } from './commands/inventory-pull.ts';
import { inventoryValidate } from './commands/inventory-validate.ts';
import { login } from './commands/login.ts';
import { mock } from './commands/mock.ts';
import { notifications } from './commands/notifications.ts';
import { posture } from './commands/posture.ts';
import { preflight } from './commands/preflight.ts';
import { scan } from './commands/scan.ts';
import { scans } from './commands/scans.ts';
import { schedules } from './commands/schedules.ts';
import { sources } from './commands/sources.ts';
import { webhooks } from './commands/webhooks.ts';
import { addressOf, answeredByOther, urlOf } from './connection.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import packageJson from './package.json' with { type: 'json' };
import { suggestion } from './suggestion.ts';
import { printable } from './table.ts';
import { say, type Terminal } from './terminal.ts';
import { InputError, UsageError } from './usage-error.ts';

// The list loses the type of each command's options; a command only ever receives the values of its own options.
const COMMANDS = [
  scan,
  inventoryPull,
  inventoryValidate,
  scans,
  findingsShow,
  findings,
  assets,
  posture,
  preflight,
  schedules,
  sources,
  webhooks,
  notifications,
  login,
  mock,
] as unknown as readonly Command[];

/** Runs one command line. @param args the arguments without the program name */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name] = args;
  if (name === undefined || name === 'help' || isHelp(name)) {
    const words = args.slice(1).filter((word) => !isHelp(word));
    if (words.length > 0) return run([...words, '--help'], terminal);
    terminal.output.write(overview());
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version') {
    terminal.output.write(`${packageJson.version}\n`);
    return EXIT.ok;
  }
  const command = COMMANDS.find((known) => wordsOf(known).every((word, at) => word === args[at]));
  if (command === undefined) {
    const group = COMMANDS.filter((known) => wordsOf(known)[0] === name);
    if (group.length > 0 && isHelp(args[1])) {
      terminal.output.write(helpOfGroup(name, group));
      return EXIT.ok;
    }
    say(terminal, unknownCommand(group.length > 0 ? args.slice(0, 2) : [name], group));
    return EXIT.usage;
  }
  const rest = args.slice(wordsOf(command).length);
  if (rest.some(isHelp)) {
    terminal.output.write(help(command));
    return EXIT.ok;
  }
  let url: string | undefined;
  try {
    const { values, positionals } = parseOptions(rest, command.options);
    url = values['url'] as string | undefined;
    const surplus = positionals[command.maxArguments ?? 0];
    if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}".`);
    return await command.run(values, terminal, positionals);
  } catch (error) {
    if (terminal.interrupted.aborted && !(error instanceof UsageError)) throw error;
    if (error instanceof TypeError && answeredByOther(terminal)) {
      say(terminal, otherService(printable(await usedAddress({ url }, command, terminal))));
      return EXIT.service;
    }
    const code = refusal(error, command, terminal);
    const remedy = error instanceof ApiError ? REMEDIES.find(({ of }) => of(error)) : undefined;
    if (error instanceof ApiError && remedy !== undefined) {
      const address = printable(await usedAddress({ url }, command, terminal));
      say(terminal, remedy.text(address, error));
    }
    return code;
  }
}

/** A command of two words, such as `inventory pull`, is found by both. */
function wordsOf({ name }: Command): readonly string[] {
  return name.split(' ');
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

/** @param group the commands that begin with the first word */
function unknownCommand(words: readonly string[], group: readonly Command[]): string {
  const [name = ''] = words;
  const given = words.join(' ');
  const known = group.length > 0 ? group : COMMANDS;
  const hint = suggestion(
    given,
    known.flatMap((one) => [one.name, ...wordsOf(one).slice(0, 1)]),
  );
  const fault =
    group.length > 0 && words.length === 1
      ? `The command is missing after "${printable(name)}".`
      : `Unknown command "${printable(given)}".${hint}`;
  return `${fault}\n\n${group.length > 0 ? helpOfGroup(name, group) : overview()}`;
}

function refusal(error: unknown, command: Command, terminal: Terminal): ExitCode {
  if (error instanceof UsageError) {
    const usage = error instanceof InputError ? '' : `\n\nUsage: ${command.usage}`;
    say(terminal, `${printableLines(error.message)}${usage}`);
    return EXIT.usage;
  }
  if (error instanceof GoogleCloudError) {
    say(terminal, `${printable(error.message)}\n${printable(error.remedy)}`);
    return error.code === 'invalid_input' ? EXIT.usage : EXIT.service;
  }
  if (!(error instanceof ApiError)) throw error;
  const { problem, correlationId } = error;
  const { code } = error;
  const reason = isWithoutTls(error) ? 'the server does not speak TLS; use http://' : error.message;
  // Messages of errors that the service returned start with the code.
  const text = reason.startsWith(`${code}:`) ? reason : `${code}: ${reason}`;
  // The option of the SDK is not one of the command line.
  const message = text.replace(/; check baseUrl$/, '');
  say(terminal, printable(message));
  for (const { path, message } of problem?.errors ?? []) {
    const fault = path === '' ? message : `${path}: ${message}`;
    // The detail of a problem, which the message contains, is usually its first fault.
    if (problem?.detail === fault || problem?.detail === message) continue;
    say(terminal, `  ${printable(fault)}`);
  }
  for (const { id, message, remediation } of problem?.checks ?? []) {
    say(terminal, `  ${id}: ${printable(`${message} ${remediation}`)}`);
  }
  if (correlationId !== undefined) say(terminal, `  Correlation id: ${correlationId}`);
  return error.code === 'PREFLIGHT_BLOCKED' ? EXIT.incomplete : EXIT.service;
}

/** What OpenSSL says about a response that is no TLS. */
const NO_TLS = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'];

/** Whether the address begins with https:// and the server answers without TLS. */
function isWithoutTls(error: ApiError): boolean {
  return NO_TLS.includes(causeOf(error));
}

/** What Node says about a certificate that no known authority has signed. */
const UNKNOWN_CA =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE))/;

/** The code of the failure below the error of `fetch`. */
function causeOf(error: ApiError): string {
  if (!(error instanceof ConnectionError) || !(error.cause instanceof Error)) return '';
  const { code = '' } = (error.cause.cause ?? {}) as NodeJS.ErrnoException;
  return code;
}

interface Remedy {
  of(error: ApiError): boolean;
  text(address: string, error: ApiError): string;
}

const SET_ADDRESS = 'Set --url or CSPM_URL to the address of the service.';

/** What to do about errors that a later time or another address of the service can help with. */
const REMEDIES: readonly Remedy[] = [
  {
    of: (error) => error instanceof RateLimitError && error.retryAfterMs !== undefined,
    text: (_, { retryAfterMs = 0 }) => `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`,
  },
  {
    of: isWithoutTls,
    text: (address) =>
      `Set --url or CSPM_URL to ${address.replace(/^https/, 'http')}, or to an address with TLS.`,
  },
  {
    of: (error) => UNKNOWN_CA.test(causeOf(error)),
    text: (address) =>
      `No authority that Node trusts has signed the certificate of ${address}. Set NODE_EXTRA_CA_CERTS to the file of its certificate authority.`,
  },
  {
    of: (error) => /CERT/.test(causeOf(error)),
    text: (address) => `The certificate of ${address} is not valid.`,
  },
  {
    of: (error) => error instanceof ConnectionError,
    text: (address) => `Cannot reach ${address}. Is the server running? Set --url or CSPM_URL.`,
  },
  {
    of: ({ code }) => /^HTTP_3/.test(code),
    text: (address, { headers }) => {
      const target = headers?.get('location') ?? 'another address';
      return `${address} redirects to ${printable(target)}. ${SET_ADDRESS}`;
    },
  },
  {
    of: ({ code }) => code === 'INVALID_RESPONSE' || /^HTTP_4/.test(code),
    text: otherService,
  },
];

function otherService(address: string): string {
  return `${address} does not answer as the service does. ${SET_ADDRESS}`;
}

async function usedAddress(
  options: { readonly url: string | undefined },
  command: Command,
  terminal: Terminal,
): Promise<string> {
  return command.name === login.name ? urlOf(options, terminal) : addressOf(options, terminal);
}

function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function summaries(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n');
}

/** The help of commands that have only their first word in common, such as `inventory`. */
function helpOfGroup(name: string, commands: readonly Command[]): string {
  return `Usage: cspm ${name} <command> [options]

${summaries(commands)}

Run cspm help ${name} <command> to see the options of a command.
`;
}

function overview(): string {
  return `Usage: cspm <command> [options]

${summaries(COMMANDS)}

Run cspm help <command> to see its options, and cspm --version to see the version.

Environment:
  CSPM_API_KEY  the API key; without it, the session of cspm login is used
  CSPM_URL      the address of the service; --url overrides it

Exit codes:
  0  success
  1  findings at or above --fail-on
  2  wrong usage or input, such as an unknown id, or the file of --output cannot be written
  3  the scan did not start or did not complete, or its inventory is partial
  4  the service or Google refused the request or is not reachable, or standard output cannot be written
  70  an error of cspm itself
  129, 130, 143  ended by SIGHUP (a closed terminal), SIGINT (Ctrl-C) or SIGTERM
`;
}

function help({ usage, summary, options }: Command): string {
  const described = Object.keys(options).length === 0 ? '' : `\n${describeOptions(options)}\n`;
  return `Usage: ${usage}\n\n${summary}\n${described}`;
}
