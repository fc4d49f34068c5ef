import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json.ts';
import { assetOf, policyOf } from '../testing/asset.ts';
import { compileCustomRule } from './compile.ts';
import { evaluateCustomRule } from './tests.ts';

const TYPE = 'compute.googleapis.com/Firewall';

function verdictOf(predicate: string, data: JsonValue, iamPolicy?: JsonValue): string {
  const rule = compileCustomRule({
    id: 'mine',
    version: 1,
    title: 'Mine',
    description: '',
    severity: 'low',
    assetTypes: [TYPE],
    predicate,
    recommendation: '',
  });
  const record = { type: TYPE, data, ...(iamPolicy === undefined ? {} : { iamPolicy }) };
  const { verdict, message } = evaluateCustomRule(rule, assetOf(record), new Date(0));
  return message === '' ? verdict : `${verdict}: ${message}`;
}

describe('isPublic', () => {
  it.each([
    ['isPublic("allUsers")', 'fail'],
    ['isPublic("ALL_AUTHENTICATED_USERS")', 'fail'],
    ['isPublic("user:ada@example.com")', 'pass'],
    ['isPublic(iam_policy)', 'fail'],
    ['isPublic(iam_policy.bindings[0].members)', 'pass'],
    ['iam_policy.bindings.exists(b, b.role == "roles/viewer" && isPublic(b.members))', 'fail'],
    ['iam_policy.bindings.exists(b, b.role == "roles/owner" && isPublic(b.members))', 'pass'],
    ['isPublic(resource.data.missing)', 'unknown: resource.data.missing'],
  ])('the predicate %s gives %s', (predicate, verdict) => {
    const policy = policyOf('roles/owner user:ada@example.com', 'roles/viewer allUsers');
    expect(verdictOf(predicate, {}, policy)).toBe(verdict);
  });

  it.each([
    ['iam_policy.bindings.exists(b, isPublic(b))', 'fail'],
    ['iam_policy.bindings.exists(b, b.role == "roles/owner" && isPublic(b))', 'pass'],
    ['isPublic(iam_policy.bindings)', 'fail'],
    ['isPublic(iam_policy.bindings.filter(b, b.role == "roles/owner"))', 'pass'],
    ['isPublic({"members": ["allUsers"]})', 'fail'],
    ['isPublic({"role": "roles/viewer"})', 'pass'],
    ['isPublic(["user:ada@example.com", {"role": "r", "members": ["allUsers"]}])', 'fail'],
    ['isPublic([])', 'pass'],
    ['isPublic({"etag": "BwX=", "version": 1, "audit_configs": []})', 'pass'],
  ])(
    'isPublic decides on bindings and policies without bindings: %s gives %s',
    (predicate, verdict) => {
      const policy = policyOf('roles/owner user:ada@example.com', 'roles/viewer allUsers');
      expect(verdictOf(predicate, {}, policy)).toBe(verdict);
    },
  );

  it.each([
    ['isPublic(resource.data.acl)', 'fail'],
    ['resource.data.acl.exists(entry, entry.role == "READER" && isPublic(entry))', 'fail'],
    ['resource.data.acl.exists(entry, entry.role == "OWNER" && isPublic(entry))', 'pass'],
    ['isPublic(resource.data.access)', 'fail'],
    ['resource.data.access.exists(entry, entry.role == "READER" && isPublic(entry))', 'fail'],
    ['resource.data.access.exists(entry, entry.role == "WRITER" && isPublic(entry))', 'fail'],
    ['resource.data.access.exists(entry, entry.role == "OWNER" && isPublic(entry))', 'pass'],
    ['isPublic(resource.data.access.filter(entry, has(entry.view)))', 'pass'],
  ])(
    'isPublic decides on ACLs and on access lists of datasets: %s gives %s',
    (predicate, verdict) => {
      const data = {
        acl: [
          { kind: 'storage#bucketAccessControl', entity: 'project-owners-1', role: 'OWNER' },
          { kind: 'storage#bucketAccessControl', entity: 'allUsers', role: 'READER' },
        ],
        access: [
          { role: 'OWNER', specialGroup: 'projectOwners' },
          { role: 'OWNER', userByEmail: 'ada@example.com' },
          { role: 'READER', specialGroup: 'allAuthenticatedUsers' },
          { role: 'WRITER', iamMember: 'allUsers' },
          { view: { projectId: 'p', datasetId: 'd', tableId: 't' } },
        ],
      };
      expect(verdictOf(predicate, data)).toBe(verdict);
    },
  );

  it.each([
    'isPublic(5)',
    'isPublic(null)',
    'isPublic(true)',
    'isPublic(b"allUsers")',
    'isPublic(["user:ada@example.com", 5])',
    'isPublic([["user:ada@example.com"]])',
    'isPublic({"role": "r", "members": "allUsers"})',
    'isPublic({"role": "READER", "grantee": "allUsers"})',
    'isPublic([{"role": "READER", "grantee": "allUsers"}])',
    'isPublic({"role": "READER", "entity": null})',
    'isPublic({"role": "READER", "entity": 5})',
    'isPublic({"entity": "user-ada@example.com", "grantee": "allUsers"})',
    'isPublic(resource.data)',
  ])('isPublic never passes a value of another kind: %s is UNKNOWN', (predicate) => {
    expect(verdictOf(predicate, { acl: [] })).toBe(
      'unknown: line 1 column 1: isPublic() accepts a member or a binding or an access entry or a list of them or a policy',
    );
  });

  it('isPublic does not decide on a policy in another form than the API writes', () => {
    const policy = { bindings: [{ role: 'roles/viewer', members: 'allUsers' }] };
    expect(verdictOf('isPublic(iam_policy)', {}, policy)).toMatch(/^unknown: /);
  });
});

