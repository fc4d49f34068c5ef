#!/usr/bin/env node
/**
 * Prisma's schema engine from npm, for networks where the native one cannot be downloaded.
 * SCHEMA_ENGINE=wasm turns it on; `prisma.config.ts` reads the variable.
 *
 * It accepts the native engine's command line and speaks its protocol (JSON-RPC, one message a line,
 * on stdin and stdout). The work is done by the same engine compiled to WebAssembly,
 * `@prisma/schema-engine-wasm`, over a `pg` connection. Only developers need it: the server
 * migrates without the Prisma CLI.
 *
 * The protocol is that of Prisma 7.10. The CLI's half of it is in `prisma/build/cli.js`, around
 * `--datamodels` and `can-connect-to-database`; look there again when Prisma is upgraded.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import {
  abandon,
  adapterFactory,
  canConnect,
  createDatabase,
  databaseOf,
  forgetScriptFailure,
  scriptFailure,
  urlOf,
} from './schema-engine/postgres.mjs';

/**
 * @typedef {import('./schema-engine/postgres.mjs').Datasource} Datasource
 * @typedef {{ id?: number, method?: string, params?: unknown }} Request
 * @typedef {{ message: string, error_code?: string, is_panic?: boolean, backtrace?: string }} Fault
 *   What the CLI reads of an error: in `error.data` of a response, in `fields` of a log line.
 * @typedef {Record<string, ((params: unknown) => Promise<unknown>) | undefined>} Engine
 */

/**
 * Connection errors: Prisma's code for each, some of which the CLI handles, and its message.
 *
 * @type {Record<string, { code: string, text: (database: string, server: URL) => string }>}
 */
const connectionFaults = {
  '3D000': { code: 'P1003', text: (database) => `Database \`${database}\` does not exist` },
  '42P04': { code: 'P1009', text: (database) => `Database \`${database}\` already exists` },
  '28P01': { code: 'P1000', text: (_, { username }) => `The password of ${username} is wrong` },
  28000: { code: 'P1010', text: (database) => `Access to \`${database}\` was denied` },
  ECONNREFUSED: { code: 'P1001', text: unreachable },
  ENOTFOUND: { code: 'P1001', text: unreachable },
  EHOSTUNREACH: { code: 'P1001', text: unreachable },
  ETIMEDOUT: { code: 'P1001', text: unreachable },
};

await main();

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      datamodels: { type: 'string', short: 'd', multiple: true },
      datasource: { type: 'string', default: '{}' },
      'enabled-preview-features': { type: 'string' },
      'extension-types': { type: 'string' },
      version: { type: 'boolean', short: 'V' },
    },
  });
  /** @type {Datasource} */
  const datasource = JSON.parse(values.datasource);

  // The CLI always ends the engine with SIGTERM, so this is not a failure.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void abandon().finally(() => process.exit(0)));
  }

  if (values.version) {
    const { version } = await loadBindings();
    process.stdout.write(`schema-engine-cli ${version()}\n`);
  } else if (positionals[0] === 'cli') {
    await runCommand(positionals[1], datasource);
  } else {
    await serve(values.datamodels ?? [], datasource);
  }
}

// The two ways to be called

/**
 * One command and out. The CLI skips the first line of stderr and parses each of the others.
 *
 * @param {string | undefined} name
 * @param {Datasource} datasource
 */
async function runCommand(name, datasource) {
  log('INFO', { message: 'Starting schema engine CLI' });
  try {
    const url = urlOf(datasource);
    if (name === 'can-connect-to-database') await canConnect(url);
    else if (name === 'create-database') await createDatabase(url);
    else throw new Error(`The schema engine has no command ${name}.`);
  } catch (error) {
    log('ERROR', faultOf(error, datasource));
    process.exitCode = 1;
  }
}

/**
 * The JSON-RPC server. Requests are served sequentially, because the engine is not re-entrant.
 *
 * @param {string[]} datamodelPaths
 * @param {Datasource} datasource
 */
async function serve(datamodelPaths, datasource) {
  /** @type {Engine | undefined} */
  let engine;
  for await (const line of linesOf(process.stdin)) {
    /** @type {Request} */
    const request = JSON.parse(line);
    // A message without a method is the CLI's acknowledgement of one of our `print` messages.
    if (request.method === undefined) continue;
    forgetScriptFailure();
    try {
      engine ??= await createEngine(datamodelPaths, datasource);
      send({ id: request.id, result: await call(engine, request) });
    } catch (error) {
      const data = faultOf(error, datasource, request);
      const message = 'An error happened. Check the data field for details.';
      send({ id: request.id, error: { code: 4466, message, data } });
    }
  }
  // The engine's idle connection would keep the process alive.
  process.exit(0);
}

/**
 * Only a line feed ends a line. Since Node 24, `node:readline` also ends one at U+2028 and U+2029, which a schema in a
 * message may contain.
 *
 * @param {NodeJS.ReadStream} input
 */
