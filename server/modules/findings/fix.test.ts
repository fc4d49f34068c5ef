import { type JsonValue, parseAsset } from '@cspm/scanner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import {
  bucket,
  bucketPolicy,
  type ExportRecord,
  firewall,
  manyClusters,
} from '../../../tests/kit/export-records.ts';
import { holdTurn } from '../../../tests/kit/held-turn.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;
let project: string;

const OPEN = firewall('f', { ports: ['22', '3389'], sourceRanges: ['0.0.0.0/0', '10.0.0.0/8'] });
const LEAKING: ExportRecord = {
  name: '//cloudfunctions.googleapis.com/projects/p/locations/l/functions/f',
  asset_type: 'cloudfunctions.googleapis.com/CloudFunction',
  resource: { version: 'v1', data: { environmentVariables: { DB_PASSWORD: 'hunter2-hunter2' } } },
};

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  analyst = await Analyst.at(server);
  project = await analyst.project([
    ...manyClusters(300),
    bucket('shop', { uniform: false, logged: false }),
    bucketPolicy('shop', ['user:ada@example.com', 'allUsers']),
    OPEN,
    LEAKING,
  ]);
  await analyst.scan(project);
});

afterAll(() => server.close());

async function findingOf(rule: string) {
  const [finding] = await analyst.findings(`project=${project}&rule=${rule}`);
  return analyst.ask(200, `/findings/${finding?.id}`);
}

describe('the fix of a finding', () => {
  it('the fix of a finding is a verified patch of the stored asset, with the command and the Terraform attributes', async () => {
    expect(await findingOf('bucket-public')).toMatchObject({
      noFix: null,
      fix: {
        verified: true,
        patch: [
          { op: 'test', path: '/iam_policy/bindings/0/members/1', value: 'allUsers' },
          { op: 'remove', path: '/iam_policy/bindings/0/members/1' },
        ],
        gcloud:
          'gcloud storage buckets remove-iam-policy-binding gs://shop --member=allUsers --role=roles/storage.objectViewer',
        terraform: [{ resource: 'google_storage_bucket_iam_member', value: null }],
        caution: null,
      },
    });
    expect(parseAsset(JSON.stringify(OPEN)).name).toContain('/firewalls/f');
    const { fix } = await findingOf('fw-ssh-world');
    expect(fix).toMatchObject({ patch: [{ op: 'remove' }], caution: expect.any(String) });
  });

  it('the fix of a finding and its asset wait for the turn of their tenant, and small requests do not', async () => {
    const [finding] = await analyst.findings(`project=${project}&rule=fw-ssh-world`);
    const endTurn = holdTurn();
    const ended: string[] = [];
    const name = encodeURIComponent(String(OPEN.name));
    const paths = [`/findings/${finding?.id}`, `/projects/${project}/assets/lookup?name=${name}`];
    const waiting = paths.map((path) => analyst.ask(200, path).then(() => ended.push(path)));
    for (let count = 0; count < 20; count += 1) await analyst.ask(200, '/findings?limit=1');
    expect(ended).toEqual([]);
    await endTurn();
    await Promise.all(waiting);
    expect(ended).toHaveLength(2);
  });

  it('the fix of a finding is missing, with the reason, if only the owner knows a value', async () => {
    expect(await findingOf('bucket-logging')).toMatchObject({
      fix: null,
      noFix: 'needs a bucket for the logs',
    });
  });

  it('the fix of a finding shows no secret that it removes', async () => {
    const finding = await findingOf('fn-env-secrets');
    expect(finding.fix.patch).toEqual([
      { op: 'remove', path: '/resource/data/environmentVariables/DB_PASSWORD' },
    ]);
    expect(JSON.stringify(finding)).not.toContain('hunter2');
  });

  it('the fix of a finding is missing once the finding is resolved', async () => {
    const { id } = await findingOf('bucket-uniform-access');
    await analyst.upload(project, [bucket('shop', { logged: false })]);
    await analyst.scan(project);
    expect(await analyst.ask(200, `/findings/${id}`)).toMatchObject({
      status: 'resolved',
      fix: null,
      noFix: 'the finding is resolved',
    });
  });
});

describe('the fix of a rule with parameters', () => {
  it('the fix of a rule with parameters uses the profile of the scan that found it', async () => {
    const name = '//cloudkms.googleapis.com/projects/p/locations/l/keyRings/r/cryptoKeys/k';
    const data: JsonValue = { purpose: 'ENCRYPT_DECRYPT', rotationPeriod: '7776000s' };
    const key = {
      name,
      asset_type: 'cloudkms.googleapis.com/CryptoKey',
      resource: { version: 'v1', data },
    };
    const other = await analyst.project([key]);
    const parameters = { 'kms-rotation-90d': { days: 30 } };
    const body = {
      name: 'custom:rotation',
      include: ['kms-rotation-90d'],
      parameters,
    };
    await analyst.ask(201, '/profiles', { method: 'POST', body });
    await analyst.scan(other, 'custom:rotation');
    const [finding] = await analyst.findings(`project=${other}&rule=kms-rotation-90d`);
    expect(await analyst.ask(200, `/findings/${finding?.id}`)).toMatchObject({
      fix: {
        patch: [{ op: 'replace', path: '/resource/data/rotationPeriod', value: '2592000s' }],
      },
    });
  });
});
