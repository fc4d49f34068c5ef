import { ApiError, type Cspm } from '@cspm/sdk';
import { allowedProjects, isKnownProject, isKnownScan, latestScans } from './known-filters.ts';

/** The service does not have what the command line names. The message says what, and what to do. */
export class MissingError extends Error {
  override readonly name = 'MissingError';
}

/**
 * @param explain returns the message for a resource that does not exist
 * @throws {MissingError} when the service answers NOT_FOUND
 */
export async function orMissing<T>(
  call: Promise<T>,
  explain: () => string | Promise<string>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    throw new MissingError(await explain());
  }
}

/** The same for a resource of a project: says first whether the project itself is missing. */
export function orMissingIn<T>(
  { cspm, project }: { readonly cspm: Cspm; readonly project: string },
  call: Promise<T>,
  message: string,
): Promise<T> {
  return orMissing(call, async () =>
    (await isKnownProject(cspm, project))
      ? message
      : `There is no project "${project}".\n${await allowedProjects(cspm)}`,
  );
}

/** The same for a call that names scans: says which of them do not exist. */
export async function orMissingScan<T>(
  { cspm, scans }: { readonly cspm: Cspm; readonly scans: readonly string[] },
  call: Promise<T>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const isRefused = error instanceof ApiError && REFUSED_IDS.has(error.code);
    if (!isRefused) throw error;
    const known = await Promise.all(scans.map((id) => isKnownScan(cspm, id)));
    const missing = scans.filter((_, at) => known[at] === false);
    if (missing.length === 0) throw error;
    const named = missing.map((id) => `no scan "${id}"`).join(' and ');
    throw new MissingError(`There is ${named}.\n${await latestScans(cspm)}`);
  }
}

/** The service answers VALIDATION_FAILED for an id that is not a UUID. */
const REFUSED_IDS: ReadonlySet<string> = new Set(['NOT_FOUND', 'VALIDATION_FAILED']);
