import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { bucket, bucketPolicy, firewall } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;
let whole: Scan;
let part: Scan;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  analyst = await Analyst.at(server);
  const project = await analyst.project([
    bucket('b', { uniform: false }),
    bucketPolicy('b'),
    firewall('f', { ports: ['22'], sourceRanges: ['0.0.0.0/0'] }),
  ]);
  whole = await analyst.scan(project, 'cis-gcp-4.0');
  part = await analyst.scan(project, 'storage');
});

afterAll(() => server.close());

interface Requirement {
  id: string;
  status: string;
  assessment: string;
  rules: { ruleId: string }[];
}

async function reportOf({ id }: Scan, query = '') {
  const report = await analyst.ask(200, `/scans/${id}/compliance${query}`);
  const of = (requirement: string): Requirement =>
    report.requirements.find((one: Requirement) => one.id === requirement);
  return { report, of };
}

describe('the compliance of a scan', () => {
  it('the compliance of a scan lists every requirement as failed, passed, undecided or manual', async () => {
    const { report, of } = await reportOf(whole);
    expect(report).toMatchObject({ framework: 'cis-gcp-4.0', scan: whole.id });
    expect(of('5.2')).toMatchObject({
      status: 'fail',
      assessment: 'automated',
      rules: [{ ruleId: 'bucket-uniform-access', fail: 1, missing: [] }],
    });
    expect(of('5.1')).toMatchObject({ status: 'pass' });
    expect(of('3.6')).toMatchObject({ status: 'fail', rules: [{ ruleId: 'fw-ssh-world' }] });
    expect(of('3.7')).toMatchObject({ status: 'pass' });
    // The inventory has no database at all.
    expect(of('6.4')).toMatchObject({ status: 'na', rules: [{ pass: 0, fail: 0 }] });
    expect(of('1.2')).toMatchObject({ status: 'manual', assessment: 'manual', rules: [] });
    const count = (status: string) =>
      report.requirements.filter((one: Requirement) => one.status === status).length;
    expect(report.summary).toEqual({
      pass: count('pass'),
      fail: count('fail'),
      unknown: count('unknown'),
      na: count('na'),
      manual: count('manual'),
    });
    expect(report.requirements.length).toBeGreaterThan(80);
  });

  it('the compliance of a scan omits rules that the scan did not evaluate', async () => {
    const { of } = await reportOf(part);
    expect(of('5.2')).toMatchObject({ status: 'fail' });
    expect(of('3.6')).toMatchObject({ status: 'unknown', rules: [] });
  });

  it('the compliance of a scan uses another benchmark when one is named, and refuses an unknown one', async () => {
    const { report, of } = await reportOf(whole, '?framework=cis-gcp-5.0');
    expect(report.framework).toBe('cis-gcp-5.0');
    expect(of('1.1.1')).toMatchObject({ status: 'manual' });
    const refusal = await analyst.call(`/scans/${whole.id}/compliance?framework=iso-27001`);
    expect(refusal.json).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
