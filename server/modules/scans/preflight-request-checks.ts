import { LIMITS } from '@cspm/contract';
import { PROFILE_NAMES } from '@cspm/scanner';
import { type Check, counted, pass, type Subject, skip } from './preflight-check.ts';

/** Maximum number of queued or running scans of one tenant. */
export const OPEN_SCANS_MAX = 1_000;

export function profileKnown({ ruleset, profileName }: Subject): Check {
  if (ruleset === null) {
    return {
      id: 'profile.known',
      status: 'fail',
      code: 'PROFILE_UNKNOWN',
      message: `Profile "${profileName}" does not exist.`,
      remediation: `Use one of: ${PROFILE_NAMES.join(', ')}; or a custom profile of your tenant (GET /profiles).`,
    };
  }
  if (ruleset.rules.length === 0) {
    return {
      id: 'profile.known',
      status: 'fail',
      code: 'PROFILE_EMPTY',
      message: `Profile ${ruleset.profile} has no rules left: the rules that it names were deleted.`,
      remediation: `Change it with PUT /profiles/${ruleset.profile}.`,
    };
  }
  return pass(
    'profile.known',
    `Profile ${ruleset.profile} has ${counted(ruleset.rules.length, 'rule')}.`,
  );
}

export function projectKnown({ name, source }: Subject): Check {
  if (source !== null) return pass('project.known', `Project ${name} exists.`);
  return {
    id: 'project.known',
    status: 'fail',
    code: 'PROJECT_UNKNOWN',
    message: `Project "${name}" does not exist.`,
    remediation: 'Create it with POST /projects, or choose one from GET /projects.',
  };
}

export function projectDuplicate({ name, repeats }: Subject): Check {
  if (repeats === 1) return pass('project.duplicate', 'The project is named once.');
  return {
    id: 'project.duplicate',
    status: 'warn',
    code: 'PROJECT_REPEATED',
    message: `Project ${name} is named ${repeats} times; it will be scanned once.`,
    remediation: 'Name each project once.',
  };
}

/** The permission to run preflight does not include the one to launch a scan. */
export function permission({ caller }: Subject): Check {
  if (caller.permissions.has('scans.launch')) return pass('permission', 'You may launch scans.');
  return {
    id: 'permission',
    status: 'fail',
    code: 'LAUNCH_NOT_PERMITTED',
    message: 'You lack the permission scans.launch: you cannot launch the scan.',
    remediation: 'Ask an administrator for a role that includes it, such as analyst.',
  };
}

export function quotaScans({ openScans }: Subject): Check {
  if (openScans < OPEN_SCANS_MAX) {
    return pass(
      'quota.scans',
      `Your tenant has ${counted(openScans, 'scan')} that ${openScans === 1 ? 'is' : 'are'} queued or running; the limit is ${OPEN_SCANS_MAX}.`,
    );
  }
  return {
    id: 'quota.scans',
    status: 'fail',
    code: 'SCANS_QUEUED',
    message: `${OPEN_SCANS_MAX} scans of your tenant are queued or running, which is the limit.`,
    remediation: 'Wait for some to finish, or cancel some.',
  };
}

export function rateRemaining({ caller: { launchesLeft } }: Subject): Check {
  if (launchesLeft === null) {
    return skip('rate.remaining', 'The number of launches left for your IP address is unknown.');
  }
  if (launchesLeft > 0) {
    return pass(
      'rate.remaining',
      `Your IP address can launch ${counted(launchesLeft, 'more scan')} in this window.`,
    );
  }
  return {
    id: 'rate.remaining',
    status: 'warn',
    code: 'RATE_USED_UP',
    message: `Your IP address has used its ${LIMITS.scans.quota} launches of this window.`,
    remediation: `Wait up to ${LIMITS.scans.windowSeconds} seconds; Retry-After of a refusal gives the exact time.`,
  };
}
