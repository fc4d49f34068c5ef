import { child, type JsonObject, objects, strings, text } from '../json.ts';
import { coversInternet } from './internet.ts';

/*
 * Fields: apikeys v2, discovery revision 20260818.
 */

/** A deleted key can be restored for 30 days, and is unusable until then. */
export function isDeleted(key: JsonObject): boolean {
  return text(key, 'deleteTime') !== null;
}

/** The restriction of an API key to certain applications; the API allows at most one kind of restriction. */
export interface ApplicationRestriction {
  /** Path, starting at `restrictions`. */
  readonly path: string;
  readonly entries: readonly string[];
  /** Whether the entries exclude no caller. */
  readonly isOpen: boolean;
}

/** Null for a key that any application may use; an empty list restricts nothing. */
export function applicationRestrictionOf(key: JsonObject): ApplicationRestriction | null {
  const restrictions = child(key, 'restrictions');
  const referrers = strings(child(restrictions, 'browserKeyRestrictions'), 'allowedReferrers');
  if (referrers.length > 0) {
    const path = 'restrictions.browserKeyRestrictions.allowedReferrers';
    return { path, entries: referrers, isOpen: referrers.some(isAnySite) };
  }
  const addresses = strings(child(restrictions, 'serverKeyRestrictions'), 'allowedIps');
  if (addresses.length > 0) {
    const path = 'restrictions.serverKeyRestrictions.allowedIps';
    const isOpen = addresses.some(isAnyAddress) || coversInternet(addresses);
    return { path, entries: addresses, isOpen };
  }
  const apps = objects(child(restrictions, 'androidKeyRestrictions'), 'allowedApplications');
  if (apps.length > 0) {
    const path = 'restrictions.androidKeyRestrictions.allowedApplications';
    return { path, entries: apps.map((app) => text(app, 'packageName') ?? ''), isOpen: false };
  }
  const bundles = strings(child(restrictions, 'iosKeyRestrictions'), 'allowedBundleIds');
  if (bundles.length === 0) return null;
  return {
    path: 'restrictions.iosKeyRestrictions.allowedBundleIds',
    entries: bundles,
    isOpen: false,
  };
}

/**
 * A host of asterisks, or of asterisks and a top-level domain, with or without scheme, port and path: `*`,
 * `https://*.com/*`.
 */
const ANY_SITE = /^(?:[a-z*]+:\/\/)?\*(?:\.(?:\*|[a-z]+))?(?::[\d*]+)?(?:\/.*)?$/i;

function isAnySite(referrer: string): boolean {
  return ANY_SITE.test(referrer.trim());
}

const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '::0', '*']);

function isAnyAddress(address: string): boolean {
  return ANY_ADDRESS.has(address.trim());
}
