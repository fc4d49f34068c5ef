import { describe, expect, it } from 'vitest';
import { Evaluator } from './evaluate.ts';
import { isSharedIssuer } from './facts/oidc-issuer.ts';
import { type Asset, parseAsset } from './inventory/normalise.ts';
import type { JsonValue } from './json.ts';
import { profileOf, resolveProfile } from './profile.ts';
import { projectsOf } from './project.ts';
import { canonicalReference } from './references.ts';
import { looksLikeSecret } from './secret.ts';
import { growth } from './testing/growth.ts';
import { snapshotOf } from './testing/snapshot.ts';

/** Linear work grows by 4, quadratic work by 16. */
const LINEAR = 9;

const NOW = new Date('2026-11-22T00:00:00Z');
const PROJECT = 'cloudresourcemanager.googleapis.com/Project';
const FOLDER = 'cloudresourcemanager.googleapis.com/Folder';
const SINK = 'logging.googleapis.com/LogSink';
const METRIC = 'logging.googleapis.com/LogMetric';
const ALERT_POLICY = 'monitoring.googleapis.com/AlertPolicy';

function asset(type: string, name: string, data: JsonValue, ancestors: readonly string[] = []) {
  return parseAsset(JSON.stringify({ name, asset_type: type, ancestors, resource: { data } }));
}

const project = (at: number, data: JsonValue, ancestors: readonly string[] = []) =>
  asset(PROJECT, `//cloudresourcemanager.googleapis.com/projects/${at}`, data, ancestors);

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

/** Everything that project rules report for an inventory. */
function evaluated(assets: readonly Asset[], rules: readonly string[]) {
  const full = resolveProfile('full');
  if (full === undefined) throw new Error('There is no profile of all rules');
  const profile = profileOf(
    full,
    full.rules.filter(({ id }) => rules.includes(id)),
  );
  return new Evaluator(profile, { now: NOW, snapshot: snapshotOf(assets) }).evaluateProjects();
}

describe('the index of projects takes linear time for', () => {
  it('indexing many project records that claim one id takes linear time', () => {
    const work = (size: number) => {
      const assets = times(size, (at) => project(at, { projectId: 'one', projectNumber: `${at}` }));
      return () => snapshotOf(assets).derive(projectsOf);
    };
    expect(work(100)().all).toHaveLength(1);
    expect(growth(work, 5_000)).toBeLessThan(LINEAR);
  }, 300_000);

  it('indexing a chain of project records that each claim the id of the next one takes linear time', () => {
    const work = (size: number) => {
      const assets = times(size, (at) =>
        project(at, { projectId: `id-${at}`, projectNumber: `${at + 1}` }, [
          `projects/${at}`,
          `folders/${at}`,
        ]),
      );
      return () => snapshotOf(assets).derive(projectsOf);
    };
    expect(work(100)().all).toHaveLength(1);
    expect(growth(work, 5_000)).toBeLessThan(LINEAR);
  }, 300_000);

  it('indexing many projects below endlessly nested folders takes linear time', () => {
    const work = (size: number) => {
      const assets = times(size, (at) => [
        project(at, { projectId: `p-${at}`, parent: 'folders/0' }),
        asset(FOLDER, `//cloudresourcemanager.googleapis.com/folders/${at}`, {
          parent: `folders/${at + 1}`,
        }),
      ]).flat();
      return () => snapshotOf(assets).derive(projectsOf);
    };
    expect(growth(work, 2_000)).toBeLessThan(LINEAR);
  }, 300_000);
});