async function* linesOf(input) {
  let rest = '';
  for await (const piece of input.setEncoding('utf8')) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/**
 * @param {Engine} engine
 * @param {Request} request
 * @returns {Promise<unknown>}
 */
async function call(engine, { method = '', params }) {
  // The only method with another name in the WebAssembly build.
  const run = engine[method === 'getDatabaseVersion' ? 'version' : method];
  if (run === undefined) throw new Error(`The schema engine has no method ${method}.`);
  const result = (await run.call(engine, params)) ?? {};
  if (method !== 'diff') return result;

  // The native engine makes the CLI print a difference before it answers; `migrate diff --output` needs that.
  const { exitCode, stdout } = /** @type {{ exitCode: number, stdout: string | null }} */ (result);
  if (stdout) send({ id: 0, method: 'print', params: { content: stdout.replace(/\n$/, '') } });
  return { exitCode, stdout: null };
}

// The engine

/**
 * @param {string[]} datamodelPaths
 * @param {Datasource} datasource
 * @returns {Promise<Engine>}
 */
async function createEngine(datamodelPaths, datasource) {
  // The engine's own connection errors lack their code (P1001, P1003, …), so check the connection first.
  await canConnect(urlOf(datasource));
  /** @type {[path: string, content: string][]} */
  const datamodels = [];
  for (const path of datamodelPaths) datamodels.push([path, await readFile(path, 'utf8')]);
  const { SchemaEngine } = await loadBindings();
  const engine = await SchemaEngine.new(
    // An empty list makes the engine panic, so it is omitted.
    { datamodels: datamodels.length > 0 ? datamodels : undefined },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapterFactory(datasource)),
  );
  return /** @type {Engine} */ (/** @type {unknown} */ (engine));
}

/** Instantiates the WebAssembly module: Node 20 cannot import one, as the package's entry does. */
async function loadBindings() {
  // The engine leaves the reason of a panic here; the exception itself says only "unreachable".
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      message: '',
      /** @param {string} message */
      set_message(message) {
        this.message = message;
      },
    },
  });
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const entry = import.meta.resolve('@prisma/schema-engine-wasm');
  const wasm = await readFile(new URL('schema_engine_bg.wasm', entry));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  /** @type {() => void} */ (instance.exports['__wbindgen_start'])();
  return bindings;
}

// Messages to the CLI

/** @param {Record<string, unknown>} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/**
 * A line like those of the native engine's log.
 *
 * @param {'INFO' | 'ERROR'} level
 * @param {Fault} fields
 */
function log(level, fields) {
  process.stderr.write(`${JSON.stringify({ level, fields, target: 'schema_engine::logger' })}\n`);
}

/**
 * @param {unknown} error
 * @param {Datasource} datasource
 * @param {Request} [request]
 * @returns {Fault}
 */
function faultOf(error, { url }, request) {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error instanceof WebAssembly.RuntimeError) {
    const { message } = Reflect.get(globalThis, 'PRISMA_WASM_PANIC_REGISTRY');
    return { is_panic: true, message, backtrace: error.stack ?? '' };
  }
  const code = /** @type {{ code?: string }} */ (error).code ?? '';
  const connectionFault = connectionFaults[code];
  if (connectionFault !== undefined && url) {
    const text = connectionFault.text(databaseOf(url), new URL(url));
    return { error_code: connectionFault.code, message: `${text}\n\n${error.message}`.trim() };
  }
  // The engine appends its stack trace to the message.
  const said = error.message.replace(/\n {3}0: [\s\S]*$/, '').trim();
  const failure = scriptFailure();
  if (failure === null) return { error_code: code, message: said };
  const cause = describeScriptError(failure);
  if (request?.method !== 'applyMigrations') {
    // The text after "Error:" is a less precise version of the same message.
    return { error_code: code, message: `${said.split(/\s*\nError:\n/)[0]}\n\n${cause}` };
  }
  const advice = 'Resolve it before others are applied: https://pris.ly/d/migrate-resolve';
  return { error_code: 'P3018', message: `A migration failed to apply. ${advice}\n\n${cause}` };
}

/** @param {import('./schema-engine/postgres.mjs').ScriptFailure} failure */
function describeScriptError({ error, script }) {
  const lines = [`Database error ${error.code}: ${error.message}`];
  if (error.position !== undefined) {
    const number = script.slice(0, Number(error.position)).split('\n').length;
    lines.push(`Line ${number}: ${script.split('\n')[number - 1]?.trim()}`);
  }
  if (error.detail) lines.push(`Detail: ${error.detail}`);
  if (error.hint) lines.push(`Hint: ${error.hint}`);
  if (error.where) lines.push(`Where: ${error.where}`);
  return lines.join('\n');
}

/**
 * @param {string} _database
 * @param {URL} server
 */
function unreachable(_database, { host }) {
  return `Can't reach database server at \`${host}\``;
}
