import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { checkJsonText, JSON_LIMITS } from '@cspm/scanner';
import { GoogleCloudError } from './google-cloud-error.ts';

export interface Page {
  /** The JSON of each asset on one line, as Google wrote it. */
  readonly records: readonly string[];
  readonly nextPageToken: string | null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;

/** How much is searched for brackets, and how long other work lasts, before others get their turn. */
const STEP_BYTES = 64 * 1024;
const STEP_MS = 5;

/** The page around the assets: a page token and a time. */
const ENVELOPE_MAX_BYTES = 64 * 1024;
const TOKEN_MAX = 16 * 1024;
/** The assets of a page are at the third level. */
const DEPTH_MAX = JSON_LIMITS.record.depth + 2;

/**
 * Splits a ListAssets answer into its assets without building the objects of the whole page. Each asset is checked and
 * parsed alone, so memory is that of the text and one asset. Others get their turn every few milliseconds: a page can
 * have 16 MiB.
 * @throws {GoogleCloudError} `invalid_response`
 */
export async function splitPage(bytes: Buffer): Promise<Page> {
  if (!isUtf8(bytes)) throw invalid('it is not UTF-8');
  const { list, assets } = await inSteps(findAssets(bytes));
  const envelope =
    list === null
      ? bytes
      : Buffer.concat([bytes.subarray(0, list.start), bytes.subarray(list.end)]);
  if (envelope.length > ENVELOPE_MAX_BYTES)
    throw invalid('it has too much data besides the assets');
  const { nextPageToken } = objectIn(envelope);
  if (nextPageToken !== undefined && typeof nextPageToken !== 'string') {
    throw invalid('nextPageToken is not text');
  }
  if ((nextPageToken?.length ?? 0) > TOKEN_MAX) throw invalid('nextPageToken is too long');
  return {
    records: await inSteps(recordsIn(assets)),
    nextPageToken: nextPageToken === undefined || nextPageToken === '' ? null : nextPageToken,
  };
}

interface Found {
  /** The inside of the array `assets`; null if the page has none, as the last one may. */
  readonly list: { readonly start: number; readonly end: number } | null;
  readonly assets: readonly Buffer[];
}

/** Reads brackets and strings only; JSON.parse checks the rest. */
function* findAssets(bytes: Buffer): Generator<void, Found> {
  const assets: Buffer[] = [];
  let list: { start: number; end: number } | null = null;
  let inList = false;
  let depth = 0;
  let assetStart = 0;
  let lastText = '';
  let member = '';
  let pauseAt = STEP_BYTES;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= pauseAt) {
      pauseAt = at + STEP_BYTES;
      yield;
    }
    switch (bytes[at]) {
      case QUOTE: {
        if (inList && depth === 2) throw invalid('an asset is not an object');
        const start = at + 1;
        for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
          if (bytes[at] === BACKSLASH) at += 1;
        }
        if (depth === 1) lastText = bytes.toString('latin1', start, Math.min(at, start + 32));
        break;
      }
      case COLON:
        if (depth === 1) member = lastText;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (inList && depth === 2) {
          if (bytes[at] === OPEN_BRACKET) throw invalid('an asset is not an object');
          assetStart = at;
        }
        depth += 1;
        if (depth > DEPTH_MAX) throw invalid('it is nested too deeply');
        if (depth === 2 && member === 'assets' && bytes[at] === OPEN_BRACKET) {
          if (list !== null) throw invalid('it has two lists of assets');
          list = { start: at + 1, end: bytes.length };
          inList = true;
        }
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        if (inList && depth === 2) assets.push(bytes.subarray(assetStart, at + 1));
        if (inList && depth === 1 && list !== null) {
          list.end = at;
          inList = false;
        }
        break;
      case COMMA:
        break;
      default:
        if (inList && depth === 2 && (bytes[at] ?? 0) > SPACE) {
          throw invalid('an asset is not an object');
        }
    }
  }
  if (inList || depth !== 0) throw invalid('it ends early');
  return { list, assets };
}

function* recordsIn(assets: readonly Buffer[]): Generator<void, string[]> {
  const records: string[] = [];
  for (const asset of assets) {
    records.push(recordIn(asset));
    yield;
  }
  return records;
}

/** Runs work, and yields to everything else that waits for the event loop when a step exceeds its time. */
async function inSteps<T>(work: Generator<void, T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < STEP_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** The text of an asset on one line. */
function recordIn(bytes: Buffer): string {
  const { name, assetType } = objectIn(bytes);
  if (typeof name !== 'string' || typeof assetType !== 'string') {
    throw invalid('an asset has no name or no assetType');
  }
  const text = bytes.toString('utf8');
  // Line breaks of well-formed JSON are between tokens.
  return /[\r\n]/.test(text) ? text.replace(/[\r\n][\r\n\t ]*/g, '') : text;
}

function objectIn(bytes: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    checkJsonText(bytes, JSON_LIMITS.record);
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw invalid('it is not JSON, or exceeds the limits of an inventory record');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('it is not an object');
  }
  return value as Record<string, unknown>;
}

function invalid(why: string): GoogleCloudError {
  return new GoogleCloudError(
    'invalid_response',
    `The Cloud Asset API answered with a page that cannot be read: ${why}.`,
    'Try again. If it happens again, check GOOGLE_ASSET_URL and any proxy in between.',
  );
}
