import { ApiError, type Cspm } from '@cspm/sdk';
import { allowedProjects, isKnownProject, isKnownScan, latestScans } from './known-filters.ts';
import { InputError } from './usage-error.ts';

/**
 * @param explain returns the message for a resource that does not exist, or throws the error that it gets
 * @throws {InputError} when the service answers that it has no such resource, or that this is no id
 */
export async function orMissing<T>(
  call: Promise<T>,
  explain: (error: ApiError) => string | Promise<string>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || !REFUSED_IDS.has(error.code)) throw error;
    throw new InputError(await explain(error));
  }
}

/** The same for a resource of a project: says first whether the project itself is missing. */
export function orMissingIn<T>(
  { cspm, project }: { readonly cspm: Cspm; readonly project: string },
  call: Promise<T>,
  message: string,
): Promise<T> {
  return orMissing(call, async (error) => {
    if (!(await isKnownProject(cspm, project))) {
      return `There is no project "${project}".\n${await allowedProjects(cspm)}`;
    }
    // Of a known project, another part of the request is invalid.
    if (error.code !== 'NOT_FOUND') throw error;
    return message;
  });
}

/** The same for a call that names scans: says which of them do not exist. */
export function orMissingScan<T>(
  { cspm, scans }: { readonly cspm: Cspm; readonly scans: readonly string[] },
  call: Promise<T>,
): Promise<T> {
  return orMissing(call, async (error) => {
    const known = await Promise.all(scans.map((id) => isKnownScan(cspm, id)));
    const missing = scans.filter((_, at) => known[at] === false);
    if (missing.length === 0) throw error;
    const named = missing.map((id) => `no scan "${id}"`).join(' and ');
    return `There is ${named}.\n${await latestScans(cspm)}`;
  });
}

/** The service answers VALIDATION_FAILED for an id that is not a UUID. */
const REFUSED_IDS: ReadonlySet<string> = new Set(['NOT_FOUND', 'VALIDATION_FAILED']);
