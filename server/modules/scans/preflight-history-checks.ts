import { type Check, counted, pass, type Subject, skip } from './preflight-check.ts';

export function conflictActive({ name, source }: Subject): Check {
  if (source === null) return skip('conflict.active');
  const { openScans } = source;
  if (openScans === 0)
    return pass('conflict.active', 'No other scan of the project is queued or running.');
  return {
    id: 'conflict.active',
    status: 'warn',
    code: 'SCAN_ACTIVE',
    message: `${counted(openScans, 'scan')} of ${name} ${openScans === 1 ? 'is' : 'are'} queued or running; this one must wait.`,
    remediation: 'Wait until they have finished, or launch now and let it queue.',
  };
}

/** Added to a result that can lack mutes. */
const NOT_ALL =
  ' There can be more: not all findings were compared with the asset patterns of expiring mutes, because there are too many.';

export function mutesExpiring({ source, expiringMutes }: Subject): Check {
  if (source === null) return skip('mutes.expiring');
  if (expiringMutes === 'skipped') return skip('mutes.expiring', 'Not checked at a launch.');
  if (expiringMutes === null) return pass('mutes.expiring', 'No mute expires within a week.');
  const { count, firstAt, isPartial } = expiringMutes;
  if (firstAt === null) {
    return pass('mutes.expiring', `No mute was found that expires within a week.${NOT_ALL}`);
  }
  return {
    id: 'mutes.expiring',
    status: 'warn',
    code: 'MUTES_EXPIRING',
    message: `${counted(count, 'mute')} of the project ${count === 1 ? 'expires' : 'expire'} within a week, the first on ${firstAt.toISOString().slice(0, 10)}. Their findings will then be unmuted.${isPartial ? NOT_ALL : ''}`,
    remediation: 'Fix the muted findings, or mute them again with a reason (GET /mutes).',
  };
}

export function baseline({ source, ruleset }: Subject): Check {
  if (source === null || ruleset === null) return skip('baseline');
  const { last } = source;
  if (last === null) {
    return {
      id: 'baseline',
      status: 'pass',
      code: 'NO_BASELINE',
      message: 'No scan of the project has completed yet: all findings of this scan will be new.',
      remediation: '',
    };
  }
  if (last.digest === ruleset.digest) {
    return pass('baseline', 'The last scan of the project evaluated the same rules.');
  }
  return {
    id: 'baseline',
    status: 'warn',
    code: 'RULE_SET_CHANGED',
    message: `The last scan of the project, with profile ${last.profile}, evaluated other rules: findings can be new or resolved although the project did not change.`,
    remediation: 'Compare with a scan that uses the same profile.',
  };
}
