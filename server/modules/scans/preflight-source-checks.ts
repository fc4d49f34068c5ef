import { projectsOf, Snapshot } from '@cspm/scanner';
import type { InventoryContents } from '../inventories/index.ts';
import { type Check, counted, pass, type Subject, skip } from './preflight-check.ts';
import type { Inventory } from './preflight-sources.ts';

const HOUR_MS = 3_600_000;
/** In a project that is in use, something changes within this time. */
const QUIET_DAYS = 30;

export function sourceAttached({ name, source }: Subject): Check {
  if (source === null) return skip('source.attached');
  if (source.inventory !== null) {
    return pass(
      'source.attached',
      `The inventory has ${counted(source.inventory.assets, 'asset')}.`,
    );
  }
  return {
    id: 'source.attached',
    status: 'fail',
    code: 'INVENTORY_MISSING',
    message: `Project ${name} has no inventory.`,
    remediation: `Upload a Cloud Asset Inventory export with PUT /projects/${name}/inventory.`,
  };
}

export function sourceParseable({ name, source }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory) return skip('source.parseable');
  const { contents, warnings, assets } = inventory;
  if (contents === null) {
    return {
      id: 'source.parseable',
      status: 'fail',
      code: 'INVENTORY_OUTDATED',
      message:
        'The inventory was uploaded to an earlier release, which did not record everything that rules need.',
      remediation: `Upload it again with PUT /projects/${name}/inventory.`,
    };
  }
  const kinds = Object.keys(contents.kinds);
  if (assets > 0 && contents.kinds.RESOURCE === undefined) {
    return {
      id: 'source.parseable',
      status: 'warn',
      code: 'RESOURCES_MISSING',
      message: `The inventory contains no RESOURCE content, only ${kinds.length === 0 ? 'asset names' : kinds.join(', ')}.`,
      remediation: 'Also export with content type RESOURCE and upload all exports in one file.',
    };
  }
  if (warnings > 0) {
    return {
      id: 'source.parseable',
      status: 'warn',
      code: 'RECORDS_UNUSED',
      message: `${counted(warnings, 'record')} of the upload ${warnings === 1 ? 'was' : 'were'} ignored or corrected.`,
      remediation: `GET /projects/${name}/inventories lists which and why.`,
    };
  }
  return pass('source.parseable', `Every record was used. ${kindsIn(contents)}`);
}

function kindsIn({ kinds }: InventoryContents): string {
  const of = Object.entries(kinds).map(([kind, count]) => `${kind} of ${counted(count, 'asset')}`);
  return of.length === 0 ? 'There are none.' : `Content: ${of.join(', ')}.`;
}

/**
 * Warns when an export of a folder or organization contains several cloud projects, because the scan treats it as one
 * project.
 */
export function sourceScope({ source }: Subject): Check {
  const contents = source?.inventory?.contents;
  if (!contents) return skip('source.scope');
  const projects = cloudProjectsIn(contents);
  const [one] = projects;
  if (projects.length <= 1) {
    return pass(
      'source.scope',
      one === undefined
        ? 'The inventory does not name its cloud project.'
        : `The inventory belongs to one cloud project: ${one}.`,
    );
  }
  const named = projects.slice(0, 3).join(', ');
  const which = projects.length <= 3 ? named : `such as ${named}`;
  return {
    id: 'source.scope',
    status: 'warn',
    code: 'SEVERAL_CLOUD_PROJECTS',
    message: `The inventory has assets of ${projects.length} cloud projects (${which}); they are scanned as one.`,
    remediation:
      'To separate their findings, export each cloud project (gcloud asset export --project) and upload each export to its own project here.',
  };
}

/** Counts cloud projects once, though references name them by number, by id, or by both. */
function cloudProjectsIn({ projects }: InventoryContents): string[] {
  const known = new Snapshot({ assetTypes: new Map(), projects }).derive(projectsOf);
  return known.all.map(({ asset }) => asset.name.replace(/^.*\/projects\//, ''));
}

export function sourceFreshness({ source, now }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory) return skip('source.freshness');
  const hours = hoursSince(inventory.createdAt, now);
  if (hours >= inventory.maxAgeHours) {
    return {
      id: 'source.freshness',
      status: 'warn',
      code: 'INVENTORY_STALE',
      message: `The inventory was uploaded ${counted(hours, 'hour')} ago; your tenant allows ${inventory.maxAgeHours}.`,
      remediation: 'Upload a new export to scan the current state.',
    };
  }
  const quietDays = quietDaysOf(inventory, now);
  if (quietDays === null || quietDays < QUIET_DAYS) {
    return pass('source.freshness', 'The inventory is recent.');
  }
  return {
    id: 'source.freshness',
    status: 'warn',
    code: 'EXPORT_OLD',
    message: `The inventory was uploaded recently, but its latest change is ${quietDays} days old.`,
    remediation: 'If the project has changed since, create a new export.',
  };
}

function quietDaysOf({ contents }: Inventory, now: Date): number | null {
  const newest = contents?.newestUpdate ?? null;
  return newest === null ? null : Math.floor(hoursSince(new Date(newest), now) / 24);
}

function hoursSince(moment: Date, now: Date): number {
  return Math.floor((now.getTime() - moment.getTime()) / HOUR_MS);
}
