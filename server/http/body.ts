import { isUtf8 } from 'node:buffer';
import { REQUEST_LIMITS, type RoutePolicy } from '@cspm/contract';
import { checkJsonText, JSON_LIMITS, JsonLimitError } from '@cspm/scanner';
import express, { type Request, type Response } from 'express';
import { ProblemError, validationFailed } from '../platform/problem.ts';
import { TenantTurns } from '../platform/tenant-turns.ts';
import { type ClientPace, withinBodyTime } from './client-pace.ts';

const TYPES: Record<RoutePolicy['body'], readonly string[]> = {
  none: [],
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  inventory: ['application/x-ndjson', 'application/json'],
};

// JSON is decompressed (gzip, deflate, brotli) and the decompressed bytes count against the limit. Browsers do not
// compress forms, so the public form route refuses compressed ones.
const PARSERS = {
  json: express.raw({ limit: REQUEST_LIMITS.jsonBytes, type: () => true }),
  form: express.urlencoded({
    limit: REQUEST_LIMITS.formBytes,
    type: () => true,
    extended: false,
    inflate: false,
    parameterLimit: REQUEST_LIMITS.formParameters,
  }),
};

/** A larger JSON body takes milliseconds to check and parse. */
const LARGE_JSON_BYTES = 64 * 1024;

/** Large bodies are parsed one at a time. Shared by all servers of a process, because they share its event loop. */
const PARSING = new TenantTurns(1);

const UTF8 = new TextDecoder();

/**
 * Reads the body as the policy says: JSON or a form is parsed into `req.body`, an inventory stays a stream.
 * @throws {ProblemError} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, or VALIDATION_FAILED for an
 * unreadable body and for JSON with too much nesting or too many values.
 * @param client the tenant, or the address of an anonymous caller; clients with large bodies take turns.
 */
export async function readBody(
  req: Request,
  res: Response,
  kind: RoutePolicy['body'],
  { pace, client }: { readonly pace: ClientPace; readonly client: string },
): Promise<void> {
  req.body = undefined;
  if (kind === 'none' || !hasBody(req)) return;
  const type = mediaType(req.headers['content-type']);
  if (!TYPES[kind].includes(type)) {
    throw new ProblemError(
      'UNSUPPORTED_MEDIA_TYPE',
      type === ''
        ? `The request has no Content-Type; send ${TYPES[kind].join(' or ')}.`
        : `The body must have the content type ${TYPES[kind].join(' or ')}, not ${type.slice(0, 100)}.`,
    );
  }
  if (kind === 'inventory') return;
  if (kind === 'json') checkCharset(req.headers['content-type']);
  checkLength(req, kind);
  await withinBodyTime(
    pace,
    () =>
      new Promise<void>((resolve, reject) => {
        PARSERS[kind](req, res, (error?: unknown) => {
          if (error) reject(refusal(error, kind));
          // The parser skips a request whose client has disconnected.
          else if (req.body === undefined) reject(malformed(kind));
          else resolve();
        });
      }),
  );
  if (kind === 'json') req.body = await parseBody(req.body, client);
}

async function parseBody(bytes: Buffer, client: string): Promise<unknown> {
  return bytes.length < LARGE_JSON_BYTES
    ? parseJson(bytes)
    : PARSING.run(client, async () => parseJson(bytes));
}

function parseJson(bytes: Buffer): unknown {
  // A chunked body may be empty.
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw validationFailed([{ path: 'body', message: 'is not UTF-8' }]);
  try {
    checkJsonText(bytes, JSON_LIMITS.body);
    return JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    throw error instanceof SyntaxError ? malformed('json') : refusal(error, 'json');
  }
}

/**
 * JSON must be UTF-8 (RFC 8259 §8.1); in another encoding the nesting check would not see the brackets. Some clients call it
 * `utf8`, as the Encoding standard allows.
 */
function checkCharset(contentType = ''): void {
  const [, quoted, plain] = CHARSET.exec(contentType) ?? [];
  const charset = (quoted ?? plain ?? 'utf-8').toLowerCase();
  if (charset === 'utf-8' || charset === 'utf8') return;
  throw new ProblemError(
    'UNSUPPORTED_MEDIA_TYPE',
    `JSON must be encoded in UTF-8, not in ${charset.slice(0, 100)}.`,
  );
}

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i;

/** The parser would read a body to its end before it refuses it. */
function checkLength({ headers }: Request, kind: keyof typeof PARSERS): void {
  const most = kind === 'json' ? REQUEST_LIMITS.jsonBytes : REQUEST_LIMITS.formBytes;
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (isPlain && Number(headers['content-length'] ?? 0) > most) throw tooLarge(kind);
}

function tooLarge(kind: keyof typeof PARSERS): ProblemError {
  return new ProblemError(
    'PAYLOAD_TOO_LARGE',
    kind === 'json'
      ? 'A JSON body is limited to 1 MiB after decompression.'
      : 'A form body is limited to 256 KiB.',
  );
}

/** RFC 9112 §6.3: a request has a body when it has one of these headers. */
function hasBody(req: Request): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** body-parser names the fault in `type`. */
function refusal(error: unknown, kind: keyof typeof PARSERS): unknown {
  if (error instanceof ProblemError) return error;
  if (error instanceof JsonLimitError) {
    return validationFailed([{ path: `body${error.pointer}`, message: error.message }]);
  }
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  switch (type) {
    case 'entity.too.large':
      return tooLarge(kind);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ProblemError(
        'UNSUPPORTED_MEDIA_TYPE',
        kind === 'json'
          ? 'JSON must be encoded in UTF-8, uncompressed or with gzip, deflate or br.'
          : 'A form must be encoded in UTF-8 and must not have a Content-Encoding. Remove the Content-Encoding header.',
      );
    case 'entity.parse.failed':
    case 'parameters.too.many':
    case 'request.size.invalid':
    case 'request.aborted':
      return malformed(kind);
    default:
      return isInflateError(error)
        ? validationFailed([
            { path: 'body', message: 'is not compressed as Content-Encoding says' },
          ])
        : error;
  }
}

function malformed(kind: keyof typeof PARSERS): ProblemError {
  const expected = kind === 'json' ? 'well-formed JSON' : 'valid form data';
  return validationFailed([{ path: 'body', message: `is not ${expected}` }]);
}

function isInflateError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(Z_|ERR__?(ERROR_|ZSTD|BROTLI))/.test(String(error.code))
  );
}
