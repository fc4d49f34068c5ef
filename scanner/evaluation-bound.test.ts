import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Evaluator } from './evaluate.ts';
import { evaluationsAtMost, outlineOf, ProjectNotes } from './evaluation-bound.ts';
import type { Asset } from './inventory/normalise.ts';
import { projectOf } from './project-reference.ts';
import { referenceAssetOf } from './reference-asset.ts';
import { RULES } from './rules/catalogue.ts';
import { Snapshot } from './snapshot.ts';
import { assetOf, policyOf } from './testing/asset.ts';
import { NOW } from './testing/now.ts';

/** Reads an inventory as a server does, which records only the first few projects. */
function takenIn(assets: readonly Asset[], projectsMax?: number) {
  const types = new Map<string, number>();
  const policies = new Map<string, number>();
  const notes = new ProjectNotes(projectsMax);
  for (const asset of assets) {
    const { name, type, iamPolicy } = asset;
    types.set(type, (types.get(type) ?? 0) + 1);
    if (iamPolicy !== null) policies.set(type, (policies.get(type) ?? 0) + 1);
    notes.note({ name, type, project: projectOf(asset) });
  }
  const { projects, unplaced } = notes;
  const referenceAssets = assets
    .map(referenceAssetOf)
    .filter((referenceAsset) => referenceAsset !== null);
  return {
    counts: { types, policies, projects, unplaced },
    snapshot: new Snapshot({ assetTypes: types, referenceAssets, projects }),
  };
}

function evaluationsOf(assets: readonly Asset[], snapshot: Snapshot, ids: readonly string[]) {
  const rules = RULES.filter(({ id }) => ids.includes(id));
  const evaluator = new Evaluator({ rules }, { now: NOW, snapshot });
  const onAssets = assets.map((asset) => evaluator.evaluate(asset).length);
  const onProjects = evaluator.evaluateProjects().map(({ evaluations }) => evaluations.length);
  return [...onAssets, ...onProjects].reduce((sum, count) => sum + count, 0);
}

const ids = fc.subarray(RULES.map(({ id }) => id));
const types = fc.oneof(
  fc.constantFrom(
    'cloudresourcemanager.googleapis.com/Project',
    'compute.googleapis.com/Project',
    'logging.googleapis.com/LogSink',
    'storage.googleapis.com/Bucket',
    'example.com/Thing',
  ),
  fc.constantFrom(...RULES.flatMap(({ assetTypes }) => assetTypes)),
);
const project = fc.constantFrom('1', '2', '3', 'shop', 'bank', 'farm');
const asset = fc
  .record({
    type: types,
    path: fc.oneof(
      fc.constantFrom('it', 'buckets/b', 'projects/_/buckets/b', 'folders/9/sinks/s'),
      project.map((name) => `projects/${name}/things/t`),
    ),
    ancestors: fc.option(
      fc.oneof(
        project.map((name) => [`projects/${name}`, 'folders/9', 'organizations/8']),
        fc.constant(['folders/9', 'organizations/8']),
      ),
      { nil: undefined },
    ),
    data: fc.option(
      fc.record(
        { name: project, projectId: project, projectNumber: project },
        { requiredKeys: [] },
      ),
      { nil: undefined },
    ),
    hasPolicy: fc.boolean(),
  })
  .map(({ type, path, ancestors, data, hasPolicy }) =>
    assetOf({
      type,
      name: `//${type.split('/')[0]}/${path}`,
      ...(ancestors !== undefined && { ancestors }),
      ...(data !== undefined && { data }),
      ...(hasPolicy && { iamPolicy: policyOf('roles/viewer user:ada@example.com') }),
    }),
  );

describe('the most evaluations of a scan', () => {
  it("the upper bound of a scan's evaluations is never exceeded, for any inventory and any choice of rules", () => {
    fc.assert(
      fc.property(fc.array(asset, { maxLength: 12 }), ids, fc.nat(3), (assets, chosen, max) => {
        const { counts, snapshot } = takenIn(assets, max);
        const rules = RULES.filter(({ id }) => chosen.includes(id)).map(outlineOf);
        const evaluations = evaluationsOf(assets, snapshot, chosen);
        expect(evaluationsAtMost(rules, counts)).toBeGreaterThanOrEqual(evaluations);
      }),
      { numRuns: 500 },
    );
  });

  it("the upper bound of a scan's evaluations holds for an inventory of an earlier release, which counted less", () => {
    fc.assert(
      fc.property(fc.array(asset, { maxLength: 12 }), ids, (assets, chosen) => {
        const { counts, snapshot } = takenIn(assets);
        const rules = RULES.filter(({ id }) => chosen.includes(id)).map(outlineOf);
        expect(
          evaluationsAtMost(rules, { ...counts, policies: null, unplaced: null }),
        ).toBeGreaterThanOrEqual(evaluationsOf(assets, snapshot, chosen));
      }),
    );
  });

  it("the upper bound of a scan's evaluations is exact if all assets name their project", () => {
    const ancestors = ['projects/1', 'organizations/8'];
    const assets = [
      assetOf({ type: 'storage.googleapis.com/Bucket', ancestors, data: {} }),
      assetOf({
        type: 'example.com/Thing',
        name: '//example.com/projects/shop/things/t',
        ancestors,
        iamPolicy: policyOf('roles/viewer user:ada@example.com'),
      }),
      assetOf({ type: 'logging.googleapis.com/LogSink', ancestors, data: {} }),
    ];
    const { counts, snapshot } = takenIn(assets);
    const everyId = RULES.map(({ id }) => id);
    expect(evaluationsAtMost(RULES.map(outlineOf), counts)).toBe(
      evaluationsOf(assets, snapshot, everyId),
    );
  });

  it("the upper bound of a scan's evaluations is computed in bounded time for many equal projects", () => {
    const projects = Array.from(
      { length: 200_000 },
      (_, at) => `projects/${at} projects/${at + 1}`,
    );
    const rules = RULES.map(outlineOf);
    const onProjects = rules.filter((rule) => rule.onProjects).length;
    const counts = { types: new Map(), policies: null, projects, unplaced: 0 };
    expect(evaluationsAtMost(rules, counts)).toBe(onProjects);
  });
});
