import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOWEST = 10_000;
/** The default of Linux: the first of the ports that the system gives to outgoing connections. */
const FIRST_EPHEMERAL = 32_768;

const given = new Set<number>();

/**
 * A free port for a program that is started later, or again. The system does not give it to connections meanwhile, as
 * it does with ports that it chooses itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, firstEphemeral());
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

function firstEphemeral(): number {
  try {
    const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/);
    return Math.max(Number(first), LOWEST + 1_000);
  } catch {
    return FIRST_EPHEMERAL;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
