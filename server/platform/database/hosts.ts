import { parseUrl } from '../parse-url.ts';

/** A URL that names several hosts, or that asks for a host that accepts writes, as libpq understands it. */
const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;
const ATTRIBUTE = /([?&])target_session_attrs=([^&#]*)(&?)/;
/** Both mean the same for us: the host must accept writes. */
const FOR_WRITES = new Set(['read-write', 'primary']);

/** The hosts that a URL names, and what it asks of them. */
export interface HostList {
  /** One URL for each host, without `target_session_attrs`. */
  readonly urls: readonly string[];
  /** The value of `target_session_attrs`; null: not given. */
  readonly target: string | null;
}

/** `postgres://user@one:5432,two:5433/db?target_session_attrs=read-write`, which node-postgres does not understand. */
export function hostsIn(url: string): HostList {
  const [, before = '', hosts = '', after = ''] = AUTHORITY.exec(url) ?? [];
  const target = ATTRIBUTE.exec(after)?.[2] ?? null;
  const rest = after.replace(ATTRIBUTE, (_all, start, _value, more) => (more === '' ? '' : start));
  return { urls: hosts.split(',').map((host) => `${before}${host}${rest}`), target };
}

/** The URLs of the hosts among which the primary has to be found; null for a URL that names one host and asks nothing. */
export function candidatesIn(url: string): readonly string[] | null {
  const { urls, target } = hostsIn(url);
  return urls.length === 1 && target === null ? null : urls;
}

/** What is wrong with a list of hosts; null if nothing is. */
export function faultOfHosts(url: string, kind: 'primary' | 'replicas'): string | null {
  const { urls, target } = hostsIn(url);
  if (urls.length === 1 && !isParsable(url)) {
    return 'is not a valid URL; percent-encode special characters of the user and the password, such as / as %2F and # as %23';
  }
  if (urls.length > 1 && urls.some((one) => !hasHost(one))) {
    return 'each host of the list must be a name or an address with an optional port, such as db1:5432,db2:5432';
  }
  if (kind === 'replicas' && target !== null) {
    return 'must not have target_session_attrs: every host of it is a replica';
  }
  if (target !== null && !FOR_WRITES.has(target)) {
    return 'target_session_attrs must be read-write or primary: the service writes';
  }
  return null;
}

/** The host and the port of a URL with one host, for messages: never its password. */
export function addressOf(url: string): string {
  return AUTHORITY.exec(url)?.[2] ?? '';
}

/** As node-postgres parses it, which allows an empty host after a user. A database has no part after a #. */
function isParsable(url: string): boolean {
  return !url.includes('#') && (parseUrl(url) ?? parseUrl(url.replace('@/', '@host/'))) !== null;
}

function hasHost(url: string): boolean {
  return addressOf(url) !== '' && parseUrl(url) !== null;
}
