// npm run test:third-parties: generates clients from openapi.json in Python, Go, Java and Rust, compiles them, and runs a
// program with each against a live server. Arguments are words in the names of the languages. docs/clients explains them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCUMENT_30, LANGUAGES, type Language, whyNot } from '../tests/third-parties/languages.ts';
import { run } from '../tests/third-parties/run.ts';
import { type LiveServer, startLiveServer } from '../tests/third-parties/server.ts';
import { expectedLines } from '../tests/third-parties/steps.ts';
import { toOpenApi30 } from '../tools/openapi-3.0.ts';

const INVENTORY = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));
/** The number of builds at the same time: the longest one takes a lane alone. */
const LANES = 2;

const words = process.argv.slice(2);
const chosen = LANGUAGES.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);

const document = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));
await mkdir(dirname(DOCUMENT_30), { recursive: true });
await writeFile(DOCUMENT_30, JSON.stringify(toOpenApi30(document)));

const server = await startLiveServer();
try {
  const expected = await expectedLines(await server.urlFor(1), server.apiKey);
  const waiting = [...chosen];
  // A program waits a minute for its limit, so the next client is built in the meantime.
  const running: Promise<void>[] = [];
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const language = next;
        const seconds = await build(language);
        if (seconds !== null) running.push(exercise(language, server, expected, seconds));
      }
    }),
  );
  await Promise.all(running);
} finally {
  await server.stop();
}

/** @returns what was measured, or null if the language is skipped or failed */
async function build(language: Language): Promise<string | null> {
  const reason = await whyNot(language);
  if (reason !== null) {
    console.log(`skipped ${language.name}: ${reason}`);
    // `.ci/run` installs what Debian has.
    if (language.inDebian && process.env['CI'] !== undefined && process.getuid?.() === 0) fail();
    return null;
  }
  try {
    const generated = await timed(() => language.generate());
    const compiled = await timed(() => language.compile());
    return `generated ${generated} s, compiled ${compiled} s`;
  } catch (error) {
    report(language, error);
    return null;
  }
}

async function exercise(
  language: Language,
  { apiKey, urlFor }: LiveServer,
  expected: readonly string[],
  built: string,
): Promise<void> {
  try {
    const number = LANGUAGES.indexOf(language) + 2;
    const environment = {
      ...language.program.environment,
      CSPM_URL: await urlFor(number),
      CSPM_API_KEY: apiKey,
      CSPM_PROJECT: `third-party-${number}`,
      CSPM_INVENTORY: INVENTORY,
    };
    let output = '';
    const ran = await timed(async () => {
      output = await run({ ...language.program, environment });
    });
    const lines = output.trim().split('\n');
    const wrong = expected.findIndex((line, index) => lines[index] !== line);
    if (wrong >= 0) throw new Error(`printed "${lines[wrong]}" instead of "${expected[wrong]}"`);
    console.log(`ok      ${language.name}: ${built}, ran ${ran} s`);
  } catch (error) {
    report(language, error);
  }
}

function report({ name }: Language, error: unknown): void {
  console.log(`FAILED  ${name}: ${error instanceof Error ? error.message : error}`);
  fail();
}

function fail(): void {
  process.exitCode = 1;
}

async function timed(work: () => Promise<void>): Promise<string> {
  const startedAt = performance.now();
  await work();
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}
