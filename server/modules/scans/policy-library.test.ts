import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

/*
 * Exports that Google published with the tests of its policy library, tested end to end: upload, scan, findings. The
 * data is in a folder beside the repository.
 */
const FOLDER = join(import.meta.dirname, '../../../../shared/data/gcp-policy-library');
const present = existsSync(FOLDER);
const suite = present
  ? 'the policy library, over the API'
  : 'the policy library, over the API: skipped, its data is absent (shared/data/gcp-policy-library)';

interface Expectation {
  readonly file: string;
  readonly rule: string;
  readonly fail: readonly string[];
}

const expectations: readonly Expectation[] = present
  ? JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'))
  : [];
const files = [...new Set(expectations.map(({ file }) => file))];

describe.skipIf(!present)(suite, () => {
  let server: TestServer;
  let analyst: Analyst;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    analyst = await Analyst.at(server);
  });

  afterAll(() => server.close());

  it('the policy library has all its files', () => {
    expect(expectations).toHaveLength(17);
  });

  it.each(files)(
    'a scan of %s of the policy library gives exactly the expected open findings',
    async (file) => {
      const project = await analyst.project();
      const reply = await analyst.send(project, readFileSync(join(FOLDER, file)), {
        'content-type': 'application/json',
      });
      expect(reply.status, reply.text).toBe(201);
      const scan = await analyst.scan(project);
      expect(scan.status).toBe('completed');
      const open = await analyst.findings(`status=open&project=${project}`, 2);
      expect(open).toHaveLength(scan.delta.new);
      for (const { rule, fail } of expectations.filter((expected) => expected.file === file)) {
        // A rule may report several faults of one asset, each as a finding with its own subject.
        const own = open.filter(({ ruleId }) => ruleId === rule);
        const assets = new Set(own.map(({ asset }) => asset.name));
        expect([...assets].toSorted(), rule).toEqual(fail.toSorted());
        expect(new Set(own.map(({ asset, subject }) => `${asset.name} ${subject}`)).size).toBe(
          own.length,
        );
      }
    },
  );
});
