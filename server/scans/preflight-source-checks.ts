import { projectsOf, Snapshot } from '@cspm/scanner';
import type { InventoryContents } from '../inventories/contents.ts';
import { type Check, counted, pass, type Subject, skip } from './preflight-check.ts';
import type { Inventory } from './preflight-sources.ts';

const HOUR_MS = 3_600_000;
/** In a project that is used something changes sooner. */
const QUIET_DAYS = 30;

export function sourceAttached({ name, source }: Subject): Check {
  if (source === null) return skip('source.attached');
  if (source.inventory !== null) {
    return pass(
      'source.attached',
      `The inventory holds ${counted(source.inventory.assets, 'asset')}.`,
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
        'The inventory was taken in by an earlier release, which did not note all that rules ask for.',
      remediation: `Upload it again with PUT /projects/${name}/inventory.`,
    };
  }
  const kinds = Object.keys(contents.kinds);
  if (assets > 0 && contents.kinds.RESOURCE === undefined) {
    return {
      id: 'source.parseable',
      status: 'warn',
      code: 'RESOURCES_MISSING',
      message: `The inventory describes no resources; of its assets it has ${kinds.length === 0 ? 'just the names' : kinds.join(', ')}.`,
      remediation: 'Export with content type RESOURCE too and upload all exports in one file.',
    };
  }
  if (warnings > 0) {
    return {
      id: 'source.parseable',
      status: 'warn',
      code: 'RECORDS_UNUSED',
      message: `${counted(warnings, 'record')} of the upload ${warnings === 1 ? 'was' : 'were'} not used, or not as sent.`,
      remediation: `GET /projects/${name}/inventories says which, and why.`,
    };
  }
  return pass('source.parseable', `Every record was used. ${kindsIn(contents)}`);
}

function kindsIn({ kinds }: InventoryContents): string {
  const of = Object.entries(kinds).map(([kind, count]) => `${kind} of ${counted(count, 'asset')}`);
  return of.length === 0 ? 'There are none.' : `They say: ${of.join(', ')}.`;
}

/** An export of a folder or an organisation is of many cloud projects, which here are scanned as one. */
export function sourceScope({ source }: Subject): Check {
  const contents = source?.inventory?.contents;
  if (!contents) return skip('source.scope');
  const projects = cloudProjectsIn(contents);
  const [one] = projects;
  if (projects.length <= 1) {
    return pass(
      'source.scope',
      one === undefined
        ? 'The inventory does not say of which cloud project it is.'
        : `All of the inventory is of one cloud project: ${one}.`,
    );
  }
  const named = projects.slice(0, 3).join(', ');
  return {
    id: 'source.scope',
    status: 'warn',
    code: 'SEVERAL_CLOUD_PROJECTS',
    message: `The inventory holds assets of ${projects.length} cloud projects, such as ${named}; they are scanned as one.`,
    remediation:
      'To see their findings apart, export each of them (gcloud asset export --project) into a project of its own here.',
  };
}

/** One cloud project goes by its number, by its id, or by both. */
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
      message: `The inventory was uploaded ${counted(hours, 'hour')} ago, and your tenant takes ${inventory.maxAgeHours} for too long.`,
      remediation: 'Upload a new export to scan what is there now.',
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
    message: `The inventory was uploaded of late, but the last change that it shows is ${quietDays} days old.`,
    remediation: 'If the project has changed since, make the export anew.',
  };
}

function quietDaysOf({ contents }: Inventory, now: Date): number | null {
  const newest = contents?.newestUpdate ?? null;
  return newest === null ? null : Math.floor(hoursSince(new Date(newest), now) / 24);
}

function hoursSince(moment: Date, now: Date): number {
  return Math.floor((now.getTime() - moment.getTime()) / HOUR_MS);
}