describe('coversInternet', () => {
  it.each([
    ['coversInternet("0.0.0.0/0")', 'fail'],
    ['coversInternet(["0.0.0.0/1", "128.0.0.0/1"])', 'fail'],
    ['coversInternet(["10.0.0.0/8"])', 'pass'],
    // The spelling of Compute Engine exports.
    ['coversInternet(resource.data.sourceRange)', 'fail'],
    ['coversInternet(resource)', 'fail'],
    ['coversInternet(resource.data)', 'fail'],
    ['coversInternet(resource.data.sourceRanges)', 'unknown: resource.data.sourceRanges'],
  ])('the predicate %s gives %s', (predicate, verdict) => {
    expect(verdictOf(predicate, { sourceRange: ['::/0'] })).toBe(verdict);
  });

  it('an egress rule has no sources, so coversInternet is false for it', () => {
    const egress = { direction: 'EGRESS', destinationRanges: ['0.0.0.0/0'] };
    expect(verdictOf('coversInternet(resource)', egress)).toBe('pass');
  });

  it.each([
    'coversInternet(5)',
    'coversInternet(null)',
    'coversInternet(["10.0.0.0/8", 5])',
    'coversInternet([["0.0.0.0/0"]])',
    'coversInternet({"a": 1})',
    'coversInternet(resource)',
  ])(
    'coversInternet neither passes nor fails a value of another kind: %s is UNKNOWN',
    (predicate) => {
      expect(verdictOf(predicate, { ipCidrRange: '10.0.0.0/8' })).toBe(
        'unknown: line 1 column 1: coversInternet() accepts a range or a list of ranges or a firewall rule',
      );
    },
  );
});

describe('portOpen', () => {
  const open = (data: JsonValue, call = 'portOpen(resource, "tcp", 22)') => verdictOf(call, data);
  const allowed = [{ ipProtocol: 'tcp', port: ['20-25'] }];

  it.each([
    ['a range that holds the port', { allowed }, 'fail'],
    ['every protocol', { allowed: [{ IPProtocol: 'all' }] }, 'fail'],
    ['the protocol by its number, and no ports', { allowed: [{ IPProtocol: '6' }] }, 'fail'],
    ['another protocol', { allowed: [{ IPProtocol: 'udp', ports: ['22'] }] }, 'pass'],
    ['another port', { allowed: [{ IPProtocol: 'tcp', ports: ['443'] }] }, 'pass'],
    ['a rule that is switched off', { allowed, disabled: true }, 'pass'],
    ['a rule for what goes out', { allowed, direction: 'EGRESS' }, 'pass'],
    ['a rule that denies', { denied: allowed }, 'pass'],
    ['a rule that says neither', { name: 'f' }, 'unknown: allowed'],
    ['a rule whose list is null', { allowed: null }, 'unknown: allowed'],
  ])('portOpen gives the expected verdict for %s', (_what, data, verdict) => {
    expect(open(data)).toBe(verdict);
    expect(open(data, 'portOpen(resource.data, "TCP", 22)')).toBe(verdict);
  });

  it.each([
    ['portOpen(resource, "tcp", 70000)', 'portOpen() accepts ports from 0 to 65535'],
    ['portOpen(resource, "tcp", -1)', 'portOpen() accepts ports from 0 to 65535'],
    ['portOpen(null, "tcp", 22)', 'portOpen() accepts resource or resource.data'],
    ['flag("x", "pgaudit") == "on"', 'flag() accepts resource or resource.data'],
  ])('%s is UNKNOWN, and the reason says what the function accepts', (predicate, accepted) => {
    expect(open({ allowed }, predicate)).toBe(`unknown: line 1 column 1: ${accepted}`);
  });
});

describe('flag', () => {
  const instance = { settings: { databaseFlags: [{ name: 'log_connections', value: 'on' }] } };

  it.each([
    ['flag(resource, "log_connections") == "on"', instance, 'fail'],
    ['flag(resource.data, "LOG_CONNECTIONS") != "on"', instance, 'pass'],
    ['flag(resource, "pgaudit") == null', instance, 'fail'],
    ['flag(resource, "pgaudit") == "on"', instance, 'pass'],
    ['flag(resource, "pgaudit") == null', { settings: {} }, 'fail'],
    ['flag(resource, "pgaudit") == null', {}, 'unknown: settings'],
  ])('the predicate %s gives the expected verdict for %j', (predicate, data, verdict) => {
    expect(verdictOf(predicate, data)).toBe(verdict);
  });
});
