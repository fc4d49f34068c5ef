import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestServer } from './test-server.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** What Google requires of a request for an ID token. */
const REQUIRED = { response_type: 'id_token', response_mode: 'form_post' };

/**
 * The page of a provider of Google's kind on which a person chooses an account. Its buttons make the browser post a signed
 * ID token, or an error, to the service.
 */
export class GoogleAccounts {
  /** Claims about the person at the browser. */
  person: { sub: string; email: string };
  /** The newest form with a token, as fields of a page. */
  granted = '';
  readonly #issuer: TokenIssuer;
  readonly #server: TestServer;

  constructor(issuer: TokenIssuer, server: TestServer, person: { sub: string; email: string }) {
    this.#issuer = issuer;
    this.#server = server;
    this.person = person;
    issuer.authorize = (req, res) => void this.#page(req, res);
  }

  async #page(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { searchParams } = new URL(req.url ?? '', this.#issuer.config.issuer);
    const asked = Object.fromEntries(searchParams);
    const isValid =
      Object.entries(REQUIRED).every(([name, value]) => asked[name] === value) &&
      asked['client_id'] === this.#issuer.config.clientId &&
      asked['scope']?.split(' ').includes('openid');
    if (!isValid) {
      res.writeHead(400).end('Error 400: invalid_request');
      return;
    }
    const { state = '', nonce = '', redirect_uri: action = '' } = asked;
    const claims = { ...this.person, nonce };
    const token = await this.#issuer.token(this.#server.clock.now(), claims);
    this.granted = form(action, { state, id_token: token, authuser: '0' }, 'Continue');
    const denied = form(action, { state, error: 'access_denied' }, 'Cancel');
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    res.end(
      `<!doctype html><html lang="en"><title>Accounts</title><h1>Choose an account</h1>${this.granted}${denied}</html>`,
    );
  }
}

function form(action: string, fields: Record<string, string>, label: string): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  return `<form method="post" action="${action}">${inputs.join('')}<button>${label}</button></form>`;
}
