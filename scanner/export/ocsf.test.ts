import { describe, expect, it } from 'vitest';
import { CONTEXT, exported, RESOLVED, written } from '../testing/exported.ts';
import type { ExportedFinding } from './exported-finding.ts';
import { ocsfOf } from './ocsf.ts';

async function eventOf(said: Partial<ExportedFinding> = {}) {
  return JSON.parse(await written(ocsfOf, [exported(said)]));
}

const FIRST = Date.parse('2026-11-01T08:00:00.000Z');
const LAST = Date.parse('2026-11-20T08:00:00.000Z');

describe('findings as OCSF', () => {
  it('findings as OCSF are events of the class Compliance Finding, one per line', async () => {
    const text = await written(ocsfOf, [exported(), exported(), exported()], 2);
    expect(text.endsWith('\n')).toBe(true);
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ class_uid: 2003 });
    expect(await written(ocsfOf, [])).toBe('');
  });

  it('findings as OCSF have the values of the API in the members of OCSF 1.4', async () => {
    expect(await eventOf()).toEqual({
      activity_id: 2,
      activity_name: 'Update',
      category_uid: 2,
      category_name: 'Findings',
      class_uid: 2003,
      class_name: 'Compliance Finding',
      type_uid: 200302,
      type_name: 'Compliance Finding: Update',
      time: LAST,
      severity_id: 4,
      severity: 'High',
      status_id: 1,
      status: 'New',
      message: 'allUsers holds roles/storage.objectViewer on this bucket.',
      metadata: {
        version: '1.4.0',
        product: { name: 'cspm', vendor_name: 'cspm', version: expect.stringMatching(/^\d+\./) },
        profiles: ['cloud'],
      },
      cloud: { provider: 'GCP' },
      finding_info: {
        uid: 'ab'.repeat(32),
        title: 'Bucket is public',
        desc: CONTEXT.ruleOf('bucket-public')?.description,
        types: ['storage'],
        first_seen_time: FIRST,
        last_seen_time: LAST,
        created_time: FIRST,
        analytic: { uid: 'bucket-public', name: 'Bucket is public', type_id: 1, type: 'Rule' },
        src_url: 'https://cspm.example/rules/bucket-public',
      },
      compliance: {
        standards: ['cis-gcp-4.0', 'cis-gcp-5.0'],
        requirements: ['cis-gcp-4.0 5.1', 'cis-gcp-5.0 5.1'],
        control: 'bucket-public',
        status_id: 3,
        status: 'Fail',
      },
      resources: [
        {
          uid: '//storage.googleapis.com/shop-uploads',
          name: 'shop-uploads',
          type: 'storage.googleapis.com/Bucket',
        },
      ],
      remediation: { desc: 'Remove the grant.' },
      unmapped: {
        id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
        project: 'shop-prod',
        subject: 'roles/storage.objectViewer allUsers',
        delta: 'unchanged',
        evidence: [{ path: 'iam_policy.bindings[0].members[0]', value: 'allUsers' }],
        resolvedAt: null,
        resolvedReason: null,
        muted: null,
      },
    });
  });

  it.each<[Partial<ExportedFinding>, number, number]>([
    [{ delta: 'new' }, 1, FIRST],
    [{ delta: 'unchanged' }, 2, LAST],
    [{ delta: 'reopened' }, 2, LAST],
    [RESOLVED, 3, Date.parse('2026-11-20T09:00:00.000Z')],
  ])(
    'a finding with the delta %j has its activity and time in OCSF',
    async (said, activity, time) => {
      expect(await eventOf(said)).toMatchObject({
        activity_id: activity,
        type_uid: 200300 + activity,
        time,
      });
    },
  );

  it.each<[ExportedFinding['severity'], number]>([
    ['info', 1],
    ['low', 2],
    ['medium', 3],
    ['high', 4],
    ['critical', 5],
  ])('the severity %s becomes %i in OCSF', async (severity, id) => {
    expect(await eventOf({ severity })).toMatchObject({ severity_id: id });
  });

  it('muted findings as OCSF are suppressed, and their compliance status is still fail', async () => {
    const muted = { reason: 'Known', expiresAt: '2027-01-01T00:00:00.000Z' };
    const event = { status_id: 3, status: 'Suppressed', compliance: { status: 'Fail' } };
    expect(await eventOf({ muted })).toMatchObject({ ...event, unmapped: { muted } });
  });

  it('resolved findings as OCSF pass if the asset was corrected, but not if it was deleted', async () => {
    const resolved = { status_id: 4, status: 'Resolved' };
    const fixed = { ...resolved, compliance: { status_id: 1, status: 'Pass' } };
    expect(await eventOf(RESOLVED)).toMatchObject(fixed);
    const gone = { ...resolved, compliance: { status_id: 99, status: 'asset_gone' } };
    expect(await eventOf({ ...RESOLVED, resolvedReason: 'asset_gone' })).toMatchObject(gone);
  });

  it('findings of a deleted rule, or of one without a requirement, have a standard and a title in OCSF', async () => {
    const event = await eventOf({ ruleId: 'retired', compliance: [], remediation: '' });
    expect(event.compliance).toMatchObject({ standards: ['cspm'], requirements: [] });
    expect(event.finding_info).toMatchObject({ title: 'Bucket is public' });
    expect(event).not.toHaveProperty('remediation');
    expect(event.finding_info).not.toHaveProperty('desc');
  });
});
