import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { daysIn, isOlderThan, NINETY_DAYS } from '../facts/age.ts';
import { applicationRestrictionOf, isDeleted } from '../facts/api-key.ts';
import { child, objects, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const KEY = ['apikeys.googleapis.com/Key'];

/** The one service that stands for all of them. */
const EVERY_API = 'cloudapis.googleapis.com';

const apikeyUnrestrictedApis = resourceRule(
  {
    id: 'apikey-unrestricted-apis',
    title: 'API key works for every API',
    severity: 'medium',
    category: 'iam',
    assetTypes: KEY,
    description:
      'An API key travels in addresses and in the source of web pages, for everyone to copy. It should open the APIs that its application calls and no other that is, or one day will be, switched on in the project.',
    remediation:
      'Name the APIs that it is for: gcloud services api-keys update KEY --api-target=service=SERVICE.',
    compliance: cis({ v4: '1.14', v5: '1.15' }),
  },
  (key) => {
    if (isDeleted(key)) return NOT_APPLICABLE;
    const targets = objects(child(key, 'restrictions'), 'apiTargets');
    const isOpen = targets.length === 0 || targets.some(({ service }) => service === EVERY_API);
    if (!isOpen) return PASS;
    return fail({
      message:
        targets.length === 0
          ? 'This API key names no API that it is for.'
          : `This API key is for ${EVERY_API}, which is every API.`,
      evidence: [
        cite(
          'restrictions.apiTargets[].service',
          targets.map(({ service }) => service ?? null),
        ),
      ],
    });
  },
);

const apikeyUnrestrictedApps = resourceRule(
  {
    id: 'apikey-unrestricted-apps',
    title: 'API key works for everyone',
    severity: 'medium',
    category: 'iam',
    assetTypes: KEY,
    description:
      'Whoever has copied an API key can use it, at your cost and with your quota, unless it names the web sites, addresses or apps that may. A star for a site, or a range that is the internet, names nobody.',
    remediation:
      'Name those who may use it, in one of four ways: gcloud services api-keys update KEY --allowed-referrers=SITES, --allowed-ips=ADDRESSES, --allowed-application=APP or --allowed-bundle-ids=APPS.',
    compliance: cis({ v4: '1.13', v5: '1.14' }),
  },
  (key) => {
    if (isDeleted(key)) return NOT_APPLICABLE;
    const restriction = applicationRestrictionOf(key);
    if (restriction === null) {
      return fail({
        message: 'This API key names nobody who may use it.',
        evidence: [cite('restrictions', null)],
      });
    }
    if (!restriction.isOpen) return PASS;
    return fail({
      message: 'The restriction of this API key leaves nobody out.',
      evidence: [cite(restriction.path, restriction.entries)],
    });
  },
);

const apikeyOlder90d = resourceRule(
  {
    id: 'apikey-older-90d',
    title: 'API key is old',
    severity: 'medium',
    category: 'iam',
    assetTypes: KEY,
    description:
      'An API key never expires. Within 90 days at most it should make way for a new one, so that copies of it lose their worth.',
    remediation:
      'Make a new key with the same restrictions, change what uses the old one, then delete that: gcloud services api-keys create; gcloud services api-keys delete KEY.',
    compliance: cis({ v4: '1.15', v5: '1.16' }),
    parameters: NINETY_DAYS,
  },
  (key, _asset, { now, parameters }) => {
    if (isDeleted(key)) return NOT_APPLICABLE;
    const days = daysIn(parameters);
    const isOld = isOlderThan(text(key, 'createTime'), days, now);
    if (isOld === null) return unknown('RESOURCE');
    if (!isOld) return PASS;
    return fail({
      message: `This API key is older than ${days} days.`,
      evidence: [cite('createTime', key.createTime)],
    });
  },
);

export const API_KEY_RULES: readonly Rule[] = [
  apikeyOlder90d,
  apikeyUnrestrictedApis,
  apikeyUnrestrictedApps,
];
