import { isIP } from 'node:net';

const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * The address of a client, without the port and the brackets that some proxies add.
 * @returns `unknown` for everything that is no address, so that all of it shares one rate limit.
 */
export function clientAddress(given = ''): string {
  const [, bracketed, beforePort] = WITH_PORT.exec(given) ?? [];
  const address = bracketed ?? beforePort ?? given;
  return isIP(address) === 0 ? 'unknown' : address;
}
