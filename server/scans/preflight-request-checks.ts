import { LIMITS } from '@cspm/contract';
import { PROFILE_NAMES } from '@cspm/scanner';
import { type Check, counted, pass, type Subject, skip } from './preflight-check.ts';

/** As many scans of one tenant may wait or run at a time. */
const OPEN_SCANS_MOST = 1_000;

export function profileKnown({ ruleset, profileName }: Subject): Check {
  if (ruleset === null) {
    return {
      id: 'profile.known',
      status: 'fail',
      code: 'PROFILE_UNKNOWN',
      message: `There is no profile of the name "${profileName}".`,
      remediation: `Use one of: ${PROFILE_NAMES.join(', ')}; or one that your tenant has defined (GET /profiles).`,
    };
  }
  if (ruleset.rules.length === 0) {
    return {
      id: 'profile.known',
      status: 'fail',
      code: 'PROFILE_EMPTY',
      message: `Profile ${ruleset.profile} has no rules any more: those that it names are gone.`,
      remediation: `Change it with PUT /profiles/${ruleset.profile}.`,
    };
  }
  return pass(
    'profile.known',
    `Profile ${ruleset.profile} has ${counted(ruleset.rules.length, 'rule')}.`,
  );
}

export function projectKnown({ name, source }: Subject): Check {
  if (source !== null) return pass('project.known', `Project ${name} is known.`);
  return {
    id: 'project.known',
    status: 'fail',
    code: 'PROJECT_UNKNOWN',
    message: `There is no project of the name "${name}".`,
    remediation: 'Create it with POST /projects, or choose one from GET /projects.',
  };
}

export function projectDuplicate({ name, repeats }: Subject): Check {
  if (repeats === 1) return pass('project.duplicate', 'The project is named once.');
  return {
    id: 'project.duplicate',
    status: 'warn',
    code: 'PROJECT_REPEATED',
    message: `Project ${name} is named ${repeats} times; it is scanned once.`,
    remediation: 'Name each project once.',
  };
}

/** Whoever may ask may not be whoever may launch. */
export function permission({ caller }: Subject): Check {
  if (caller.permissions.has('scans.launch')) return pass('permission', 'You may launch scans.');
  return {
    id: 'permission',
    status: 'fail',
    code: 'LAUNCH_NOT_PERMITTED',
    message: 'You lack the permission scans.launch: a launch by you would be refused.',
    remediation: 'Ask an administrator for a role that holds it, such as analyst.',
  };
}

export function quotaScans({ openScans }: Subject): Check {
  if (openScans < OPEN_SCANS_MOST) {
    return pass(
      'quota.scans',
      `${counted(openScans, 'scan')} of your tenant ${openScans === 1 ? 'is' : 'are'} queued or running, of ${OPEN_SCANS_MOST}.`,
    );
  }
  return {
    id: 'quota.scans',
    status: 'fail',
    code: 'SCANS_QUEUED',
    message: `${OPEN_SCANS_MOST} scans of your tenant are queued or running: no more are taken.`,
    remediation: 'Wait for some to finish, or cancel those that nobody needs.',
  };
}

export function rateRemaining({ caller: { launchesLeft } }: Subject): Check {
  if (launchesLeft === null) {
    return skip('rate.remaining', 'How many launches are left to your address is not known.');
  }
  if (launchesLeft > 0) {
    return pass(
      'rate.remaining',
      `Your address may launch ${counted(launchesLeft, 'scan')} more in this window.`,
    );
  }
  return {
    id: 'rate.remaining',
    status: 'warn',
    code: 'RATE_USED_UP',
    message: `Your address has made its ${LIMITS.scans.quota} launches of this window.`,
    remediation: `Wait up to ${LIMITS.scans.windowSeconds} seconds; then Retry-After of a refusal says how long.`,
  };
}
