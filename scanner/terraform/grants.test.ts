import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { constant, planOf, reference } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';
import { assetsOf } from './assets.ts';

const topic = (project: string) => ({
  address: `google_pubsub_topic.${project}`,
  values: { name: 'events', project },
});

const bucket = (name: string) => ({
  address: `google_storage_bucket.${name}`,
  values: { name, location: 'EU', uniform_bucket_level_access: true },
});

/** A bucket whose name is known after apply only. */
const namedLater = (name: string) => ({
  address: `google_storage_bucket.${name}`,
  values: { location: 'EU', uniform_bucket_level_access: true },
  unknown: { name: true },
  expressions: { name: reference('random_id.suffix.hex'), location: constant('EU') },
});

const grantOn = (bucketOfIt: JsonObject, member = 'allUsers') => ({
  address: 'google_storage_bucket_iam_member.grant',
  values: { role: 'roles/storage.objectViewer', member },
  unknown: { bucket: true },
  expressions: { bucket: bucketOfIt, member: constant(member) },
});

describe('a grant of a Terraform plan', () => {
  it('a grant of a Terraform plan is matched to the topic of its own project if two projects have a topic of that name', async () => {
    const verdicts = await verdictsOf(
      planOf(topic('team-a'), topic('team-b'), {
        address: 'google_pubsub_topic_iam_member.everyone',
        values: {
          topic: 'projects/team-b/topics/events',
          role: 'roles/pubsub.subscriber',
          member: 'allUsers',
        },
      }),
    );
    const name = (project: string) => `//pubsub.googleapis.com/projects/${project}/topics/events`;
    expect(verdicts.get(`topic-public ${name('team-b')}`)).toBe('fail');
    expect(verdicts.get(`topic-public ${name('team-a')}`)).toBe('unknown');
  });

  it('a grant of a Terraform plan is matched to the Cloud Run service of its own region if two regions have a service of that name', async () => {
    const service = (location: string) => ({
      address: `google_cloud_run_v2_service.${location}`,
      values: { name: 'web', location, project: 'p' },
    });
    const verdicts = await verdictsOf(
      planOf(service('europe-west1'), service('us-east1'), {
        address: 'google_cloud_run_v2_service_iam_member.everyone',
        values: {
          name: 'web',
          location: 'us-east1',
          project: 'p',
          role: 'roles/run.invoker',
          member: 'allUsers',
        },
      }),
    );
    const name = (location: string) =>
      `//run.googleapis.com/projects/p/locations/${location}/services/web`;
    expect(verdicts.get(`run-public ${name('us-east1')}`)).toBe('fail');
    expect(verdicts.get(`run-public ${name('europe-west1')}`)).toBe('unknown');
  });

  it('a grant of a Terraform plan is matched through its reference to a bucket whose name is known only after apply', async () => {
    const verdicts = await verdictsOf(
      planOf(
        namedLater('open'),
        namedLater('closed'),
        grantOn(reference('google_storage_bucket.open.name')),
        {
          address: 'google_storage_bucket_iam_member.one',
          values: { role: 'roles/storage.objectViewer', member: 'user:ada@example.com' },
          unknown: { bucket: true },
          expressions: { bucket: reference('google_storage_bucket.closed.name') },
        },
      ),
    );
    expect(verdicts.get('bucket-public google_storage_bucket.open')).toBe('fail');
    expect(verdicts.get('bucket-public google_storage_bucket.closed')).toBe('pass');
  });

  it('a grant of a Terraform plan leaves every bucket undecided that it may refer to, if its target is unknown', async () => {
    const harmless = (name: string) => ({
      address: `google_storage_bucket_iam_member.${name}`,
      values: { bucket: name, role: 'roles/storage.objectViewer', member: 'user:ada@example.com' },
    });
    const verdicts = await verdictsOf(
      planOf(
        bucket('a'),
        harmless('a'),
        bucket('b'),
        harmless('b'),
        grantOn({ references: ['local.bucket'] }),
      ),
    );
    expect(verdicts.get('bucket-public a')).toBe('unknown');
    expect(verdicts.get('bucket-public b')).toBe('unknown');
  });

  it('a grant of a Terraform plan changes no verdict if it would be harmless on every bucket that it may refer to', async () => {
    const verdicts = await verdictsOf(
      planOf(
        bucket('a'),
        {
          address: 'google_storage_bucket_iam_member.a',
          values: {
            bucket: 'a',
            role: 'roles/storage.objectViewer',
            member: 'user:ada@example.com',
          },
        },
        grantOn({ references: ['local.bucket'] }, 'user:bob@example.com'),
      ),
    );
    expect(verdicts.get('bucket-public a')).toBe('pass');
  });

  it('a grant of a Terraform plan leaves the two buckets undecided to which its expression refers, and no third one', async () => {
    const own = (name: string) => ({
      address: `google_storage_bucket_iam_member.${name}`,
      values: { role: 'roles/storage.objectViewer', member: 'user:ada@example.com' },
      unknown: { bucket: true },
      expressions: { bucket: reference(`google_storage_bucket.${name}.name`) },
    });
    const verdicts = await verdictsOf(
      planOf(
        ...['a', 'b', 'c'].flatMap((name) => [namedLater(name), own(name)]),
        grantOn(reference('google_storage_bucket.a.name', 'google_storage_bucket.b.name')),
      ),
    );
    expect(verdicts.get('bucket-public google_storage_bucket.a')).toBe('unknown');
    expect(verdicts.get('bucket-public google_storage_bucket.b')).toBe('unknown');
    expect(verdicts.get('bucket-public google_storage_bucket.c')).toBe('pass');
  });

  it('a grant of a Terraform plan leaves a bucket undecided whose name derives from the name that the grant refers to', async () => {
    const verdicts = await verdictsOf(
      planOf(
        namedLater('a'),
        {
          ...namedLater('logs'),
          expressions: { name: reference('google_storage_bucket.a.name') },
        },
        grantOn(reference('google_storage_bucket.a.name')),
        {
          address: 'google_storage_bucket_iam_member.logs',
          values: { role: 'roles/storage.objectViewer', member: 'user:ada@example.com' },
          unknown: { bucket: true },
          expressions: { bucket: reference('google_storage_bucket.logs.name') },
        },
      ),
    );
    expect(verdicts.get('bucket-public google_storage_bucket.a')).toBe('fail');
    expect(verdicts.get('bucket-public google_storage_bucket.logs')).toBe('unknown');
  });

  it('a grant of a Terraform plan is evaluated on a placeholder if its target is not in the plan', async () => {
    const verdicts = await verdictsOf(planOf(grantOn({ references: ['local.bucket'] })));
    expect(verdicts.get('bucket-public google_storage_bucket_iam_member.grant')).toBe('fail');
  });

  it('a grant of a Terraform plan to everyone fails although another member of the policy is unknown', async () => {
    const verdicts = await verdictsOf(
      planOf(
        bucket('site'),
        {
          address: 'google_storage_bucket_iam_member.somebody',
          values: { bucket: 'site', role: 'roles/storage.objectViewer' },
          unknown: { member: true },
        },
        {
          address: 'google_storage_bucket_iam_member.everyone',
          values: { bucket: 'site', role: 'roles/storage.objectViewer', member: 'allUsers' },
        },
      ),
    );
    expect(verdicts.get('bucket-public site')).toBe('fail');
  });

  it('a grant of a Terraform plan is for a service account if its member refers to nothing else', async () => {
    const verdicts = await verdictsOf(
      planOf(
        bucket('site'),
        {
          address: 'google_service_account.robot',
          values: { account_id: 'robot', project: 'p' },
          unknown: { email: true },
        },
        {
          address: 'google_storage_bucket_iam_member.robot',
          values: { bucket: 'site', role: 'roles/storage.objectViewer' },
          unknown: { member: true },
          expressions: {
            bucket: constant('site'),
            member: reference('google_service_account.robot.email'),
          },
        },
      ),
    );
    expect(verdicts.get('bucket-public site')).toBe('pass');
  });

  it('a grant of a Terraform plan stays undecided if a set of members is unknown, because the plan omits constants in it', async () => {
    const verdicts = await verdictsOf(
      planOf(
        bucket('site'),
        {
          address: 'google_service_account.robot',
          values: { account_id: 'robot', project: 'p' },
          unknown: { email: true },
        },
        {
          address: 'google_storage_bucket_iam_binding.some',
          values: { bucket: 'site', role: 'roles/storage.objectViewer' },
          unknown: { members: true },
          expressions: {
            bucket: constant('site'),
            members: reference('google_service_account.robot.email'),
          },
        },
      ),
    );
    expect(verdicts.get('bucket-public site')).toBe('unknown');
  });

  it('a grant of a Terraform plan to a private account is found on a resource of a type without other rules', async () => {
    const verdicts = await verdictsOf(
      planOf({
        address: 'google_spanner_instance_iam_member.mallory',
        values: {
          instance: 'orders',
          role: 'roles/spanner.admin',
          member: 'user:mallory@gmail.com',
        },
      }),
    );
    expect(
      verdicts.get(
        'iam-external-members //spanner.googleapis.com/projects/shop-prod/instances/orders',
      ),
    ).toBe('fail');
  });

  it('a grant of a Terraform plan is evaluated on a project that the same plan creates', async () => {
    const verdicts = await verdictsOf(
      planOf(
        {
          address: 'google_project.team',
          values: { name: 'team' },
          unknown: { project_id: true },
          expressions: { project_id: reference('random_id.suffix.hex') },
        },
        {
          address: 'google_project_iam_member.owner',
          values: { role: 'roles/owner', member: 'user:eve@gmail.com' },
          unknown: { project: true },
          expressions: { project: reference('google_project.team.project_id') },
        },
      ),
    );
    expect(verdicts.get('iam-primitive-roles google_project.team')).toBe('fail');
    expect(verdicts.get('iam-external-members google_project.team')).toBe('fail');
  });

  it('a separate access resource of a Terraform plan can make a dataset public', async () => {
    const verdicts = await verdictsOf(
      planOf(
        {
          address: 'google_bigquery_dataset.facts',
          values: { dataset_id: 'facts' },
          unknown: { access: true },
          expressions: { dataset_id: constant('facts') },
        },
        {
          address: 'google_bigquery_dataset_access.everyone',
          values: { dataset_id: 'facts', role: 'READER', special_group: 'allAuthenticatedUsers' },
        },
      ),
    );
    expect(verdicts.get('bq-dataset-public facts')).toBe('fail');
  });

  it('too many grants of a Terraform plan without a known target leave every bucket undecided', () => {
    const buckets = Array.from({ length: 1_000 }, (_, at) => bucket(`b${at}`));
    const grants = Array.from({ length: 1_000 }, (_, at) => ({
      ...grantOn({ references: ['local.bucket'] }, 'user:ada@example.com'),
      address: `google_storage_bucket_iam_member.g${at}`,
    }));
    const { records } = assetsOf(planOf(...buckets, ...grants));
    expect(records).toHaveLength(1_000);
    expect(records.every((record) => record['possible_after_apply'] !== undefined)).toBe(true);
    const longest = Math.max(...records.map((record) => JSON.stringify(record).length));
    expect(longest).toBeLessThan(20_000);
  });
});
