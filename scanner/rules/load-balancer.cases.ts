import type { Asset } from '../inventory/normalise.ts';
import type { JsonObject } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const URL_PREFIX = 'https://www.googleapis.com/compute/v1/';

function compute(kind: string, path: string, data: JsonObject): Asset {
  return assetOf({
    type: `compute.googleapis.com/${kind}`,
    name: `//compute.googleapis.com/${path}`,
    data,
  });
}

const proxy = (data: JsonObject, kind = 'TargetHttpsProxy') =>
  compute(kind, 'projects/p/global/targetHttpsProxies/web', data);
const policy = (data: JsonObject, path = 'projects/p/global/sslPolicies/tls') =>
  compute('SslPolicy', path, data);

/** A proxy that refers to the given policy `tls`. */
function withPolicy(name: string, data: JsonObject): RuleCase {
  const sslPolicy = `${URL_PREFIX}projects/p/global/sslPolicies/tls`;
  return { name, asset: proxy({ sslPolicy }), others: [policy(data)] };
}

/** A proxy with a strong policy, referred to in the given way. */
function referredTo(name: string, sslPolicy: string, path?: string): RuleCase {
  const others = [
    policy({ profile: 'RESTRICTED' }, path),
    policy({}, 'projects/p/global/sslPolicies/x'),
  ];
  return { name, asset: proxy({ sslPolicy }), others };
}

const urlMap = (data: JsonObject, path = 'projects/p/global/urlMaps/web', kind = 'UrlMap') =>
  compute(kind, path, data);
const httpProxy = (map: string, kind = 'TargetHttpProxy') =>
  compute(kind, 'projects/p/global/targetHttpProxies/web', { urlMap: map });
const bareProxy = (kind: string) =>
  assetOf({
    type: `compute.googleapis.com/${kind}`,
    name: '//compute.googleapis.com/projects/p/global/targetHttpProxies/bare',
  });

const SERVED = [httpProxy(`${URL_PREFIX}projects/p/global/urlMaps/web`)];

