import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { endInPieces } from './end-in-pieces.ts';
import type { Endpoint } from './match.ts';
import { contentTypeOf } from './stream.ts';

/*
 * Responses of operations with `cache: 'revalidate'`: a client may keep them, and asks with `If-None-Match` whether they
 * have changed. Every request is authorized first, so a 304 tells nobody more than the response would.
 */

interface Representation {
  /** Null: not compressed. */
  readonly encoding: 'br' | 'gzip' | null;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Bodies that never change while the process runs, by operation: compressed once. */
const compressed = new Map<
  string,
  { readonly body: unknown; readonly made: Promise<Representation[]> }
>();

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Compresses 1.4 MB in about 0.1 s; the best quality takes seconds and saves a tenth. */
const BROTLI_QUALITY = 6;

/** The credential and the tenant decide what is in the response (RFC 9111 §4.1). */
const VARY_BY_CREDENTIAL = ['Authorization', 'X-API-Key', 'X-Tenant-ID'];

/**
 * Sends a response with status 200, or 304 if the client has it.
 * @param answer `json` is that of the body, if it was made already.
 */
export async function sendRevalidated(
  req: Request,
  res: Response,
  endpoint: Endpoint,
  { body, json }: { readonly body: unknown; readonly json?: Buffer | undefined },
): Promise<void> {
  const isPublic = endpoint.route.metadata.credentials === 'public';
  const chosen = isPublic
    ? bestOf(req, await representationsOf(endpoint.name, body))
    : representation(null, json ?? bytesOf(body));
  res.setHeader('Cache-Control', isPublic ? 'no-cache' : 'private, no-cache');
  for (const name of isPublic ? ['Accept-Encoding'] : VARY_BY_CREDENTIAL) {
    res.appendHeader('Vary', name);
  }
  res.setHeader('ETag', chosen.etag);
  if (isUnchanged(req, chosen.etag)) {
    res.writeHead(304).end();
    return;
  }
  res.setHeader('Content-Type', typeof body === 'string' ? contentTypeOf(endpoint) : JSON_TYPE);
  if (chosen.encoding !== null) res.setHeader('Content-Encoding', chosen.encoding);
  res.setHeader('Content-Length', chosen.bytes.length);
  res.writeHead(200);
  if (req.method === 'HEAD') res.end();
  else endInPieces(res, chosen.bytes);
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** `If-None-Match` uses the weak comparison (RFC 9110 §13.1.2): a proxy may have weakened the validator. */
export function isUnchanged(req: Request, etag: string): boolean {
  const given = req.headers['if-none-match'];
  if (given === undefined) return false;
  const tags = given.split(',', 20).map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function representationsOf(operation: string, body: unknown): Promise<Representation[]> {
  const known = compressed.get(operation);
  if (known !== undefined && known.body === body) return known.made;
  const made = compress(bytesOf(body));
  compressed.set(operation, { body, made });
  return made;
}

async function compress(bytes: Buffer): Promise<Representation[]> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes)]);
  return [representation('br', br), representation('gzip', gz), representation(null, bytes)];
}

/** A strong validator: the hash of the bytes, so every server sends the same (RFC 9110 §8.8.3). */
function representation(encoding: Representation['encoding'], bytes: Buffer): Representation {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return { encoding, bytes, etag: `"${hash}"` };
}

function bestOf(req: Request, representations: readonly Representation[]): Representation {
  const accepted = representations.find(
    ({ encoding }) => encoding === null || req.acceptsEncodings(encoding) === encoding,
  );
  if (accepted === undefined) throw new Error('A response has no representation');
  return accepted;
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
