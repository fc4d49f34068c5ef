/** How the servers of a Redis are found. */
export type RedisMode = 'single' | 'cluster' | 'sentinel';

/** The Redis that counts rate limits. */
export interface RedisSettings {
  readonly mode: RedisMode;
  /** One URL; of a cluster or of Sentinels also several, separated by commas. */
  readonly url: string;
  /** The name under which the Sentinels know the master. */
  readonly sentinelMaster: string | null;
  /** The password of the Sentinels themselves. */
  readonly sentinelPassword: string | null;
}

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** What connections to all servers have in common. */
export interface RedisAccess {
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

const DEFAULT_PORT = { single: 6379, cluster: 6379, sentinel: 26_379 } as const;
const SCHEME = /^rediss?:\/\//;

/** The URLs of a list; a comma that is not followed by a scheme belongs to a password. */
export function redisUrls(list: string): string[] {
  return list.split(/\s*,\s*(?=rediss?:\/\/)/);
}

export function redisAddresses({ mode, url }: RedisSettings): RedisAddress[] {
  return redisUrls(url).map((each) => {
    const { hostname, port } = new URL(each);
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? DEFAULT_PORT[mode] : Number(port),
    };
  });
}

/** The same for each URL: `redisFaults` refuses others. */
export function redisAccess({ url }: RedisSettings): RedisAccess {
  const { protocol, username, password, pathname } = new URL(redisUrls(url)[0] ?? '');
  return {
    tls: protocol === 'rediss:',
    username: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
    database: Number(pathname.slice(1)),
  };
}

/** What is wrong with a list of URLs, without quoting it: it contains a password. */
export function redisUrlFault(list: string, mode: RedisMode): string | null {
  const urls = redisUrls(list);
  const invalid = urls.find((url) => !SCHEME.test(url) || !URL.canParse(url));
  if (invalid !== undefined) return 'must be a redis:// URL';
  const parsed = urls.map((url) => new URL(url));
  if (parsed.some(({ username, password }) => !isDecodable(username) || !isDecodable(password))) {
    return 'must encode special characters of credentials, such as % as %25';
  }
  const [first] = parsed;
  const database = first?.pathname.slice(1) ?? '';
  if (!/^\d{0,5}$/.test(database)) return 'must end in the number of a database, or in no path';
  if (mode === 'single') {
    return urls.length === 1
      ? null
      : 'is a list; set REDIS_MODE to cluster or sentinel, or keep one URL';
  }
  if (parsed.some(({ hostname }) => hostname === '' || hostname.includes(','))) {
    return 'must be complete URLs, each with a host: redis://a:6379,redis://b:6379';
  }
  const differs = parsed.some(
    ({ protocol, username, password, pathname }) =>
      protocol !== first?.protocol ||
      username !== first.username ||
      password !== first.password ||
      pathname !== first.pathname,
  );
  if (differs) return 'must have the same scheme, credentials and database in each URL';
  if (mode === 'cluster' && Number(database) > 0) {
    return 'must not name a database: a cluster has only database 0';
  }
  return null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
