import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { StallWatch } from '../../../tests/kit/stall-watch.ts';
import { streamUpload } from '../../../tests/kit/streamed-upload.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { threadCpuMs } from '../../../tests/kit/thread-cpu.ts';
import { until } from '../../../tests/kit/until.ts';
import { TERRAFORM_LIMITS, TERRAFORM_SLOTS, TerraformConverter } from './terraform-process.ts';

/**
 * Limit on the CPU time of the main thread, which also sends the request. A conversion there takes more than 2,000 ms.
 */
const STALL_MS = 400;

let server: TestServer;
let strict: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
  strict = await startTestServer();
  Object.assign(strict.services.inventories, {
    terraform: new TerraformConverter({ ...TERRAFORM_LIMITS, evaluationMs: 200 }),
  });
}, 300_000);

afterAll(async () => {
  await server?.close();
  await strict?.close();
});

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

/** A plan of buckets with one grant each, linked by `each.key`; all names are unknown until apply. */
function planOf(buckets: number, padding = ''): string {
  const resource = (type: string, name: string, at: number, values: object) => ({
    address: `${type}.${name}["k${at}"]`,
    mode: 'managed',
    index: `k${at}`,
    ...{ type, name, values },
  });
  const resources = Array.from({ length: buckets }, (_, at) => [
    resource('google_storage_bucket', 'b', at, { location: 'EU', labels: { padding } }),
    resource('google_storage_bucket_iam_member', 'm', at, {
      role: 'roles/storage.objectViewer',
      member: 'allUsers',
    }),
  ]).flat();
  const names = { references: ['local.names'] };
  return JSON.stringify({
    format_version: '1.2',
    planned_values: { root_module: { resources } },
    resource_changes: resources.map(({ address, type }) => ({
      address,
      change: {
        after_unknown: type === 'google_storage_bucket' ? { name: true } : { bucket: true },
      },
    })),
    configuration: {
      root_module: {
        resources: [
          {
            ...{ mode: 'managed', type: 'google_storage_bucket', name: 'b' },
            for_each_expression: names,
            expressions: { name: names },
          },
          {
            ...{ mode: 'managed', type: 'google_storage_bucket_iam_member', name: 'm' },
            for_each_expression: names,
            expressions: {
              bucket: { references: ['google_storage_bucket.b', 'each.key'] },
            },
          },
        ],
      },
    },
  });
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const upload = (by: Analyst, project: string, plan: string) =>
  by.call(`/projects/${project}/inventory`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: plan,
  });

