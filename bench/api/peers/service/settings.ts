/** Connections per pool, as in our server. */
export const CONNECTIONS = 10;

/** Too high to be reached, but counted for each address. */
export const RATE_LIMIT = { requests: 1_000_000_000, windowMs: 60_000 };

export const HOST = '127.0.0.1';

export const DATABASE_URL = process.env['PEER_DATABASE_URL'] ?? '';

/** The line that the race waits for. */
export function announce(address: { readonly port: number } | string | null): void {
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen');
  console.log(`Serving on http://${HOST}:${address.port}`);
}
