import { expect, it } from 'vitest';
import { Evaluator } from './evaluate.ts';
import type { Asset } from './inventory/normalise.ts';
import { resolveProfile } from './profile.ts';
import { assetOf } from './testing/asset.ts';
import { snapshotOf } from './testing/snapshot.ts';

/** The assets that the four kinds of rules on whole projects look for, at the place where they look. */
const PLACES = [
  ['log-sink-all', 'logging.googleapis.com/LogSink', 'projects/p/sinks/s', ['projects/p']],
  ['log-sink-all', 'logging.googleapis.com/LogSink', 'folders/2/sinks/s', ['folders/2']],
  ['log-alert-sql', 'logging.googleapis.com/LogMetric', 'projects/p/metrics/m', ['projects/p']],
  [
    'cai-api-enabled',
    'serviceusage.googleapis.com/Service',
    'projects/p/services/cloudasset.googleapis.com',
    ['projects/p'],
  ],
  [
    'org-essential-contacts',
    'essentialcontacts.googleapis.com/Contact',
    'organizations/3/contacts/c',
    ['organizations/3'],
  ],
] as const;

const PROJECT = assetOf({
  type: 'cloudresourcemanager.googleapis.com/Project',
  name: '//cloudresourcemanager.googleapis.com/projects/p',
  ancestors: ['projects/p', 'folders/2', 'organizations/3'],
  data: { projectId: 'p' },
});

function outcomesOf(rule: string, assets: readonly Asset[]) {
  const profile = resolveProfile('full');
  if (profile === undefined) throw new Error('There is no profile named full.');
  const snapshot = snapshotOf([PROJECT, ...assets]);
  return new Evaluator(profile, { now: new Date(0), snapshot })
    .evaluateProjects()
    .flatMap(({ evaluations }) => evaluations)
    .filter(({ ruleId }) => ruleId === rule)
    .map(({ verdict, missing }) => ({ verdict, missing }));
}

it.each(PLACES)(
  '%s is UNKNOWN, not FAIL, when a %s was exported without content: %s',
  (rule, type, path, ancestors) => {
    const name = `//${type.slice(0, type.indexOf('/'))}/${path}`;
    const bare = assetOf({ type, name, ancestors });
    expect(outcomesOf(rule, [bare])).toEqual([{ verdict: 'unknown', missing: 'RESOURCE' }]);
    const useless = assetOf({ type, name, ancestors, data: { name: 'x', filter: 'x' } });
    expect(outcomesOf(rule, [useless])).toMatchObject([{ verdict: 'fail' }]);
  },
);

const METRIC = assetOf({
  type: 'logging.googleapis.com/LogMetric',
  name: '//logging.googleapis.com/projects/p/metrics/sql',
  ancestors: ['projects/p'],
  data: { name: 'sql', filter: 'protoPayload.methodName="cloudsql.instances.update"' },
});

it('log-alert-sql is UNKNOWN, not FAIL, when an alerting policy was exported without content', () => {
  const policy = (data?: { displayName: string }) =>
    assetOf({
      type: 'monitoring.googleapis.com/AlertPolicy',
      name: '//monitoring.googleapis.com/projects/p/alertPolicies/1',
      ancestors: ['projects/p'],
      ...(data === undefined ? {} : { data }),
    });
  const verdict = (one: Asset) => outcomesOf('log-alert-sql', [METRIC, one]);
  expect(verdict(policy())).toEqual([{ verdict: 'unknown', missing: 'RESOURCE' }]);
  expect(verdict(policy({ displayName: 'x' }))).toMatchObject([{ verdict: 'fail' }]);
});

it('log-sink-all passes by one sink that exports all logs, although another was exported without content', () => {
  const sink = (name: string, data?: object) =>
    assetOf({
      type: 'logging.googleapis.com/LogSink',
      name: `//logging.googleapis.com/projects/p/sinks/${name}`,
      ancestors: ['projects/p'],
      ...(data === undefined ? {} : { data: {} }),
    });
  expect(outcomesOf('log-sink-all', [sink('a'), sink('b', {})])).toMatchObject([
    { verdict: 'pass' },
  ]);
});

it.each([
  ['log-sink-all', 'logging.googleapis.com/LogSink', 'sinks'],
  ['org-essential-contacts', 'essentialcontacts.googleapis.com/Contact', 'contacts'],
])(
  '%s is UNKNOWN, not FAIL, for a project without known ancestors when a folder has a %s',
  (rule, type, collection) => {
    const other = (ancestors: readonly string[]) =>
      assetOf({
        type: 'compute.googleapis.com/Instance',
        name: '//compute.googleapis.com/projects/q/zones/z/instances/i',
        ancestors,
        data: {},
      });
    const named = (container: string) =>
      assetOf({
        type,
        name: `//${type.slice(0, type.indexOf('/'))}/${container}/${collection}/1`,
        ancestors: [container],
        data: { filter: 'severity>=ERROR' },
      });
    const verdicts = (...assets: readonly Asset[]) =>
      outcomesOf(rule, assets).map(({ verdict, missing }) => missing ?? verdict);
    const unplaced = 'the ancestors of the project';
    // The instance names its project, but only reference assets tell where a project is.
    expect(verdicts(other([]), named('folders/9'))).toEqual(['fail', unplaced]);
    expect(verdicts(other(['projects/2', 'folders/9']), named('folders/9'))).toEqual([
      unplaced,
      'fail',
    ]);
    expect(verdicts(other([]), named('organizations/3'))).toEqual(['fail', 'fail']);
    const metric = assetOf({
      ...METRIC,
      name: METRIC.name.replace('/p/', '/q/'),
      ancestors: ['projects/q'],
    });
    expect(verdicts(other([]), metric, named('folders/9'))).toEqual(['fail', 'fail']);
  },
);
