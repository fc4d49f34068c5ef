import { PROFILE_NAMES, RULES } from '@cspm/scanner';
import { ApiError, type Cspm } from '@cspm/sdk';
import { InputError } from './usage-error.ts';

/** Filter values that the service accepts even when nothing matches them. */
export interface FilterValues {
  readonly project: readonly string[];
  readonly rule: readonly string[];
  readonly scan: string | undefined;
}

const BUILT_IN: ReadonlySet<string> = new Set(RULES.map(({ id }) => id));

/** The number of allowed values that a message lists. */
const LISTED = 10;

/**
 * Checks that each filter value exists: a misspelled name matches nothing, and an empty list looks like good news. A value is
 * not checked when the credential may not read it.
 *
 * @throws {InputError} that lists every unknown value with the allowed ones
 */
export async function checkFilters(cspm: Cspm, values: FilterValues): Promise<void> {
  const faults: string[] = [];
  const unknown: string[] = [];
  for (const name of new Set(values.project)) {
    if (!(await isKnownProject(cspm, name))) unknown.push(name);
  }
  for (const name of unknown) faults.push(`--project: there is no project "${name}".`);
  if (unknown.length > 0) faults.push(`  ${await allowedProjects(cspm)}`);
  for (const id of new Set(values.rule)) {
    if (BUILT_IN.has(id) || !(await isMissing(() => cspm.rules.get({ id })))) continue;
    if (await hasFindings(cspm, id)) continue;
    faults.push(`--rule: there is no rule "${id}".`, `  Similar rules: ${similarRules(id)}.`);
    faults.push('  GET /rules lists all rules.');
  }
  const { scan } = values;
  if (scan !== undefined && !(await isKnownScan(cspm, scan))) {
    faults.push(`--scan: there is no scan "${scan}".`, `  ${await latestScans(cspm)}`);
  }
  if (faults.length > 0) throw new InputError(faults.join('\n'));
}

/** What is wrong with the name of a project that does not exist, and which names do. */
export async function unknownProject(cspm: Cspm, name: string): Promise<string> {
  return `--project: there is no project "${name}".\n  ${await allowedProjects(cspm)}`;
}

/** True also when the credential may not read projects. */
export async function isKnownProject(cspm: Cspm, name: string): Promise<boolean> {
  return !(await isMissing(() => cspm.projects.get({ name })));
}

/** One sentence with the names of the tenant's projects. */
export async function allowedProjects(cspm: Cspm): Promise<string> {
  const names: string[] = [];
  for await (const { name } of cspm.projects.list({ limit: 100 })) names.push(name);
  if (names.length === 0) return 'There are no projects yet.';
  return `Projects: ${someOf(names)}.`;
}

function someOf(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, LISTED).join(', ');
  const more = names.length - LISTED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/**
 * What is wrong with the name of a profile that does not exist, and which names do.
 * @returns null for a profile that exists, and when the credential may not read profiles
 */
export async function faultOfProfile(cspm: Cspm, name: string): Promise<string | null> {
  if (PROFILE_NAMES.some((builtIn) => builtIn === name)) return null;
  const names: string[] = [];
  await isMissing(async () => {
    for await (const profile of cspm.profiles.list()) names.push(profile.name);
  });
  // Every list has the built-in profiles, so one without names was not read.
  if (names.length === 0 || names.includes(name)) return null;
  return `--profile: there is no profile "${name}". Profiles: ${someOf(names)}.`;
}

/** True also when the credential may not read scans. */
export async function isKnownScan(cspm: Cspm, id: string): Promise<boolean> {
  return !(await isMissing(() => cspm.scans.get({ id })));
}

/** One sentence with the ids of the tenant's latest scans. */
export async function latestScans(cspm: Cspm): Promise<string> {
  const { items } = await cspm.scans.list({ limit: LISTED });
  if (items.length === 0) return 'There are no scans yet.';
  return `Latest scans: ${items.map(({ id }) => id).join(', ')}.`;
}

/** The five built-in rules whose ids differ least from the given one. */
function similarRules(id: string): string {
  return RULES.map((rule) => ({ id: rule.id, distance: editDistance(id, rule.id) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map((rule) => rule.id)
    .join(', ');
}

/** The Levenshtein distance of the first 100 characters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [at, letter] of [...a.slice(0, 100)].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A rule that was deleted, or that a release removed, can still have findings. */
async function hasFindings(cspm: Cspm, rule: string): Promise<boolean> {
  for await (const _finding of cspm.findings.list({ rule: [rule], limit: 1 })) return true;
  return false;
}

async function isMissing(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'NOT_FOUND' || error.code === 'VALIDATION_FAILED') return true;
    if (error.code === 'FORBIDDEN' || error.code === 'CREDENTIAL_NOT_ALLOWED') return false;
    throw error;
  }
}
