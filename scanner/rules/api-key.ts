import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { daysIn, isOlderThan, NINETY_DAYS } from '../facts/age.ts';
import { applicationRestrictionOf, isDeleted } from '../facts/api-key.ts';
import { child, objects, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: apikeys v2, discovery revision 20260818.
 */

const KEY = ['apikeys.googleapis.com/Key'];

/** The pseudo-service that allows all services. */
const EVERY_API = 'cloudapis.googleapis.com';

const apikeyUnrestrictedApis = resourceRule(
  {
    id: 'apikey-unrestricted-apis',
    title: 'API key is not restricted to APIs',
    severity: 'medium',
    category: 'iam',
    assetTypes: KEY,
    description:
      'API keys appear in URLs and in the source of web pages, where anyone can copy them. A key should allow only the APIs that its application calls, not every API that is or will be enabled in the project.',
    remediation:
      'Restrict the key to the APIs that it needs: `gcloud services api-keys update KEY --api-target=service=SERVICE`.',
    compliance: cis({ v4: '1.14', v5: '1.15' }),
    noFix: 'needs the APIs that the key is for',
  },
  (key) => {
    if (isDeleted(key)) return NOT_APPLICABLE;
    const targets = objects(child(key, 'restrictions'), 'apiTargets');
    const isOpen = targets.length === 0 || targets.some(({ service }) => service === EVERY_API);
    if (!isOpen) return PASS;
    return fail({
      message:
        targets.length === 0
          ? 'This API key is not restricted to any API.'
          : `This API key allows ${EVERY_API}, which is every API.`,
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
    title: 'API key is not restricted to callers',
    severity: 'medium',
    category: 'iam',
    assetTypes: KEY,
    description:
      'Anyone with a copy of an API key can use it, at your cost and with your quota, unless it is restricted to specific web sites, addresses or apps. A wildcard for all sites, or a range that covers the internet, is not a restriction.',
    remediation:
      'Restrict the callers in one of four ways: to websites with `gcloud services api-keys update KEY --allowed-referrers=SITES`, to addresses with `gcloud services api-keys update KEY --allowed-ips=ADDRESSES`, to an Android app with `gcloud services api-keys update KEY --allowed-application=sha1_fingerprint=FINGERPRINT,package_name=PACKAGE`, or to iOS apps with `gcloud services api-keys update KEY --allowed-bundle-ids=BUNDLES`.',
    compliance: cis({ v4: '1.13', v5: '1.14' }),
    noFix: 'needs the sites, addresses or apps that use the key',
  },
  (key) => {
    if (isDeleted(key)) return NOT_APPLICABLE;
    const restriction = applicationRestrictionOf(key);
    if (restriction === null) {
      return fail({
        message: 'This API key is not restricted to any caller.',
        evidence: [cite('restrictions', null)],
      });
    }
    if (!restriction.isOpen) return PASS;
    return fail({
      message: 'The restriction of this API key excludes no caller.',
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
      'An API key never expires. It should be replaced within 90 days, so that copies of it become useless.',
    remediation:
      'Create a new key with the same restrictions, for example: `gcloud services api-keys create --display-name=NAME --api-target=service=SERVICE --allowed-ips=ADDRESSES`. Update the users of the old key, then delete it: `gcloud services api-keys delete KEY`.',
    compliance: cis({ v4: '1.15', v5: '1.16' }),
    noFix: 'the key must be replaced by a new one and deleted',
    parameters: NINETY_DAYS,
  },
  (key, _asset, { time, parameters }) => {
    if (isDeleted(key)) return NOT_APPLICABLE;
    const days = daysIn(parameters);
    const isOld = isOlderThan(text(key, 'createTime'), days, time);
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
