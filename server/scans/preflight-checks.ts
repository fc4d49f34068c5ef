import { PROFILE_NAMES } from '@cspm/scanner';
import type { Source } from './preflight-sources.ts';
import type { RuleOutline, Ruleset } from './ruleset.ts';

type CheckId =
  | 'profile.known'
  | 'project.known'
  | 'project.duplicate'
  | 'source.attached'
  | 'source.freshness'
  | 'coverage.types'
  | 'coverage.iam'
  | 'estimate'
  | 'conflict.active';

export interface Check {
  readonly id: CheckId;
  readonly status: 'pass' | 'warn' | 'fail' | 'skip';
  readonly code: string;
  readonly message: string;
  readonly remediation: string;
}

/** One project of a request, with what was found out about it. */
interface Subject {
  readonly name: string;
  readonly source: Source | null;
  readonly repeats: number;
  readonly ruleset: Ruleset | null;
  readonly profileName: string;
  readonly rules: readonly RuleOutline[];
  readonly now: Date;
}

/** All checks in a fixed order; those that make no sense after an earlier failure are skipped. */
export function checksOf(subject: Subject): Check[] {
  return [
    profileKnown(subject),
    projectKnown(subject),
    projectDuplicate(subject),
    sourceAttached(subject),
    sourceFreshness(subject),
    coverageTypes(subject),
    coverageIam(subject),
    estimate(subject),
    conflictActive(subject),
  ];
}

function pass(id: CheckId, message: string): Check {
  return { id, status: 'pass', code: 'OK', message, remediation: '' };
}

function skip(id: CheckId): Check {
  return {
    id,
    status: 'skip',
    code: 'SKIPPED',
    message: 'Not checked: an earlier check failed.',
    remediation: '',
  };
}

function profileKnown({ ruleset, profileName }: Subject): Check {
  if (ruleset !== null && ruleset.rules.length === 0) {
    return {
      id: 'profile.known',
      status: 'fail',
      code: 'PROFILE_EMPTY',
      message: `Profile ${ruleset.profile} has no rules any more: those that it names are gone.`,
      remediation: `Change it with PUT /profiles/${ruleset.profile}.`,
    };
  }
  if (ruleset !== null)
    return pass('profile.known', `Profile ${ruleset.profile} has ${ruleset.rules.length} rules.`);
  return {
    id: 'profile.known',
    status: 'fail',
    code: 'PROFILE_UNKNOWN',
    message: `There is no profile of the name "${profileName}".`,
    remediation: `Use one of: ${PROFILE_NAMES.join(', ')}; or one that your tenant has defined (GET /profiles).`,
  };
}

function projectKnown({ name, source }: Subject): Check {
  if (source !== null) return pass('project.known', `Project ${name} is known.`);
  return {
    id: 'project.known',
    status: 'fail',
    code: 'PROJECT_UNKNOWN',
    message: `There is no project of the name "${name}".`,
    remediation: 'Create it with POST /projects, or choose one from GET /projects.',
  };
}

function projectDuplicate({ name, repeats }: Subject): Check {
  if (repeats === 1) return pass('project.duplicate', 'The project is named once.');
  return {
    id: 'project.duplicate',
    status: 'warn',
    code: 'PROJECT_REPEATED',
    message: `Project ${name} is named ${repeats} times; it is scanned once.`,
    remediation: 'Name each project once.',
  };
}

function sourceAttached({ name, source }: Subject): Check {
  if (source === null) return skip('source.attached');
  if (source.inventory !== null) {
    return pass('source.attached', `The inventory holds ${source.inventory.assets} assets.`);
  }
  return {
    id: 'source.attached',
    status: 'fail',
    code: 'INVENTORY_MISSING',
    message: `Project ${name} has no inventory.`,
    remediation: `Upload a Cloud Asset Inventory export with PUT /projects/${name}/inventory.`,
  };
}

function sourceFreshness({ source, now }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory) return skip('source.freshness');
  const hours = Math.floor((now.getTime() - inventory.createdAt.getTime()) / 3_600_000);
  if (hours < inventory.maxAgeHours) return pass('source.freshness', 'The inventory is recent.');
  return {
    id: 'source.freshness',
    status: 'warn',
    code: 'INVENTORY_STALE',
    message: `The inventory was uploaded ${hours} hours ago, and your tenant takes ${inventory.maxAgeHours} for too long.`,
    remediation: 'Upload a new export to scan what is there now.',
  };
}

function coverageTypes({ source, ruleset, rules }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory || ruleset === null) return skip('coverage.types');
  const missing = [
    ...new Set(
      rules
        .filter((rule) => !rule.assetTypes.some((type) => inventory.types.has(type)))
        .flatMap((rule) => rule.assetTypes),
    ),
  ].sort();
  if (missing.length === 0) return pass('coverage.types', 'Every rule finds assets of its types.');
  return {
    id: 'coverage.types',
    status: 'warn',
    code: 'TYPES_MISSING',
    message: `The inventory has no assets of: ${missing.join(', ')}.`,
    remediation: 'If the project has such resources, export these asset types too.',
  };
}

function coverageIam({ source, ruleset, rules }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory || ruleset === null) return skip('coverage.iam');
  const wanted = rules.filter(
    (rule) =>
      rule.needs.includes('IAM_POLICY') &&
      rule.assetTypes.some((type) => inventory.types.has(type)),
  );
  if (wanted.length === 0) return pass('coverage.iam', 'No rule needs IAM policies here.');
  return {
    id: 'coverage.iam',
    status: 'pass',
    code: 'IAM_WANTED',
    message: `${wanted.length} rules read IAM policies; an asset without one is judged UNKNOWN by them.`,
    remediation: 'Export with content type IAM_POLICY too and upload both exports in one file.',
  };
}

function estimate({ source, rules }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory) return skip('estimate');
  return pass('estimate', `At most ${evaluationsIn(inventory.types, rules)} evaluations.`);
}

function conflictActive({ name, source }: Subject): Check {
  if (source === null) return skip('conflict.active');
  if (source.activeScans === 0)
    return pass('conflict.active', 'No other scan of the project is under way.');
  return {
    id: 'conflict.active',
    status: 'warn',
    code: 'SCAN_ACTIVE',
    message: `${source.activeScans} scan(s) of ${name} are queued or running; this one waits for them.`,
    remediation: 'Wait for them to finish, or launch now and let it queue.',
  };
}

/** At most so many: every rule on every asset of its types. */
export function evaluationsIn(
  types: ReadonlyMap<string, number>,
  rules: readonly RuleOutline[],
): number {
  return rules
    .flatMap((rule) => rule.assetTypes)
    .reduce((total, type) => total + (types.get(type) ?? 0), 0);
}
