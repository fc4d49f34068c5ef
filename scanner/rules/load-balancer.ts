import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { weaknessOf } from '../facts/load-balancing.ts';
import { child, isTrue, type JsonObject, text } from '../json.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import { canonicalReference, References } from '../references.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import type { Snapshot } from '../snapshot.ts';

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
      'Without an SSL policy of its own a proxy takes TLS 1.0 and every cipher that Google still knows. Its policy should have the profile RESTRICTED, or MODERN from TLS 1.2 on, or a list without RSA key exchange and 3DES.',
    remediation:
      'Make a policy and attach it: gcloud compute ssl-policies create POLICY --profile=MODERN --min-tls-version=1.2; gcloud compute target-https-proxies update PROXY --ssl-policy=POLICY.',
    compliance: cis({ v4: '3.9', v5: '3.11' }),
  },
  (proxy, asset, { snapshot }) => {
    const reference = text(proxy, 'sslPolicy');
    if (reference === null) {
      return fail({
        message: 'This proxy has no SSL policy, so it takes TLS 1.0 and weak ciphers.',
        evidence: [cite('sslPolicy', null)],
      });
    }
    const policy = snapshot
      .derive(sslPoliciesOf)
      .get(canonicalReference(reference, asset, snapshot));
    if (policy === undefined) return unknown(SSL_POLICY);
    const weakness = weaknessOf(policy);
    if (weakness === null) return PASS;
    const found = policy[weakness.path];
    return fail({
      message: `The SSL policy of this proxy ${weakness.because}.`,
      evidence: [cite('sslPolicy', reference), cite(weakness.path, found)],
    });
  },
);

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
      'What a URL map serves through an HTTP proxy can be read and changed on the way. The proxy for port 80 should have a URL map of its own that redirects every request to HTTPS.',
    remediation:
      'Import a URL map with defaultUrlRedirect.httpsRedirect: true and give it to the HTTP proxy: gcloud compute url-maps import REDIRECT --source=FILE; gcloud compute target-http-proxies update PROXY --url-map=REDIRECT.',
    compliance: NO_REQUIREMENT,
  },
  (urlMap, asset, { snapshot }) => {
    const redirect = child(urlMap, 'defaultUrlRedirect');
    if (isTrue(redirect, 'httpsRedirect')) return PASS;
    // An export of the proxies of load balancers that has none for HTTP tells that there is none.
    const proxies = [...HTTP_PROXY, ...HTTPS_PROXY];
    if (!proxies.some((type) => snapshot.assetTypes.has(type)))
      return unknown('compute.googleapis.com/TargetHttpProxy');
    const self = canonicalReference(asset.name, asset, snapshot);
    if (!snapshot.derive(httpUsesOf).some(self)) return PASS;
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
