import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { weaknessOf } from '../facts/load-balancing.ts';
import { child, isTrue, type JsonObject, text } from '../json.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import { canonicalReference, References, readOnce } from '../references.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import type { Snapshot } from '../snapshot.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

const SSL_POLICY = 'compute.googleapis.com/SslPolicy';
const HTTP_PROXY = [
  'compute.googleapis.com/TargetHttpProxy',
  'compute.googleapis.com/RegionTargetHttpProxy',
];
const HTTPS_PROXY = [
  'compute.googleapis.com/TargetHttpsProxy',
  'compute.googleapis.com/RegionTargetHttpsProxy',
];

const lbWeakSslPolicy = resourceRule(
  {
    id: 'lb-weak-ssl-policy',
    title: 'Load balancer accepts weak TLS',
    severity: 'medium',
    category: 'network',
    assetTypes: [...HTTPS_PROXY, 'compute.googleapis.com/TargetSslProxy'],
    description:
      'Without its own SSL policy a proxy accepts TLS 1.0 and every cipher that Google supports. The policy should have the profile RESTRICTED, or MODERN with TLS 1.2 or later, or a custom list without RSA key exchange and 3DES.',
    remediation:
      'Create a policy and attach it: `gcloud compute ssl-policies create POLICY --global --profile=MODERN --min-tls-version=1.2`; for an HTTPS proxy `gcloud compute target-https-proxies update PROXY --global --ssl-policy=POLICY --global-ssl-policy`, for an SSL proxy `gcloud compute target-ssl-proxies update PROXY --ssl-policy=POLICY`. A regional HTTPS proxy needs a policy of its region: `gcloud compute ssl-policies create POLICY --region=REGION --profile=MODERN --min-tls-version=1.2` and `gcloud compute target-https-proxies update PROXY --region=REGION --ssl-policy=POLICY --ssl-policy-region=REGION`.',
    compliance: cis({ v4: '3.9', v5: '3.11' }),
    noFix: 'needs the name of an SSL policy',
  },
  (proxy, asset, { snapshot }) => {
    const reference = text(proxy, 'sslPolicy');
    if (reference === null) {
      return fail({
        message: 'This proxy has no SSL policy, so it accepts TLS 1.0 and weak ciphers.',
        evidence: [cite('sslPolicy', null)],
      });
    }
    const policy = snapshot
      .derive(sslPoliciesOf)
      .get(canonicalReference(reference, asset, snapshot));
    if (policy === undefined) return unknown(SSL_POLICY);
    const weakness = weaknessOnce(policy);
    if (weakness === null) return PASS;
    const found = policy[weakness.path];
    return fail({
      message: `The SSL policy of this proxy ${weakness.because}.`,
      evidence: [cite('sslPolicy', reference), cite(weakness.path, found)],
    });
  },
);

const weaknessOnce = readOnce(weaknessOf);

function sslPoliciesOf(snapshot: Snapshot): ReadonlyMap<string, JsonObject> {
  return new Map(
    snapshot
      .of(SSL_POLICY)
      .flatMap((policy) =>
        policy.data === null
          ? []
          : [[canonicalReference(policy.name, policy, snapshot), policy.data] as const],
      ),
  );
}

const lbHttpOnly = resourceRule(
  {
    id: 'lb-http-only',
    title: 'Load balancer serves plain HTTP',
    severity: 'medium',
    category: 'network',
    assetTypes: ['compute.googleapis.com/UrlMap', 'compute.googleapis.com/RegionUrlMap'],
    description:
      'Traffic through an HTTP proxy can be read and changed on the network. The proxy for port 80 should have a separate URL map that redirects every request to HTTPS.',
    remediation:
      'Import a URL map with defaultUrlRedirect.httpsRedirect: true and set it on the HTTP proxy: `gcloud compute url-maps import REDIRECT --global --source=FILE`; `gcloud compute target-http-proxies update PROXY --url-map=REDIRECT`.',
    compliance: NO_REQUIREMENT,
    noFix: 'needs a separate URL map for the HTTP proxy',
  },
  (urlMap, asset, { snapshot }) => {
    const redirect = child(urlMap, 'defaultUrlRedirect');
    if (isTrue(redirect, 'httpsRedirect')) return PASS;
    // If proxies were exported and none is for HTTP, the load balancer has no HTTP proxy.
    const proxies = [...HTTP_PROXY, ...HTTPS_PROXY];
    if (!proxies.some((type) => snapshot.assetTypes.has(type)))
      return unknown('compute.googleapis.com/TargetHttpProxy');
    const self = canonicalReference(asset.name, asset, snapshot);
    const uses = snapshot.derive(httpUsesOf);
    if (!uses.some(self)) {
      return uses.isIncomplete ? unknown('compute.googleapis.com/TargetHttpProxy') : PASS;
    }
    return fail({
      message: 'An HTTP proxy serves this URL map, which does not redirect to HTTPS.',
      evidence: [cite('defaultUrlRedirect.httpsRedirect', redirect?.httpsRedirect)],
    });
  },
);

function httpUsesOf(snapshot: Snapshot): References {
  return new References(snapshot, HTTP_PROXY, ({ data }) => {
    const urlMap = text(data, 'urlMap');
    return urlMap === null ? [] : [urlMap];
  });
}

export const LOAD_BALANCER_RULES: readonly Rule[] = [lbHttpOnly, lbWeakSslPolicy];
