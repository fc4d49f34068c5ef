import { isUtf8 } from 'node:buffer';
import { REQUEST_LIMITS, type RoutePolicy } from '@cspm/contract';
import { checkJsonText, JSON_LIMITS, JsonLimitError } from '@cspm/scanner';
import express, { type Request, type Response } from 'express';
import { ProblemError, validationFailed } from '../platform/problem.ts';
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
  json: express.json({
    limit: REQUEST_LIMITS.jsonBytes,
    type: () => true,
    strict: false,
    verify: (_req, _res, bytes, encoding) => refuseExcessiveJson(bytes, encoding),
  }),
  form: express.urlencoded({
    limit: REQUEST_LIMITS.formBytes,
    type: () => true,
    extended: false,
    inflate: false,
    parameterLimit: REQUEST_LIMITS.formParameters,
  }),
};

/**
 * Reads the body as the policy says: JSON or a form is parsed into `req.body`, an inventory stays a stream.
 * @throws {ProblemError} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, or VALIDATION_FAILED for an
 * unreadable body and for JSON with too much nesting or too many values.
 */
export async function readBody(
  req: Request,
  res: Response,
  kind: RoutePolicy['body'],
  pace: ClientPace,
): Promise<void> {
  req.body = undefined;
  if (kind === 'none' || !hasBody(req)) return;
  const type = mediaType(req.headers['content-type']);
  if (!TYPES[kind].includes(type)) {
    throw new ProblemError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must have the content type ${TYPES[kind].join(' or ')}, not ${type === '' ? 'none' : type.slice(0, 100)}.`,
    );
  }
  if (kind === 'inventory') return;
  await withinBodyTime(
    pace,
    () =>
      new Promise<void>((resolve, reject) => {
        PARSERS[kind](req, res, (error?: unknown) =>
          error ? reject(refusal(error, kind)) : resolve(),
        );
      }),
  );
}

/** JSON must be UTF-8 (RFC 8259 §8.1); in another encoding the nesting check would not see the brackets. */
function refuseExcessiveJson(bytes: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') {
    throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'JSON must be encoded in UTF-8.');
  }
  if (!isUtf8(bytes)) throw validationFailed([{ path: 'body', message: 'is not UTF-8' }]);
  checkJsonText(bytes, JSON_LIMITS.body);
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
      return new ProblemError(
        'PAYLOAD_TOO_LARGE',
        kind === 'json'
          ? 'A JSON body is limited to 1 MiB after decompression.'
          : 'A form body is limited to 256 KiB.',
      );
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
      return validationFailed([
        {
          path: 'body',
          message: `is not ${kind === 'json' ? 'well-formed JSON' : 'a well-formed form'}`,
        },
      ]);
    default:
      return isInflateError(error)
        ? validationFailed([
            { path: 'body', message: 'is not compressed as Content-Encoding says' },
          ])
        : error;
  }
}

function isInflateError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(Z_|ERR__?(ERROR_|ZSTD|BROTLI))/.test(String(error.code))
  );
}
