import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newestRecord } from '../release/record.ts';
import { breaks, type Change } from './change.ts';
import { compareDocuments } from './compare.ts';
import { correctionOf } from './corrections.ts';
import type { Node } from './node.ts';
import type { Verdict } from './oasdiff.ts';
import { jsonReport, textReport } from './report.ts';

const USAGE = `Usage: npm run check:breaking -- <base openapi.json> [present openapi.json] [options]
       npm run check:breaking -- --since-release [present openapi.json] [options]
Options: --format text|json, --without-oasdiff`;

export interface Surroundings {
  /** The root of the repository, with openapi.json and the records of releases. */
  readonly root: string;
  readonly today: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** A second comparison of two documents, given by their paths. */
  readonly secondOpinion?: (base: string, present: string) => Promise<Verdict>;
}

class Misuse extends Error {}

/**
 * Lists the changes between two documents that affect callers.
 * @returns the exit code: 0, no breaking change; 1, a breaking change; 2, wrong arguments.
 */
export async function checkBreaking(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<0 | 1 | 2> {
  if (args.includes('--help')) {
    surroundings.print(USAGE);
    return 0;
  }
  try {
    return await check(args, surroundings);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isMisuse = error instanceof Misuse;
    surroundings.printError(isMisuse ? `${error.message}\n${USAGE}` : error.message);
    return 2;
  }
}

async function check(
  args: readonly string[],
  { root, today, print, printError, secondOpinion }: Surroundings,
): Promise<0 | 1> {
  const { base, present, format, withOasdiff } = parse(args);
  const presentPath = present ?? join(root, 'openapi.json');
  const now = await documentAt(presentPath);
  let before: Node;
  let basePath = base ?? '';
  let version: string | null = null;
  if (base === undefined) {
    const release = await newestRecord(root);
    version = release.version;
    printError(`Since ${release.version}:`);
    basePath = join(root, release.folder, 'openapi.json');
    before = documentOf(release.text('openapi.json'), `${release.folder}/openapi.json`);
  } else {
    before = await documentAt(base);
  }
  const changes = compareDocuments(before, now, today).map((change) =>
    version === null ? change : corrected(change, version),
  );
  print(format === 'json' ? jsonReport(changes) : textReport(changes));
  const other = withOasdiff ? await secondOpinion?.(basePath, presentPath) : undefined;
  if (other !== undefined) printError(other.text);
  const isBroken = changes.some(breaks);
  return isBroken || other?.outcome === 'broken' ? 1 : 0;
}

function corrected(change: Change, release: string): Change {
  const correction = correctionOf(change, release);
  return correction === undefined ? change : { ...change, corrects: correction.reason };
}

interface Task {
  /** Default: the document of the last release. */
  readonly base: string | undefined;
  /** Default: the document in the root. */
  readonly present: string | undefined;
  readonly format: 'text' | 'json';
  readonly withOasdiff: boolean;
}

function parse(args: readonly string[]): Task {
  const { values, positionals } = parsed(args);
  const { format, 'since-release': sinceRelease } = values;
  if (format !== 'text' && format !== 'json') throw new Misuse(`There is no format "${format}".`);
  const files = sinceRelease ? [undefined, ...positionals] : positionals;
  if (files.length === 0) throw new Misuse('The base document is missing.');
  if (files.length > 2) throw new Misuse('Two documents are compared, not more.');
  const [base, present] = files;
  return { base, present, format, withOasdiff: !values['without-oasdiff'] };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        format: { type: 'string', default: 'text' },
        'since-release': { type: 'boolean', default: false },
        'without-oasdiff': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error));
  }
}

async function documentAt(path: string): Promise<Node> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Misuse(`${path} cannot be read.`);
  });
  return documentOf(text, path);
}

function documentOf(text: string, name: string): Node {
  let document: Node | null;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Misuse(`${name} is not JSON.`);
  }
  if (!/^3\./.test(String(document?.['openapi'])) || typeof document?.['paths'] !== 'object') {
    throw new Misuse(`${name} is not an OpenAPI 3 document.`);
  }
  return document;
}
