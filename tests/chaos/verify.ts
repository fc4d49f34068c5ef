import type { Cspm, Scan } from '@cspm/sdk';
import type { Caller } from './caller.ts';
import type { Ledger } from './ledger.ts';
import { outcomeOf } from './outcome.ts';
import type { Violations } from './violations.ts';

export interface Verification {
  readonly cspm: Cspm;
  readonly caller: Caller;
  readonly ledger: Ledger;
  readonly violations: Violations;
  /** For each project with an inventory, the expected results of a scan. */
  readonly undisturbed: ReadonlyMap<string, string>;
  /** The scans that produced these results, before any fault. */
  readonly before: readonly string[];
}

/**
 * Compares the service with the ledger.
 * @returns figures for the report
 */
export async function verify(verification: Verification): Promise<string[]> {
  await verifyProjects(verification);
  const scans = await verifyScans(verification);
  await verifyKeys(verification);
  await verifyTrail(verification);
  const { ledger } = verification;
  const made = [...ledger.apiKeys.values()];
  return [
    `${ledger.projects.size} projects, ${scans} scans, ${made.length} API keys (${made.filter(({ revoked }) => revoked).length} revoked), ${ledger.signIns} sign-ins and ${ledger.refreshes} renewals acknowledged`,
  ];
}

async function verifyProjects({ cspm, ledger, violations, undisturbed }: Verification) {
  const found: string[] = [];
  for await (const { name, id } of cspm.projects.list({ limit: 100 })) {
    found.push(name);
    if (undisturbed.has(name)) continue;
    const asked = ledger.projects.get(name);
    violations.demand(
      asked !== undefined,
      'something that nobody asked for',
      () => `project ${name}`,
    );
    violations.demand(
      asked?.made?.id === id,
      'a write that is not what was acknowledged',
      () => `project ${name}: ${id} instead of ${asked?.made?.id}`,
    );
  }
  expectOnce(violations, 'project', [...ledger.projects.keys()], found);
}

async function verifyScans({ cspm, ledger, violations, undisturbed, before }: Verification) {
  const asked = new Map([...ledger.scans.values()].map((scan) => [scan.made?.id ?? '', scan]));
  const known = new Set(before);
  const scans: Scan[] = [];
  for await (const scan of cspm.scans.list({ limit: 100 })) {
    if (!known.has(scan.id)) scans.push(scan);
  }
  const found = scans.map(({ id }) => id);
  expectOnce(violations, 'scan', [...asked.keys()], found);
  for (const scan of scans) {
    const launched = asked.get(scan.id);
    violations.demand(
      launched !== undefined,
      'something that nobody asked for',
      () => `scan ${scan.id}`,
    );
    const outcome = await outcomeOf(cspm, scan);
    violations.demand(
      outcome === undisturbed.get(launched?.project ?? ''),
      'a scan that did not end like one that was left alone',
      () => `${scan.id} of ${launched?.project}, ${scan.status}: ${outcome}`,
    );
  }
  for (const [project, outcome] of undisturbed) {
    const prints: string[] = [];
    for await (const finding of cspm.findings.list({ project, status: 'open', limit: 100 })) {
      prints.push(finding.fingerprint);
    }
    const expected = JSON.parse(outcome).findings.length;
    violations.demand(
      prints.length === expected && new Set(prints).size === expected,
      'findings that are there twice, or not at all',
      () =>
        `${project}: ${prints.length} open, ${new Set(prints).size} of them different, not ${expected}`,
    );
  }
  return scans.length;
}

async function verifyKeys({ cspm, caller, ledger, violations }: Verification) {
  const listed: string[] = [];
  for await (const { name } of cspm.apiKeys.list({ limit: 100 })) {
    if (name !== 'bootstrap') listed.push(name);
  }
  const asked = [...ledger.apiKeys].filter(([, { made }]) => made !== null);
  const alive = asked.filter(([, { revoked }]) => !revoked).map(([name]) => name);
  expectOnce(violations, 'API key', alive, listed);
  for (const [name, { made, revoked }] of asked) {
    const { status } = await caller.settle('GET', '/auth/me', { 'x-api-key': made?.key ?? '' });
    violations.demand(
      status === (revoked ? 401 : 200),
      'a key that is not what was acknowledged',
      () => `${name}, ${revoked ? '' : 'not '}revoked: ${status}`,
    );
  }
}

/** Effect and audit row are one transaction, so each created object has exactly one row. */
async function verifyTrail({ cspm, ledger, violations, undisturbed, before }: Verification) {
  const expected = {
    'project.created': ledger.projects.size + undisturbed.size,
    'scan.launched': ledger.scans.size + before.length,
    'api_key.created': ledger.apiKeys.size,
    'api_key.revoked': [...ledger.apiKeys.values()].filter(({ revoked }) => revoked).length,
  } as const;
  for (const [action, count] of Object.entries(expected)) {
    let found = 0;
    const wanted = { action: action as keyof typeof expected, limit: 100 };
    for await (const event of cspm.auditEvents.list(wanted)) {
      if (event.outcome === 'success') found += 1;
    }
    violations.demand(
      found === count,
      'an audit trail that tells another story',
      () => `${action}: ${found} rows for ${count} writes`,
    );
  }
}

function expectOnce(
  violations: Violations,
  what: string,
  asked: readonly string[],
  found: readonly string[],
): void {
  const counts = new Map<string, number>();
  for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1);
  for (const each of asked) {
    const count = counts.get(each) ?? 0;
    violations.demand(count > 0, 'an acknowledged write that is gone', () => `${what} ${each}`);
    violations.demand(count < 2, 'a write that is there twice', () => `${what} ${each}: ${count}`);
  }
  const wanted = new Set(asked);
  for (const each of counts.keys()) {
    const isWanted = wanted.has(each) || what === 'project';
    violations.demand(isWanted, 'something that nobody asked for', () => `${what} ${each}`);
  }
}
