import type { Request, Response } from 'express';
import { type ClientPace, discardRest, watchReader } from './client-pace.ts';
import { type ConsoleFile, type ConsoleFiles, readConsole } from './console-files.ts';
import { consoleMissingPage } from './console-missing-page.ts';
import { isUnchanged } from './revalidate.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** Where the console is served. */
const CONSOLE_PATH = '/console/';

/** The console loads only its own files and talks only to its own origin. */
export const CONSOLE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Paths of links in mails and of sign-ins at an identity provider, in every spelling that the route table matches. They
 * lead to the same path of the console if it is built; the pages of the server stand in if it is not.
 */
const LINKED_PATH =
  /^(?:\/api\/v1)?(\/verify-email|\/reset-password|\/accept-invite|\/auth\/callback)\/?$/i;

/** Pages and files with a stable name are revalidated on each use. */
const REVALIDATE = 'no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface ConsoleOptions {
  /** The folder of the built console. */
  readonly folder: URL;
  readonly production: boolean;
  readonly pace: ClientPace;
}

/**
 * Serves the console from memory, before any rate limit: its files are public, and a page load must not use up the
 * requests of the person. A path that is not the name of a file gets the page, which does the routing.
 * @returns whether the request was for the console and is answered.
 */
export function consoleServer(options: ConsoleOptions): (req: Request, res: Response) => boolean {
  return (req, res) => {
    const path = pathOf(req.url);
    if (req.method !== 'GET' && req.method !== 'HEAD') return false;
    const linked = LINKED_PATH.exec(path)?.[1]?.toLowerCase();
    const isLinked = linked !== undefined && readConsole(options.folder) !== null;
    if (!isLinked && path !== '/console' && !path.startsWith(CONSOLE_PATH)) return false;
    setSecurityHeaders(res, options);
    res.setHeader('Content-Security-Policy', CONSOLE_CSP);
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (isLinked) redirect(req, res, 303, `/console${linked}`);
    else if (path === '/console') redirect(req, res, 308, CONSOLE_PATH);
    else answer(req, res, path.slice(CONSOLE_PATH.length), readConsole(options.folder));
    if (res.writableLength > 0) watchReader(res, options.pace);
    discardRest(req, options.pace);
    return true;
  };
}

/** Redirects with the query string, in which links have their token. */
function redirect(req: Request, res: Response, status: 303 | 308, to: string): void {
  const mark = req.url.indexOf('?');
  const query = mark === -1 ? '' : req.url.slice(mark);
  res.writeHead(status, { Location: to + query, 'Content-Length': 0 }).end();
}

function answer(req: Request, res: Response, name: string, files: ConsoleFiles | null): void {
  if (files === null) {
    sendPage(req, res, 503, consoleMissingPage);
    return;
  }
  const file = files.get(name);
  if (file !== undefined) {
    send(req, res, file);
    return;
  }
  const page = files.get('index.html');
  // A page of an older build asks for files that are gone. HTML in place of a script would break it in a worse way.
  if (page === undefined || name.startsWith('assets/')) {
    sendPage(req, res, 404, 'No such file.\n', 'text/plain; charset=utf-8');
    return;
  }
  send(req, res, page);
}

function send(req: Request, res: Response, file: ConsoleFile): void {
  res.setHeader('Content-Type', file.contentType);
  res.setHeader('Vary', 'Accept-Encoding');
  res.setHeader('Cache-Control', file.immutable ? IMMUTABLE : REVALIDATE);
  const accepted = file.representations.filter(
    ({ encoding }) => encoding === null || req.acceptsEncodings(encoding) === encoding,
  );
  const chosen = accepted[0] ?? file.representations[file.representations.length - 1];
  if (chosen === undefined) throw new Error('A file of the console has no representation');
  res.setHeader('ETag', chosen.etag);
  if (isUnchanged(req, chosen.etag)) {
    res.writeHead(304).end();
    return;
  }
  if (chosen.encoding !== null) res.setHeader('Content-Encoding', chosen.encoding);
  res.setHeader('Content-Length', chosen.bytes.length);
  res.writeHead(200).end(req.method === 'HEAD' ? undefined : chosen.bytes);
}

function sendPage(
  req: Request,
  res: Response,
  status: number,
  text: string,
  contentType = 'text/html; charset=utf-8',
): void {
  res.setHeader('Content-Type', contentType);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.writeHead(status).end(req.method === 'HEAD' ? undefined : text);
}

/** The path as sent, without a query. Names in the map are compared as they are, so nothing can leave the folder. */
function pathOf(url: string): string {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
