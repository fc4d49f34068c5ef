import { describe, expect, it } from 'vitest';
import { parseAsset } from './inventory/normalise.ts';
import type { JsonValue } from './json.ts';
import { projectsOf } from './project.ts';
import { assetOf } from './testing/asset.ts';
import { snapshotOf } from './testing/snapshot.ts';

const SINK = 'logging.googleapis.com/LogSink';

function record(type: string, name: string, ancestors: readonly string[], data: JsonValue = {}) {
  return parseAsset(JSON.stringify({ name, asset_type: type, ancestors, resource: { data } }));
}

const sink = (parent: string, ...ancestors: readonly string[]) =>
  record(SINK, `//logging.googleapis.com/${parent}/sinks/s`, ancestors);

const rmProject = (number: string, id: string, parent: JsonValue = null) =>
  record(
    'cloudresourcemanager.googleapis.com/Project',
    `//cloudresourcemanager.googleapis.com/projects/${number}`,
    [`projects/${number}`],
    { projectNumber: number, projectId: id, parent },
  );

const computeProject = (id: string, data: JsonValue = {}) =>
  record('compute.googleapis.com/Project', `//compute.googleapis.com/projects/${id}`, [], data);

const instance = (id: string, ...ancestors: readonly string[]) =>
  record(
    'compute.googleapis.com/Instance',
    `//compute.googleapis.com/projects/${id}/zones/z/instances/i`,
    ancestors,
  );

type Inventory = Parameters<typeof snapshotOf>[0];

function namesIn(...inventory: Inventory): readonly string[] {
  return snapshotOf(inventory)
    .derive(projectsOf)
    .all.map(({ asset }) => asset.name.replace('.googleapis.com/projects/', ' '));
}

describe('the projects of an inventory', () => {
  it('the projects of an inventory are found by their assets, by the ancestors of others, or by names', () => {
    expect(namesIn(rmProject('1', 'shop'))).toEqual(['//cloudresourcemanager 1']);
    expect(namesIn(computeProject('shop'))).toEqual(['//compute shop']);
    expect(namesIn(instance('shop', 'projects/1', 'folders/2'))).toEqual([
      '//cloudresourcemanager 1',
    ]);
    expect(namesIn(instance('shop'))).toEqual(['//cloudresourcemanager shop']);
    expect(namesIn(sink('organizations/7', 'organizations/7'))).toEqual([]);
  });

  it('a project is counted once, although assets name it by number and by id', () => {
    const one = ['//cloudresourcemanager 1'];
    const [number, id] = [rmProject('1', 'shop'), computeProject('shop')];
    expect(namesIn(number, id)).toEqual(one);
    expect(namesIn(id, number)).toEqual(one);
    expect(namesIn(sink('projects/shop'), instance('shop', 'projects/1'))).toEqual(one);
    expect(namesIn(sink('projects/1'), sink('projects/shop'))).toEqual(one);
    expect(
      namesIn(
        sink('projects/1'),
        sink('projects/2'),
        computeProject('shop', {
          defaultServiceAccount: '1-compute@developer.gserviceaccount.com',
        }),
      ),
    ).toEqual(['//cloudresourcemanager 2', '//compute shop']);
  });

  it('the asset of Resource Manager takes precedence over that of Compute Engine for a project', () => {
    expect(namesIn(computeProject('shop'), instance('shop', 'projects/1'))).toEqual([
      '//compute shop',
    ]);
    expect(
      namesIn(computeProject('shop'), rmProject('1', 'shop'), instance('shop', 'projects/1')),
    ).toEqual(['//cloudresourcemanager 1']);
  });

  it('the asset of a project represents it although the inventory has only its name or its IAM policy', () => {
    const bare = (service: string, id: string) =>
      assetOf({
        type: `${service}.googleapis.com/Project`,
        name: `//${service}.googleapis.com/projects/${id}`,
        ancestors: ['projects/1'],
        iamPolicy: {},
      });
    const [manager, compute] = [bare('cloudresourcemanager', 'shop'), bare('compute', 'shop')];
    expect(namesIn(compute, instance('shop', 'projects/1'))).toEqual(['//compute shop']);
    expect(namesIn(compute, manager)).toEqual(['//cloudresourcemanager shop']);
    expect(namesIn(computeProject('shop'), manager)).toEqual(['//cloudresourcemanager shop']);
  });

  it('different projects of an inventory are distinguished', () => {
    expect(namesIn(rmProject('1', 'a'), rmProject('2', 'b'), instance('b', 'projects/2'))).toEqual([
      '//cloudresourcemanager 1',
      '//cloudresourcemanager 2',
    ]);
  });
});

describe('the reference assets of a project', () => {
  const sinksOf = (id: string, ...inventory: Inventory) => {
    const project = snapshotOf(inventory)
      .derive(projectsOf)
      .of({ name: `//x/projects/${id}`, ancestors: [] });
    return project === null
      ? undefined
      : [...project.own(SINK), ...project.above(SINK).flat()].map(({ name }) =>
          name.split('/').slice(3, 5).join('/'),
        );
  };

  it("a project's reference assets belong to it by any form of reference, and to no other project", () => {
    const inventory = [
      rmProject('1', 'a'),
      rmProject('2', 'b'),
      sink('projects/a'),
      sink('projects/1', 'projects/1'),
      sink('projects/b', 'projects/2'),
    ];
    expect(sinksOf('a', ...inventory)).toEqual(['projects/a', 'projects/1']);
    expect(sinksOf('2', ...inventory)).toEqual(['projects/b']);
    expect(sinksOf('c', ...inventory)).toBeUndefined();
  });

  it('a single project has all reference assets of the inventory', () => {
    const nameless = record(SINK, '//logging.googleapis.com/sinks/s', []);
    expect(sinksOf('a', rmProject('1', 'a'), nameless)).toEqual(['sinks/s']);
    expect(sinksOf('a', rmProject('1', 'a'), rmProject('2', 'b'), nameless)).toEqual([]);
  });

  it("a project's reference assets include those of its folders and organization, by ancestors or by parents of folders", () => {
    const others = [
      sink('folders/3', 'folders/3', 'organizations/7'),
      sink('folders/4', 'folders/4', 'organizations/8'),
      sink('organizations/7', 'organizations/7'),
    ];
    const above = ['folders/3', 'organizations/7'];
    expect(
      sinksOf(
        'a',
        instance('a', 'projects/1', 'folders/3', 'organizations/7'),
        sink('projects/a', 'projects/1', ...above),
        ...others,
      ),
    ).toEqual(['projects/a', ...above]);
    const folder = record(
      'cloudresourcemanager.googleapis.com/Folder',
      '//cloudresourcemanager.googleapis.com/folders/3',
      [],
      { parent: 'organizations/7' },
    );
    for (const parent of ['folders/3', { type: 'folder', id: '3' }]) {
      const inventory = [folder, rmProject('1', 'a', parent), rmProject('2', 'b', 'folders/9')];
      expect(sinksOf('a', ...inventory, ...others)).toEqual(above);
      expect(sinksOf('b', ...inventory, ...others)).toEqual([]);
    }
  });

  it("a project's reference assets include those of an organization if no asset names the parents of the project", () => {
    expect(sinksOf('a', computeProject('a'), sink('organizations/7'), sink('folders/3'))).toEqual([
      'organizations/7',
      'folders/3',
    ]);
    const two = [computeProject('a'), computeProject('b')];
    expect(sinksOf('a', ...two, sink('organizations/7'), sink('folders/3'))).toEqual([
      'organizations/7',
    ]);
  });
});
