import { describe, expect, it } from 'vitest';
import { parseAsset } from './inventory/normalise.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { isReferenceAssetType, referenceAssetOf } from './reference-asset.ts';

function referenceAsset(type: string, data: JsonValue, rest: JsonObject = {}): JsonObject | null {
  const record = { name: `//x/projects/p/${type}`, asset_type: type, resource: { data }, ...rest };
  const line = referenceAssetOf(parseAsset(JSON.stringify(record)));
  if (line === null) return null;
  expect(line).not.toContain('\n');
  return parseAsset(line).data;
}

describe('a reference asset', () => {
  it('a reference asset is stored for exactly the asset types that rules look up', () => {
    expect(isReferenceAssetType('logging.googleapis.com/LogSink')).toBe(true);
    expect(isReferenceAssetType('compute.googleapis.com/Instance')).toBe(false);
    expect(referenceAsset('compute.googleapis.com/Instance', {})).toBeNull();
  });

  it('a reference asset has exactly the members that rules read', () => {
    expect(
      referenceAsset('storage.googleapis.com/Bucket', {
        name: 'logs',
        labels: { a: 'b' },
        retentionPolicy: { isLocked: true, retentionPeriod: '1' },
      }),
    ).toEqual({ retentionPolicy: { isLocked: true } });
    expect(
      referenceAsset('logging.googleapis.com/LogMetric', {
        name: 'm',
        filter: 'a\nb',
        bucketName: 'projects/p/locations/global/buckets/own',
        metricDescriptor: { type: 't' },
      }),
    ).toEqual({
      name: 'm',
      filter: 'a\nb',
      bucketName: 'projects/p/locations/global/buckets/own',
    });
    expect(
      referenceAsset('compute.googleapis.com/Project', {
        name: 'p',
        commonInstanceMetadata: {
          items: [
            { key: 'enable-oslogin', value: 'TRUE' },
            { key: 'db-password', value: 'hunter2' },
          ],
        },
      }),
    ).toEqual({
      name: 'p',
      commonInstanceMetadata: { items: [{ key: 'enable-oslogin', value: 'TRUE' }] },
    });
  });

  it('a reference asset that no rule can use is not stored, although rules look up its type', () => {
    const service = 'serviceusage.googleapis.com/Service';
    const named = (name: string) => ({
      name: `//serviceusage.googleapis.com/projects/1/services/${name}`,
    });
    expect(referenceAsset(service, { state: 'ENABLED' }, named('run.googleapis.com'))).toBeNull();
    expect(
      referenceAsset(service, { state: 'ENABLED' }, named('cloudasset.googleapis.com')),
    ).toEqual({
      state: 'ENABLED',
    });
    const policy = 'monitoring.googleapis.com/AlertPolicy';
    const conditions = (metric: string) => ({
      conditions: [{ conditionThreshold: { filter: `metric.type="${metric}"`, duration: '0s' } }],
    });
    expect(
      referenceAsset(policy, conditions('compute.googleapis.com/instance/cpu/usage')),
    ).toBeNull();
    expect(referenceAsset(policy, conditions('logging.googleapis.com/user/m'))).toEqual({
      conditions: [
        { conditionThreshold: { filter: 'metric.type="logging.googleapis.com/user/m"' } },
      ],
    });
  });

  it('a reference asset has its ancestors, and organization policies without their lists', () => {
    const line = referenceAssetOf(
      parseAsset(
        JSON.stringify({
          name: '//cloudresourcemanager.googleapis.com/projects/1',
          asset_type: 'cloudresourcemanager.googleapis.com/Project',
          ancestors: ['projects/1', 'folders/2'],
          org_policy: [
            { constraint: 'constraints/a', boolean_policy: { enforced: true } },
            { constraint: 'constraints/b', list_policy: { allowed_values: ['x'] } },
          ],
        }),
      ),
    );
    const asset = parseAsset(line ?? '');
    expect(asset.ancestors).toEqual(['projects/1', 'folders/2']);
    expect(asset.orgPolicies).toEqual([
      { constraint: 'constraints/a', boolean_policy: { enforced: true } },
      { constraint: 'constraints/b' },
    ]);
  });

  it('a reference asset of an organization policy has what it enforces, and whether it resets', () => {
    const spec = {
      etag: 'x',
      inheritFromParent: false,
      reset: true,
      rules: [{ enforce: true }, { enforce: false, condition: { expression: 'true' } }],
    };
    expect(referenceAsset('orgpolicy.googleapis.com/Policy', { name: 'p', spec })).toEqual({
      name: 'p',
      spec: { inheritFromParent: false, reset: true, rules: [{ enforce: true }] },
    });
  });

  it('a reference asset of a deeply nested asset is within the size limit', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const record = `{"name":"n","asset_type":"logging.googleapis.com/LogSink","resource":{"data":{"filter":${deep},"exclusions":${deep},"name":"s"}}}`;
    expect(referenceAssetOf(parseAsset(record))).toContain('"name":"s"');
  });
});
