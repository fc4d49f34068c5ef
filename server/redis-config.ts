import { type RedisMode, redisUrlFault } from './platform/redis-settings.ts';

interface Variables {
  readonly REDIS_URL?: string | undefined;
  readonly REDIS_MODE: RedisMode;
  readonly REDIS_SENTINEL_MASTER?: string | undefined;
  readonly REDIS_SENTINEL_PASSWORD?: string | undefined;
}

/** Faults of the variables of Redis, and between them. None quotes a value that can contain a password. */
export function redisFaults(v: Variables): string[] {
  const faults: string[] = [];
  if (v.REDIS_URL !== undefined) {
    const fault = redisUrlFault(v.REDIS_URL, v.REDIS_MODE);
    if (fault !== null) faults.push(`REDIS_URL: ${fault}`);
  } else if (v.REDIS_MODE !== 'single') {
    faults.push(`REDIS_URL: is required with REDIS_MODE=${v.REDIS_MODE}`);
  }
  if (v.REDIS_MODE === 'sentinel') {
    if (v.REDIS_SENTINEL_MASTER === undefined) {
      faults.push('REDIS_SENTINEL_MASTER: is required with REDIS_MODE=sentinel');
    }
    return faults;
  }
  for (const name of ['REDIS_SENTINEL_MASTER', 'REDIS_SENTINEL_PASSWORD'] as const) {
    if (v[name] !== undefined) faults.push(`${name}: also requires REDIS_MODE=sentinel`);
  }
  return faults;
}