describe('an upload of a Terraform plan', () => {
  it('an upload of a Terraform plan does not block the main thread with 16 MiB and 20,000 resources', async () => {
    const project = await analyst.project();
    const plan = planOf(10_000, 'x'.repeat(950));
    expect(plan.length).toBeGreaterThan(14 * 1024 ** 2);
    expect(plan.length).toBeLessThan(16 * 1024 ** 2);
    const pieces = Buffer.from(plan);
    const watch = new StallWatch(threadCpuMs);
    const reply = await streamUpload(
      `${server.url}/projects/${project}/inventory`,
      { ...analyst.headers, 'content-type': 'application/json' },
      piecesOf(pieces),
    );
    const { worstMs } = watch;
    watch.stop();
    expect(reply).toMatchObject({ status: 201, json: { assets: 10_000 } });
    expect(worstMs).toBeLessThan(STALL_MS);
    expect(server.services.inventories.terraform.pids).toEqual([]);
  }, 300_000);

  it('an upload of a Terraform plan is refused with the remedy when it exceeds its CPU time, and the previous inventory stays active', async () => {
    const other = await Analyst.at(strict);
    const project = await other.project([{ name: '//service/one', asset_type: 'service/Type' }]);
    const before = await other.ask(200, `/projects/${project}`);
    const reply = await upload(other, project, planOf(10_000));
    expect(reply.status, reply.text).toBe(413);
    expect(reply.json.detail).toBe(
      'line 1: This Terraform document needs more than 0.2 s of CPU time to parse. Scan it with cspm scan --local, or split it.',
    );
    expect(await other.ask(200, `/projects/${project}`)).toEqual(before);
    expect(strict.services.inventories.terraform.pids).toEqual([]);
  }, 300_000);

  it('an upload of a Terraform plan is refused when its assets exceed the memory of a child process', async () => {
    const other = await Analyst.at(strict);
    Object.assign(strict.services.inventories, {
      terraform: new TerraformConverter({ ...TERRAFORM_LIMITS, memoryMb: 24 }),
    });
    const reply = await upload(other, await other.project(), planOf(20_000, 'x'.repeat(100)));
    expect(reply.status, reply.text).toBe(413);
    expect(reply.json.detail).toContain('needs more than 24 MB of memory to parse');
  }, 300_000);

  it('an upload of a Terraform plan ends its child process and changes nothing when the client disconnects', async () => {
    const project = await analyst.project([{ name: '//service/one', asset_type: 'service/Type' }]);
    const before = await analyst.ask(200, `/projects/${project}`);
    const outgoing = request(`${server.url}/projects/${project}/inventory`, {
      method: 'PUT',
      headers: { ...analyst.headers, 'content-type': 'application/json' },
    });
    outgoing.on('error', () => undefined);
    outgoing.end(planOf(15_000));
    const { terraform } = server.services.inventories;
    const [pid] = await until('a child process', async () =>
      terraform.pids.length > 0 ? terraform.pids : null,
    );
    outgoing.destroy();
    await until('the end of the child process', async () => terraform.pids.length === 0);
    await until('the exit', async () => !existsSync(`/proc/${pid}`));
    expect(await analyst.ask(200, `/projects/${project}`)).toEqual(before);
  }, 300_000);

  it('an upload of a Terraform plan warns that the plan is incomplete, and of each skipped resource', async () => {
    const project = await analyst.project();
    const resource = (type: string, at: number) => ({
      ...{ address: `${type}.r${at}`, mode: 'managed', type, name: `r${at}` },
      values: { name: `r${at}` },
    });
    const routers = Array.from({ length: 150 }, (_, at) => resource('google_compute_router', at));
    const plan = (resources: object[]) =>
      JSON.stringify({
        ...{ format_version: '1.2', errored: true },
        planned_values: { root_module: { resources } },
      });
    const bucket = resource('google_storage_bucket', 0);
    const few = await upload(analyst, project, plan([bucket, ...routers.slice(0, 1)]));
    expect(few.status, few.text).toBe(201);
    expect(few.json).toMatchObject({ assets: 1, truncated: false });
    expect(few.json.warnings).toEqual([
      {
        line: 1,
        message:
          'The plan is incomplete: Terraform failed while it created this plan. Findings on resources that are missing in it will be resolved.',
      },
      {
        line: 1,
        message:
          'The Terraform resource google_compute_router.r0 is skipped: no rule examines this type of resource.',
      },
    ]);
    const many = await upload(analyst, project, plan([bucket, ...routers]));
    expect(many.json).toMatchObject({ assets: 1, truncated: true });
    expect(many.json.warnings).toHaveLength(100);
  });

  it('an upload of a Terraform plan is accepted with addresses that Postgres refuses', async () => {
    const [type, name] = ['google_compute_router', 'r'];
    const named = (index: string) => ({
      ...{ address: `${type}.${name}["${index}"]`, mode: 'managed', type, name, index },
      values: { name: 'r' },
    });
    const plan = JSON.stringify({
      format_version: '1.2',
      planned_values: {
        // An address is cut at 300 characters, which is in the middle of an emoji.
        root_module: { resources: [named('a\0'), named('\ud800'), named('\u{1F600}'.repeat(200))] },
      },
    });
    const reply = await upload(analyst, await analyst.project(), plan);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.json.warnings).toMatchObject([
      { message: expect.stringContaining('no assets') },
      { message: expect.stringContaining('r["a\uFFFD"] is skipped') },
      { message: expect.stringContaining('r["\uFFFD"] is skipped') },
      { message: expect.stringContaining('\u{1F600}… is skipped') },
    ]);
  });

  it.each([
    [
      'not from Terraform',
      '{"a":1}',
      'an array of assets, or the output of `terraform show -json`',
    ],
    ['too deep', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, '64 levels'],
  ])(
    'an upload of a Terraform plan is refused with the reason when it is %s',
    async (_what, text, reason) => {
      const reply = await upload(analyst, await analyst.project(), text);
      expect(reply.status, reply.text).toBe(400);
      expect(reply.json.errors).toMatchObject([
        { path: 'line 1', message: expect.stringContaining(reason) },
      ]);
    },
  );
});

describe('the child processes that convert plans', () => {
  const options = { maxBytes: 1024 ** 3, isAbandoned: () => false };
  const document = () => [Buffer.from(planOf(1_000))];

  async function take(converter: TerraformConverter, tenantId: string): Promise<number> {
    let records = 0;
    for await (const _ of converter.convert(document(), { ...options, tenantId })) {
      records += 1;
      expect(converter.pids.length).toBeLessThanOrEqual(TERRAFORM_SLOTS.total);
    }
    return records;
  }

  it('at most two child processes convert Terraform plans, and one per tenant, for any number of uploads', async () => {
    const converter = new TerraformConverter(TERRAFORM_LIMITS, {
      ...TERRAFORM_SLOTS,
      waitMs: 200_000,
    });
    const taken = await Promise.all(['a', 'a', 'a', 'b', 'c'].map((id) => take(converter, id)));
    expect(taken).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  }, 300_000);

  it('an upload of a Terraform plan is refused with 429 when the tenant uses its share of child processes for too long', async () => {
    const converter = new TerraformConverter(TERRAFORM_LIMITS, { ...TERRAFORM_SLOTS, waitMs: 1 });
    const first = converter.convert(document(), { ...options, tenantId: 'a' });
    await first.next();
    await expect(take(converter, 'a')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('1 Terraform upload in progress'),
    });
    await first.return();
    expect(converter.pids).toEqual([]);
  }, 300_000);
});
