import { describe, expect, it } from 'vitest';
import { items, type JsonObject, type JsonValue } from '../json.ts';
import { growth } from '../testing/growth.ts';
import { assetsOf } from './assets.ts';
import { guarded } from './unknown-value.ts';

/** Linear work grows by 4, quadratic work by 16. */
const LINEAR = 9;

const BUCKET = 'google_storage_bucket';
const MEMBER = 'google_storage_bucket_iam_member';

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const references = (...list: readonly string[]) => ({ references: list });

interface Shape {
  /** The target of the grants' `for_each`. */
  readonly forEach: readonly string[];
  /** The target of a grant's bucket. */
  readonly bucket: readonly string[];
  /** Whether the buckets are instances of one resource, or separate resources. */
  readonly isOneBucket: boolean;
}

/** A plan with equal numbers of buckets and grants. All names are known only after apply. */
function plan(size: number, { forEach, bucket, isOneBucket }: Shape): JsonObject {
  const named = (type: string, name: string, key: string | null, values: JsonObject) => ({
    address: `${type}.${name}${key === null ? '' : `["${key}"]`}`,
    mode: 'managed',
    ...{ type, name, values },
    ...(key !== null && { index: key }),
  });
  const resources = [
    ...times(size, (at) =>
      named(BUCKET, isOneBucket ? 'b' : `b${at}`, isOneBucket ? `k${at}` : null, {
        location: 'EU',
      }),
    ),
    ...times(size, (at) =>
      named(MEMBER, 'm', `k${at}`, { role: 'roles/storage.objectViewer', member: 'allUsers' }),
    ),
  ];
  const configured = (type: string, name: string, members: JsonObject) => ({
    mode: 'managed',
    ...{ type, name },
    ...members,
  });
  const local: JsonValue = references('local.names');
  return {
    format_version: '1.2',
    planned_values: { root_module: { resources } },
    resource_changes: resources.map(({ address, type }) => ({
      address,
      change: { after_unknown: type === BUCKET ? { name: true } : { bucket: true } },
    })),
    configuration: {
      root_module: {
        resources: [
          ...times(isOneBucket ? 1 : size, (at) =>
            configured(BUCKET, isOneBucket ? 'b' : `b${at}`, {
              for_each_expression: local,
              expressions: { name: local },
            }),
          ),
          configured(MEMBER, 'm', {
            for_each_expression: references(...forEach),
            expressions: { bucket: references(...bucket) },
          }),
        ],
      },
    },
  };
}

const eachBucket = (size: number) =>
  times(size, (at) => [`${BUCKET}.b${at}.name`, `${BUCKET}.b${at}`]).flat();

describe('the assets of a plan are made in linear time for grants whose bucket is', () => {
  it.each<[string, (size: number) => Shape]>([
    [
      'a local value',
      () => ({ forEach: ['local.names'], bucket: ['local.names'], isOneBucket: true }),
    ],
    [
      'each.value of a local value',
      () => ({ forEach: ['local.names'], bucket: ['each.value'], isOneBucket: true }),
    ],
    [
      'each.value of one resource',
      () => ({
        forEach: [`${BUCKET}.b`],
        bucket: ['each.value.name', 'each.value'],
        isOneBucket: true,
      }),
    ],
    [
      'each.value of a list of all buckets',
      (size) => ({ forEach: eachBucket(size), bucket: ['each.value'], isOneBucket: false }),
    ],
  ])(
    'the assets of a plan are made in linear time for grants whose bucket is %s',
    (_what, shape) => {
      const work = (size: number) => {
        const document = plan(size, shape(size));
        return () => assetsOf(document);
      };
      expect(work(20)().records.length).toBeGreaterThanOrEqual(20);
      expect(growth(work, 1_000)).toBeLessThan(LINEAR);
    },
    600_000,
  );
});

describe('the parts of one asset are joined in linear time for', () => {
  it.each<[string, string, JsonObject]>([
    [
      'node pools of a cluster',
      'google_container_node_pool',
      { cluster: 'c', location: 'eu', project: 'p' },
    ],
    [
      'access entries of a dataset',
      'google_bigquery_dataset_access',
      { dataset_id: 'd', project: 'p', role: 'READER' },
    ],
    [
      'access controls of a bucket',
      'google_storage_bucket_access_control',
      { bucket: 'b', entity: 'allUsers', role: 'READER' },
    ],
    [
      'metadata items of a project',
      'google_compute_project_metadata_item',
      { project: 'p', key: 'k', value: 'v' },
    ],
  ])(
    'the parts of one asset are joined in linear time for %s',
    (_what, type, values) => {
      const work = (size: number) => {
        const resources = times(size, (at) => ({
          address: `${type}.r${at}`,
          mode: 'managed',
          ...{ type, name: `r${at}`, values: { ...values, name: `r${at}` } },
        }));
        const document = { format_version: '1.2', planned_values: { root_module: { resources } } };
        return () => assetsOf(document);
      };
      expect(work(20)().records).toHaveLength(1);
      expect(growth(work, 4_000)).toBeLessThan(LINEAR);
    },
    600_000,
  );
});

it('a loop over a list takes linear time if a part of each element is known only after apply', () => {
  const work = (size: number) => {
    const list = times(size, (at) => ({ name: `${at}` }));
    const paths = times(size, (at) => ['list', `${at}`, 'value']);
    return () => {
      const elements = items(guarded({ list }, paths), 'list');
      let named = 0;
      for (let at = 0; at < elements.length; at += 1) named += elements[at] === null ? 0 : 1;
      return named;
    };
  };
  expect(work(20)()).toBe(20);
  expect(growth(work, 2_000)).toBeLessThan(LINEAR);
}, 600_000);