export const LOAD_BALANCER_CASES: readonly RuleCases[] = [
  {
    rule: 'lb-weak-ssl-policy',
    pass: [
      withPolicy('RESTRICTED', { profile: 'RESTRICTED', minTlsVersion: 'TLS_1_2' }),
      withPolicy('RESTRICTED, which takes TLS 1.2 on whatever it says', { profile: 'RESTRICTED' }),
      withPolicy('MODERN from TLS 1.2 on', { profile: 'MODERN', minTlsVersion: 'TLS_1_2' }),
      withPolicy('MODERN from TLS 1.3 on', { profile: 'modern', minTlsVersion: 'TLS_1_3' }),
      withPolicy('the FIPS profile', { profile: 'FIPS_202205', minTlsVersion: 'TLS_1_2' }),
      withPolicy('CUSTOM with strong suites', {
        profile: 'CUSTOM',
        customFeatures: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
        enabledFeatures: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
      }),
      withPolicy('CUSTOM with suites of TLS 1.3', {
        profile: 'CUSTOM',
        enabledFeatures: ['TLS_AES_128_GCM_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
      }),
      referredTo('a policy by its path', 'projects/p/global/sslPolicies/tls'),
      referredTo('a policy by its path in its own project', 'global/sslPolicies/tls'),
      referredTo(
        'a policy by the URL of a beta',
        'https://compute.googleapis.com/compute/beta/projects/p/global/sslPolicies/tls',
      ),
      referredTo(
        'a policy by its asset',
        '//compute.googleapis.com/projects/p/global/sslPolicies/tls',
      ),
      referredTo(
        'a policy of a region',
        `${URL_PREFIX}projects/p/regions/r/sslPolicies/tls`,
        'projects/p/regions/r/sslPolicies/tls',
      ),
      {
        name: 'a policy by the number of its project',
        asset: assetOf({
          type: 'compute.googleapis.com/TargetHttpsProxy',
          name: '//compute.googleapis.com/projects/p/global/targetHttpsProxies/web',
          ancestors: ['projects/1'],
          data: { sslPolicy: 'projects/1/global/sslPolicies/tls' },
        }),
        others: [policy({ profile: 'RESTRICTED' })],
      },
    ],
    fail: [
      { name: 'no policy', asset: proxy({}) },
      { name: 'an empty policy', asset: proxy({ sslPolicy: '' }), others: [policy({})] },
      { name: 'no policy of an SSL proxy', asset: proxy({}, 'TargetSslProxy') },
      { name: 'no policy of a regional proxy', asset: proxy({}, 'RegionTargetHttpsProxy') },
      withPolicy('COMPATIBLE', { profile: 'COMPATIBLE', minTlsVersion: 'TLS_1_2' }),
      withPolicy('no profile, which is COMPATIBLE', { minTlsVersion: 'TLS_1_2' }),
      withPolicy('MODERN from TLS 1.0 on', { profile: 'MODERN', minTlsVersion: 'TLS_1_0' }),
      withPolicy('MODERN from TLS 1.1 on', { profile: 'MODERN', minTlsVersion: 'TLS_1_1' }),
      withPolicy('MODERN without a version, which is TLS 1.0', { profile: 'MODERN' }),
      withPolicy('MODERN from an unknown version on', {
        profile: 'MODERN',
        minTlsVersion: 'SSL_3',
      }),
      withPolicy('an unknown profile', { profile: 'LEGACY', minTlsVersion: 'TLS_1_2' }),
      withPolicy('CUSTOM with an unknown suite', {
        profile: 'CUSTOM',
        customFeatures: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_NULL_WITH_NULL_NULL'],
      }),
      withPolicy('CUSTOM with RSA key exchange', {
        profile: 'CUSTOM',
        enabledFeatures: [
          'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
          'TLS_RSA_WITH_AES_128_GCM_SHA256',
        ],
      }),
      withPolicy('CUSTOM with 3DES', {
        profile: 'CUSTOM',
        customFeatures: ['TLS_RSA_WITH_3DES_EDE_CBC_SHA'],
      }),
    ],
    na: 'never',
    unknown: [
      ...resourceCases('compute.googleapis.com/TargetHttpsProxy').unknown,
      {
        name: 'a policy that was not exported',
        asset: proxy({ sslPolicy: 'projects/p/global/sslPolicies/tls' }),
        others: [policy({ profile: 'RESTRICTED' }, 'projects/p/global/sslPolicies/other')],
      },
      {
        name: 'a policy of the same name in another region',
        asset: proxy({ sslPolicy: 'projects/p/regions/a/sslPolicies/tls' }),
        others: [policy({ profile: 'RESTRICTED' }, 'projects/p/regions/b/sslPolicies/tls')],
      },
      {
        name: 'a policy whose export has only its name',
        asset: proxy({ sslPolicy: 'projects/p/global/sslPolicies/tls' }),
        others: [
          assetOf({
            type: 'compute.googleapis.com/SslPolicy',
            name: '//compute.googleapis.com/projects/p/global/sslPolicies/tls',
          }),
        ],
      },
    ],
  },
  {
    rule: 'lb-http-only',
    pass: [
      {
        name: 'a map that redirects',
        asset: urlMap({ defaultUrlRedirect: { httpsRedirect: true } }),
        others: SERVED,
      },
      {
        name: 'a map that an HTTPS proxy serves',
        asset: urlMap({ defaultService: 's' }),
        others: [proxy({ urlMap: 'projects/p/global/urlMaps/web' })],
      },
      {
        name: 'a map beside one that an HTTP proxy serves',
        asset: urlMap({}, 'projects/p/global/urlMaps/web2'),
        others: SERVED,
      },
      {
        name: 'a map of the same name in a region',
        asset: urlMap({}, 'projects/p/regions/r/urlMaps/web', 'RegionUrlMap'),
        others: SERVED,
      },
    ],
    fail: [
      { name: 'a map that an HTTP proxy serves', asset: urlMap({}), others: SERVED },
      {
        name: 'a map that an HTTP proxy serves, beside a proxy whose export has only its name',
        asset: urlMap({}),
        others: [bareProxy('TargetHttpProxy'), ...SERVED],
      },
      {
        name: 'a map that redirects to other places',
        asset: urlMap({ defaultUrlRedirect: { hostRedirect: 'x', httpsRedirect: false } }),
        others: SERVED,
      },
      {
        name: 'a map that both kinds of proxies serve',
        asset: urlMap({}),
        others: [...SERVED, proxy({ urlMap: 'projects/p/global/urlMaps/web' })],
      },
      {
        name: 'a map that is served by its path',
        asset: urlMap({}),
        others: [httpProxy('global/urlMaps/web')],
      },
      {
        name: 'a regional map that a regional proxy serves',
        asset: urlMap({}, 'projects/p/regions/r/urlMaps/web', 'RegionUrlMap'),
        others: [
          httpProxy(
            'https://www.googleapis.com/compute/beta/projects/p/regions/r/urlMaps/web',
            'RegionTargetHttpProxy',
          ),
        ],
      },
    ],
    na: 'never',
    unknown: [
      ...resourceCases('compute.googleapis.com/UrlMap').unknown,
      { name: 'a map of an export without any proxies', asset: urlMap({}) },
      ...['TargetHttpProxy', 'RegionTargetHttpProxy'].map((kind) => ({
        name: `a map beside a ${kind} whose export has only its name`,
        asset: urlMap({}),
        others: [bareProxy(kind), httpProxy('global/urlMaps/other')],
      })),
    ],
  },
];
