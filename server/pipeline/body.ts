import type { RoutePolicy } from '@cspm/contract';
import express, { type Request, type Response } from 'express';
import { ProblemError, validationFailed } from './problems.ts';

const MAX_JSON_BYTES = 1024 * 1024;
/** Forms come from browsers that another site sends here; a SAML response of some ten kB is the largest. */
const MAX_FORM_BYTES = 256 * 1024;
/** A sender that falls silent for so long is cut off. */
const IDLE_TIMEOUT_MS = 30_000;

const TYPES: Record<RoutePolicy['body'], readonly string[]> = {
  none: [],
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  inventory: ['application/x-ndjson', 'application/json'],
};

// They inflate gzip, deflate and brotli, and count the inflated bytes.
const PARSERS = {
  json: express.json({ limit: MAX_JSON_BYTES, type: () => true, strict: false }),
  form: express.urlencoded({
    limit: MAX_FORM_BYTES,
    type: () => true,
    extended: false,
    parameterLimit: 20,
  }),
};

/**
 * Takes in the body as the policy wants it: JSON or a form into `req.body`, an inventory left as the stream that it is.
 * @throws {ProblemError} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or VALIDATION_FAILED for what cannot be read.
 */
export async function readBody(
  req: Request,
  res: Response,
  kind: RoutePolicy['body'],
): Promise<void> {
  req.body = undefined;
  if (kind === 'none' || !hasBody(req)) return;
  const type = mediaType(req.headers['content-type']);
  if (!TYPES[kind].includes(type)) {
    throw new ProblemError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must be sent as ${TYPES[kind].join(' or ')}, not ${type === '' ? 'without a type' : `as ${type.slice(0, 100)}`}.`,
    );
  }
  cutOffWhenSilent(req);
  if (kind === 'inventory') return;
  await new Promise<void>((resolve, reject) => {
    PARSERS[kind](req, res, (error?: unknown) =>
      error ? reject(refusal(error, kind)) : resolve(),
    );
  });
}

/** What a refused sender may still send before the connection is cut. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Reads on, up to a bound, what is still coming in of a body that was refused. A connection that is closed with unread
 * data is reset, and the sender would never see the refusal.
 */
export function discardRest(req: Request): void {
  if (req.complete || req.destroyed) return;
  let discarded = 0;
  req.on('data', (chunk: Uint8Array) => {
    discarded += chunk.length;
    if (discarded > DISCARDED_BYTES) req.destroy();
  });
  req.on('error', () => undefined);
  req.resume();
}

/** RFC 9112 §6.3: a request has a body when it has one of these headers. */
function hasBody(req: Request): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Uploads may take as long as they take, so the time is counted from the last byte and not from the first. */
function cutOffWhenSilent(req: Request): void {
  req.setTimeout(IDLE_TIMEOUT_MS, () => req.destroy());
  req.once('end', () => req.setTimeout(0));
}

/** body-parser says what went wrong in `type`. */
function refusal(error: unknown, kind: keyof typeof PARSERS): unknown {
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  switch (type) {
    case 'entity.too.large':
      return new ProblemError(
        'PAYLOAD_TOO_LARGE',
        kind === 'json'
          ? 'A JSON body may hold 1 MiB, inflated.'
          : 'A form may hold 256 KiB, inflated.',
      );
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ProblemError(
        'UNSUPPORTED_MEDIA_TYPE',
        `${kind === 'json' ? 'JSON' : 'A form'} is sent in UTF-8, plain or as gzip, deflate or br.`,
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