describe('rules on projects take linear time for', () => {
  it('rules on projects take linear time for many sinks and contacts of an organization of many projects', () => {
    const work = (size: number) => {
      const above = ['organizations/1'];
      const assets = [
        ...times(size, (at) => project(at, { projectId: `p-${at}` }, above)),
        ...times(size, (at) =>
          asset(
            SINK,
            `//logging.googleapis.com/organizations/1/sinks/${at}`,
            { filter: 'x' },
            above,
          ),
        ),
        ...times(size, (at) =>
          asset(
            'essentialcontacts.googleapis.com/Contact',
            `//essentialcontacts.googleapis.com/organizations/1/contacts/${at}`,
            { notificationCategorySubscriptions: ['BILLING'] },
            above,
          ),
        ),
      ];
      return () => evaluated(assets, ['log-sink-all', 'org-essential-contacts']);
    };
    expect(work(2)()[0]?.evaluations.map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
    expect(growth(work, 1_500)).toBeLessThan(LINEAR);
  }, 300_000);

  it('rules on projects take linear time for many sinks of one project', () => {
    const work = (size: number) => {
      const assets = times(size, (at) =>
        asset(SINK, `//logging.googleapis.com/projects/p/sinks/${at}`, { filter: 'x' }),
      );
      return () => evaluated(assets, ['log-sink-all']);
    };
    expect(growth(work, 3_000)).toBeLessThan(LINEAR);
  }, 300_000);

  it('rules on projects take linear time for many log metrics that no alerting policy of many watches', () => {
    const work = (size: number) => {
      const filter = 'protoPayload.methodName="cloudsql.instances.update"';
      const assets = times(size, (at) => [
        asset(METRIC, `//logging.googleapis.com/projects/p/metrics/m-${at}`, {
          name: `m-${at}`,
          filter,
        }),
        asset(ALERT_POLICY, `//monitoring.googleapis.com/projects/p/alertPolicies/${at}`, {
          conditions: [
            { conditionThreshold: { filter: `metric.type="logging.googleapis.com/user/x-${at}"` } },
          ],
        }),
      ]).flat();
      return () => evaluated(assets, ['log-alert-sql']);
    };
    expect(work(3)()[0]?.evaluations[0]?.verdict).toBe('fail');
    expect(growth(work, 1_000)).toBeLessThan(LINEAR);
  }, 300_000);
});

describe('rules on one asset take linear time for', () => {
  it('rules on one asset take linear time for buckets of many projects beside policies of many organizations', () => {
    const work = (size: number) => {
      const assets = times(size, (at) => [
        project(at, { projectNumber: `${at}` }),
        parseAsset(
          JSON.stringify({
            name: `//cloudresourcemanager.googleapis.com/organizations/${at}`,
            asset_type: 'cloudresourcemanager.googleapis.com/Organization',
            org_policy: [
              { constraint: 'constraints/storage.publicAccessPrevention', boolean_policy: {} },
            ],
          }),
        ),
        asset('storage.googleapis.com/Bucket', `//storage.googleapis.com/b-${at}`, {
          projectNumber: `${at}`,
        }),
      ]).flat();
      const rules = [{ id: 'bucket-public-access-prevention', version: 1, parameters: {} }];
      return () => {
        const evaluator = new Evaluator({ rules }, { now: NOW, snapshot: snapshotOf(assets) });
        return assets.flatMap((one) => evaluator.evaluate(one));
      };
    };
    expect(work(3)().map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'fail']);
    expect(growth(work, 4_000)).toBeLessThan(LINEAR);
  }, 300_000);

  it('rules on one asset take linear time for many proxies that share an SSL policy of many cipher suites', () => {
    const compute = '//compute.googleapis.com/projects/p/global';
    const work = (size: number) => {
      const enabledFeatures = times(10 * size, (at) => `TLS_AES_${at}`);
      const policy = asset('compute.googleapis.com/SslPolicy', `${compute}/sslPolicies/s`, {
        profile: 'CUSTOM',
        enabledFeatures,
      });
      const proxies = times(size, (at) =>
        asset('compute.googleapis.com/TargetHttpsProxy', `${compute}/targetHttpsProxies/${at}`, {
          sslPolicy: 'projects/p/global/sslPolicies/s',
        }),
      );
      const rules = [{ id: 'lb-weak-ssl-policy', version: 1, parameters: {} }];
      return () => {
        const snapshot = snapshotOf([policy, ...proxies]);
        const evaluator = new Evaluator({ rules }, { now: NOW, snapshot });
        return proxies.flatMap((one) => evaluator.evaluate(one));
      };
    };
    expect(work(2)().map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(growth(work, 1_000)).toBeLessThan(LINEAR);
  }, 300_000);

  it('rules on one asset take linear time for many instances of a project of many metadata items', () => {
    const work = (size: number) => {
      const items = times(5 * size, () => ({ key: 'enable-oslogin', value: 'TRUE' }));
      const whole = asset('compute.googleapis.com/Project', '//compute.googleapis.com/projects/p', {
        commonInstanceMetadata: { items },
      });
      const instances = times(size, (at) =>
        asset(
          'compute.googleapis.com/Instance',
          `//compute.googleapis.com/projects/p/zones/z/instances/${at}`,
          {},
        ),
      );
      const rules = [{ id: 'vm-oslogin-2fa', version: 1, parameters: {} }];
      return () => {
        const snapshot = snapshotOf([whole, ...instances]);
        const evaluator = new Evaluator({ rules }, { now: NOW, snapshot });
        return instances.flatMap((one) => evaluator.evaluate(one));
      };
    };
    expect(work(2)().map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
    expect(growth(work, 1_000)).toBeLessThan(LINEAR);
  }, 300_000);
});

describe('texts are looked through in linear time for', () => {
  it.each<[string, (size: number) => () => unknown]>([
    ['secrets', (size) => () => looksLikeSecret('-eyJaaaaa'.repeat(size))],
    ['issuers', (size) => () => isSharedIssuer(`${'/'.repeat(9 * size)}x`)],
    [
      'references',
      (size) => () =>
        canonicalReference(
          `${'/projects/'.repeat(size)}\n`,
          { name: '//x/projects/p', ancestors: [] },
          snapshotOf([]),
        ),
    ],
  ])(
    'searching texts for %s takes linear time',
    (_what, work) => {
      expect(growth(work, 5_000)).toBeLessThan(LINEAR);
    },
    300_000,
  );
});

describe('a log filter that is too large to be real', () => {
  it.each([
    ['too long', 'x '.repeat(20_000)],
    ['of too many terms', `${'x '.repeat(2_000)} y`],
    ['of too many regular expressions', 'a=~"b" '.repeat(17)],
  ])('a log filter that is %s gives UNKNOWN and names the metric', (_what, filter) => {
    const assets = [
      asset(METRIC, '//logging.googleapis.com/projects/p/metrics/m', { name: 'm', filter }),
    ];
    expect(evaluated(assets, ['log-alert-sql'])[0]?.evaluations).toMatchObject([
      { verdict: 'unknown', missing: expect.stringMatching(/^a filter of more than .* metric m$/) },
    ]);
  });

  it('a log filter of excessive length is stored with little more than the longest readable length', () => {
    const filter = 'protoPayload.methodName="x" OR '.repeat(35_000);
    const assets = times(20, (at) =>
      asset(METRIC, `//logging.googleapis.com/projects/p/metrics/${at}`, { filter }),
    );
    const kept = snapshotOf(assets)
      .of(METRIC)
      .map(({ data }) => String(data?.['filter']).length);
    expect(new Set(kept)).toEqual(new Set([20_001]));
  });

  it('a sink with an excessive log filter does not pass as a sink of all entries', () => {
    const filter = `${' '.repeat(20_001)}severity=ERROR`;
    const assets = [asset(SINK, '//logging.googleapis.com/projects/p/sinks/s', { filter })];
    expect(evaluated(assets, ['log-sink-all'])[0]?.evaluations[0]?.verdict).toBe('fail');
  });
});

describe('findings on one asset', () => {
  it('one rule records at most 2,500 findings on one asset, and says that there are more', () => {
    const full = resolveProfile('full');
    if (full === undefined) throw new Error('There is no profile of all rules');
    const members = times(200_000, (at) => `user:${at}@x.example`);
    const record = {
      name: '//cloudresourcemanager.googleapis.com/projects/1',
      asset_type: PROJECT,
      iam_policy: { bindings: [{ role: 'roles/owner', members }] },
    };
    const evaluator = new Evaluator(full, { now: NOW, snapshot: snapshotOf([]) });
    const [owners] = evaluator
      .evaluate(parseAsset(JSON.stringify(record)))
      .filter(({ ruleId }) => ruleId === 'iam-primitive-roles');
    expect(owners).toMatchObject({ verdict: 'fail', truncated: true });
    expect(owners?.findings).toHaveLength(2_500);
  });
});
