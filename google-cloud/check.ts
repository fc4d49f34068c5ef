import { GoogleCloudError, type GoogleCloudErrorCode } from './google-cloud-error.ts';
import { CONTENT_TYPES, type ContentType, PERMISSIONS } from './pull-state.ts';

export interface Check {
  /** `credential`, `api`, `parent` or the name of a permission. */
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do; empty if there is nothing to do. */
  readonly remedy: string;
}

export interface CheckReport {
  /** Whether a pull would be complete. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

/** What is checked before permissions, in the order in which Google finds fault. */
const STAGES = ['credential', 'api', 'parent'] as const;
type Stage = (typeof STAGES)[number];

const PASSED: Readonly<Record<Stage, string>> = {
  credential: 'Google accepts the credential.',
  api: 'The Cloud Asset API is enabled.',
  parent: 'The parent exists.',
};

/** The stage that an error belongs to. Errors that are not listed say nothing about later stages either. */
const STAGE_OF: Readonly<Partial<Record<GoogleCloudErrorCode, Stage>>> = {
  no_credentials: 'credential',
  credential_refused: 'credential',
  impersonation_refused: 'credential',
  // Not even a token may have been given.
  unavailable: 'credential',
  service_disabled: 'api',
  parent_not_found: 'parent',
};

/** @param list requests the smallest page of a content type */
export async function checkCredential(
  list: (contentType: ContentType) => Promise<unknown>,
): Promise<CheckReport> {
  const faults = new Map<ContentType, GoogleCloudError>();
  for (const contentType of CONTENT_TYPES) {
    const fault = await faultOf(list(contentType));
    if (fault === null) continue;
    // A fault that is not about one content type would only be repeated.
    if (!isPermission(fault, contentType)) return stopped(fault);
    faults.set(contentType, fault);
  }
  const stages = STAGES.map((name) => passed(name, PASSED[name]));
  if (faults.size === CONTENT_TYPES.length) {
    // Google gives the same answer for a parent that does not exist.
    stages[2] = {
      name: 'parent',
      ok: false,
      detail: 'The parent does not exist, or the credential has no permission on it.',
      remedy: 'Check the id of the parent.',
    };
  }
  const permissions = CONTENT_TYPES.map((contentType) => {
    const fault = faults.get(contentType);
    const name = PERMISSIONS[contentType];
    return fault === undefined
      ? passed(name, `The credential has ${name}.`)
      : { name, ok: false, detail: fault.message, remedy: fault.remedy };
  });
  const checks = [...stages, ...permissions];
  return { ok: checks.every(({ ok }) => ok), checks };
}

async function faultOf(work: Promise<unknown>): Promise<GoogleCloudError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof GoogleCloudError) return error;
    throw error;
  }
}

function isPermission(fault: GoogleCloudError, contentType: ContentType): boolean {
  return fault.code === 'permission_denied' && fault.permission === PERMISSIONS[contentType];
}

/** The stages before the fault passed, and those after it were not reached. */
function stopped(fault: GoogleCloudError): CheckReport {
  const at = STAGE_OF[fault.code] ?? 'api';
  const reached = STAGES.indexOf(at);
  const names = [...STAGES, ...Object.values(PERMISSIONS)];
  const checks = names.map((name, position): Check => {
    if (position === reached) {
      return { name, ok: false, detail: fault.message, remedy: fault.remedy };
    }
    if (position < reached) return passed(name, PASSED[name as Stage]);
    return { name, ok: false, detail: `Not checked, because ${at} failed.`, remedy: '' };
  });
  return { ok: false, checks };
}

function passed(name: string, detail: string): Check {
  return { name, ok: true, detail, remedy: '' };
}
