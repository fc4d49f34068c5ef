import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { type OpenFinding, PlanComparison } from './plan-comparison.ts';
import { resolveProfile } from './profile.ts';

interface Change {
  readonly address: string;
  readonly actions: readonly string[];
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  readonly unknown?: JsonObject;
  readonly deposed?: string;
}

/** A plan as `terraform show -json` writes it: `planned_values` and one change per resource. */
function plan(changes: readonly Change[], more: JsonObject = {}): JsonObject {
  const described = (address: string) => ({
    address,
    mode: 'managed',
    type: address.slice(0, address.indexOf('.')),
    name: address.slice(address.indexOf('.') + 1),
  });
  return {
    format_version: '1.2',
    terraform_version: '1.11.4',
    planned_values: {
      root_module: {
        resources: changes.flatMap(({ address, after, deposed }) =>
          after === undefined || deposed !== undefined
            ? []
            : [{ ...described(address), values: after }],
        ),
      },
    },
    resource_changes: changes.map(({ address, actions, before, after, unknown, deposed }) => ({
      ...described(address),
      ...(deposed !== undefined && { deposed }),
      change: {
        actions,
        before: before ?? null,
        after: after ?? null,
        after_unknown: unknown ?? {},
      },
    })),
    ...more,
  };
}

const FIREWALL = 'google_compute_firewall.ssh';
const firewall = (range: string): JsonObject => ({
  name: 'ssh',
  project: 'shop',
  network: 'default',
  direction: 'INGRESS',
  source_ranges: [range],
  allow: [{ protocol: 'tcp', ports: ['22'] }],
});
const BUCKET = 'google_storage_bucket.site';
const BUCKET_ASSET = {
  name: '//storage.googleapis.com/site',
  type: 'storage.googleapis.com/Bucket',
};
const bucket = (uniform: boolean): JsonObject => ({
  name: 'site',
  project: 'shop',
  location: 'EU',
  uniform_bucket_level_access: uniform,
});
const MEMBER = 'google_storage_bucket_iam_member.everyone';
const EVERYONE: JsonObject = {
  bucket: 'site',
  role: 'roles/storage.objectViewer',
  member: 'allUsers',
};

function open(ruleId: string, name: string, type: string, subject = ''): OpenFinding {
  return { ruleId, asset: { name, type }, subject };
}
const openFirewall = (ruleId: string, project = 'shop') =>
  open(
    ruleId,
    `//compute.googleapis.com/projects/${project}/global/firewalls/ssh`,
    'compute.googleapis.com/Firewall',
  );
const openBucket = (ruleId: string, subject = '') =>
  open(ruleId, BUCKET_ASSET.name, BUCKET_ASSET.type, subject);

async function compare(document: JsonObject, ...findings: readonly OpenFinding[]) {
  const profile = resolveProfile('full');
  if (profile === undefined) throw new Error('There is no profile named full.');
  const now = new Date('2026-11-20T08:00:00Z');
  const comparison = new PlanComparison(document, { profile, own: [], now });
  async function* stored() {
    yield* findings;
  }
  const resolved = await comparison.take(stored());
  return {
    resolved: resolved.map(({ ruleId }) => ruleId),
    added: comparison.added.map(({ finding }) => finding.ruleId),
    undecided: comparison.undecided,
    comparison,
  };
}

/** The findings that the plan would add on these resources, as the project would then store them. */
async function addedBy(document: JsonObject): Promise<OpenFinding[]> {
  const { comparison } = await compare(document);
  return comparison.added.map(({ asset, finding: { ruleId, subject } }) => ({
    ruleId,
    asset,
    subject,
  }));
}

describe('a plan compared with the open findings of a project', () => {
  it('a plan comparison adds the findings of a created resource, with its address', async () => {
    const created = plan([
      { address: FIREWALL, actions: ['create'], after: firewall('0.0.0.0/0') },
    ]);
    const { added, comparison } = await compare(created);
    expect(added).toContain('fw-ssh-world');
    expect(comparison.added[0]).toMatchObject({ address: FIREWALL });
  });

  it('a plan comparison does not add a finding that the project already has', async () => {
    const created = plan([
      { address: FIREWALL, actions: ['create'], after: firewall('0.0.0.0/0') },
    ]);
    const stored = await addedBy(created);
    expect(await compare(created, ...stored)).toMatchObject({ added: [], resolved: [] });
  });

  it('a plan comparison resolves all findings of a deleted resource, also those of rules that were not evaluated', async () => {
    const deleted = plan([
      { address: FIREWALL, actions: ['delete'], before: firewall('0.0.0.0/0') },
    ]);
    const found = await compare(deleted, openFirewall('fw-ssh-world'), openFirewall('own-rule'));
    expect(found.resolved).toEqual(['fw-ssh-world', 'own-rule']);
    expect(found.added).toEqual([]);
  });

  it.each([['delete', 'create'], ['create', 'delete'], ['update']])(
    'a plan comparison adds what the actions %s %s make worse and resolves what they improve',
    async (...actions) => {
      const change = (from: string, to: string) =>
        plan([{ address: FIREWALL, actions, before: firewall(from), after: firewall(to) }]);
      const opened = await compare(change('10.0.0.0/8', '0.0.0.0/0'));
      expect(opened.added).toContain('fw-ssh-world');
      const closed = await compare(change('0.0.0.0/0', '10.0.0.0/8'), openFirewall('fw-ssh-world'));
      expect(closed.resolved).toEqual(['fw-ssh-world']);
      const same = await compare(change('0.0.0.0/0', '0.0.0.0/0'));
      expect(same).toMatchObject({ added: [], resolved: [] });
    },
  );

  it('a plan comparison ignores resources that the plan does not change, only reads or forgets', async () => {
    const site = bucket(false);
    const found = await compare(
      plan([
        { address: BUCKET, actions: ['no-op'], before: site, after: site },
        { address: FIREWALL, actions: ['forget'], before: firewall('0.0.0.0/0') },
      ]),
      openFirewall('fw-ssh-world'),
      openBucket('bucket-uniform-access'),
      openBucket('bucket-public', 'any'),
    );
    expect(found).toMatchObject({ added: [], resolved: [], undecided: [] });
  });

  it('a plan comparison does not mistake the rest of an earlier replacement for a deletion', async () => {
    const site = bucket(true);
    const found = await compare(
      plan([
        { address: BUCKET, actions: ['no-op'], before: site, after: site },
        { address: BUCKET, actions: ['delete'], before: site, deposed: 'b1c2' },
      ]),
      openBucket('bucket-versioning'),
    );
    expect(found.resolved).toEqual([]);
  });

  it('a plan comparison names verdicts that are known only after apply, and resolves none of their findings', async () => {
    const { source_ranges: _, ...rest } = firewall('');
    const found = await compare(
      plan([
        {
          address: FIREWALL,
          actions: ['update'],
          before: firewall('0.0.0.0/0'),
          after: rest,
          unknown: { source_ranges: true },
        },
      ]),
      openFirewall('fw-ssh-world'),
    );
    expect(found).toMatchObject({ added: [], resolved: [] });
    expect(found.undecided[0]).toMatchObject({
      ruleId: 'fw-ssh-world',
      address: FIREWALL,
      open: 1,
      reason: expect.stringContaining('known after apply only'),
    });
  });

  it('a plan comparison resolves a grant that the plan removes, and no grant that it does not know', async () => {
    const site = bucket(true);
    const kept = { address: BUCKET, actions: ['no-op'], before: site, after: site };
    const granted = plan([kept, { address: MEMBER, actions: ['create'], after: EVERYONE }]);
    const [publicBucket] = (await addedBy(granted)).filter((one) => one.ruleId === 'bucket-public');
    expect(publicBucket).toBeDefined();
    const removed = plan([kept, { address: MEMBER, actions: ['delete'], before: EVERYONE }]);
    const other = openBucket('bucket-public', 'roles/storage.admin allUsers');
    const found = await compare(removed, publicBucket as OpenFinding, other);
    expect(found.resolved).toEqual(['bucket-public']);
    const outside = plan([{ address: MEMBER, actions: ['delete'], before: EVERYONE }]);
    const { resolved } = await compare(
      outside,
      publicBucket as OpenFinding,
      openBucket('bucket-versioning'),
    );
    expect(resolved).toEqual(['bucket-public']);
  });

  it('a plan comparison does not resolve the findings of a bucket to which an unknown grant may apply', async () => {
    const site = bucket(true);
    const granted = plan([
      { address: BUCKET, actions: ['no-op'], before: site, after: site },
      { address: MEMBER, actions: ['update'], before: EVERYONE, after: EVERYONE },
    ]);
    const asCreated = plan([
      { address: BUCKET, actions: ['create'], after: site },
      { address: MEMBER, actions: ['create'], after: EVERYONE },
    ]);
    const [finding] = (await addedBy(asCreated)).filter((one) => one.ruleId === 'bucket-public');
    expect((await compare(granted, finding as OpenFinding)).resolved).toEqual([]);
    const { bucket: _, ...unnamed } = EVERYONE;
    const moved = plan([
      { address: BUCKET, actions: ['no-op'], before: site, after: site },
      {
        address: MEMBER,
        actions: ['delete', 'create'],
        before: EVERYONE,
        after: unnamed,
        unknown: { bucket: true },
      },
    ]);
    const found = await compare(moved, finding as OpenFinding);
    expect(found.resolved).toEqual([]);
    expect(found.undecided).toContainEqual(
      expect.objectContaining({ ruleId: 'bucket-public', open: 1 }),
    );
  });

  it('a plan comparison matches a project by its number if a resource of the plan has it, or if there is no other', async () => {
    const number = '482915036174';
    const change = { address: FIREWALL, actions: ['delete'], before: firewall('0.0.0.0/0') };
    const finding = openFirewall('fw-ssh-world', number);
    expect((await compare(plan([change]), finding)).resolved).toHaveLength(1);
    const another = openFirewall('fw-ssh-world', '593817264015');
    expect((await compare(plan([change]), finding, another)).resolved).toEqual([]);
    const prior = {
      values: {
        root_module: {
          resources: [
            { mode: 'data', type: 'google_project', values: { project_id: 'shop', number } },
          ],
        },
      },
    };
    const known = plan([change], { prior_state: prior });
    expect((await compare(known, finding, another)).resolved).toHaveLength(1);
  });

  it('a plan comparison matches Cloud SQL and zonal clusters by the names of an inventory', async () => {
    const deleted = plan([
      {
        address: 'google_sql_database_instance.db',
        actions: ['delete'],
        before: { name: 'db', project: 'shop', settings: [{}] },
      },
      {
        address: 'google_container_cluster.lab',
        actions: ['delete'],
        before: { name: 'lab', project: 'shop', location: 'europe-west1-b' },
      },
    ]);
    const cluster = 'projects/shop/zones/europe-west1-b/clusters/lab';
    const { resolved } = await compare(
      deleted,
      open(
        'sql-backup',
        '//cloudsql.googleapis.com/projects/shop/instances/db',
        'sqladmin.googleapis.com/Instance',
      ),
      open(
        'gke-legacy-abac',
        `//container.googleapis.com/${cluster}`,
        'container.googleapis.com/Cluster',
      ),
    );
    expect(resolved).toEqual(['sql-backup', 'gke-legacy-abac']);
  });

  it('a plan comparison neither adds nor lists as undecided what a plan does not manage in a project', async () => {
    const changes = plan([
      {
        address: 'google_project_iam_member.viewer',
        actions: ['create'],
        after: { project: 'shop', role: 'roles/viewer', member: 'group:a@example.com' },
      },
      {
        address: 'google_compute_project_metadata_item.foo',
        actions: ['create'],
        after: { project: 'shop', key: 'foo', value: 'bar' },
      },
    ]);
    expect(await compare(changes)).toMatchObject({ added: [], undecided: [] });
    const projectType = 'cloudresourcemanager.googleapis.com/Project';
    const found = await compare(
      changes,
      open(
        'iam-audit-config',
        `//${projectType.replace(/Project$/, 'projects/shop')}`,
        projectType,
      ),
    );
    expect(found).toMatchObject({ resolved: [], undecided: [] });
  });

  it('a plan comparison does not resolve a public entry of an access list that becomes unknown', async () => {
    const acl = { address: 'google_storage_bucket_acl.site', actions: ['update'] };
    const changes = plan([
      { address: BUCKET, actions: ['no-op'], before: bucket(false), after: bucket(false) },
      { address: MEMBER, actions: ['no-op'], before: EVERYONE, after: EVERYONE },
      {
        ...acl,
        before: { bucket: 'site', role_entity: ['READER:allUsers'] },
        after: { bucket: 'site' },
        unknown: { role_entity: true },
      },
    ]);
    const subject = 'roles/storage.legacyBucketReader allUsers';
    expect((await compare(changes, openBucket('bucket-public', subject))).resolved).toEqual([]);
  });

  it('a plan comparison reports the changes of a plan with moved blocks', async () => {
    const file = new URL('testing/generated/provider-6-moved.plan.json', import.meta.url);
    const { added, comparison } = await compare(JSON.parse(readFileSync(file, 'utf8')));
    expect(added).not.toContain('bucket-public');
    expect(comparison.changedAssets).toBeGreaterThan(0);
  });

  it('a plan comparison counts an asset once when several resources add to it', async () => {
    const members = Array.from({ length: 3_000 }, (_, at) => ({
      address: `google_storage_bucket_iam_member.m${at}`,
      actions: ['create'],
      after: { ...EVERYONE, member: `user:u${at}@other.example` },
    }));
    const { comparison } = await compare(plan(members));
    expect(comparison.changedAssets).toBe(1);
  });
});
