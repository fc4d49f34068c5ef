import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../tests/kit/people.ts';
import { freshAddress, startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { LARGE_BYTES } from './packing.ts';
import { PACKING_LIMITS, PackingProcesses } from './packing-process.ts';
import { UPLOAD_SLOTS, UploadSlots } from './upload-slots.ts';

/** As in production, with shorter times. */
const slots = new UploadSlots({
  ...UPLOAD_SLOTS,
  slow: {
    ...{ afterMs: 100, windowMs: 300, checkMs: 20 },
    bytesPerSecond: 64 * 1024,
    secondBytesPerSecond: 64 * 1024,
    longMs: Number.POSITIVE_INFINITY,
  },
});
const TENANTS = UPLOAD_SLOTS.total / UPLOAD_SLOTS.perTenant;

let server: TestServer;
let users: TestUser[];
const open = new Set<Upload>();

beforeAll(async () => {
  server = await startTestServer();
  Object.assign(server.services.inventories, { slots });
  users = await Promise.all(Array.from({ length: TENANTS + 2 }, () => server.people.user()));
  for (const { key: headers } of users) {
    const project = { method: 'POST', headers, body: { name: 'slow' } };
    expect((await server.call('/projects', project)).status).toBe(201);
  }
});

afterEach(async () => {
  for (const upload of open) upload.socket.destroy();
  open.clear();
  await until('no upload runs', async () => slots.active === 0);
});

afterAll(() => server.close());

/** An upload whose body goes on until it is finished. */
class Upload {
  readonly socket: Socket;
  text = '';
  bytesSent = 0;

  constructor({ key }: TestUser) {
    this.socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    this.socket.on('error', () => undefined);
    this.socket.on('data', (piece) => {
      this.text += piece.toString('latin1');
    });
    const head = [
      'PUT /projects/slow/inventory HTTP/1.1',
      'Host: test',
      `X-Forwarded-For: ${freshAddress()}`,
      `X-API-Key: ${key['x-api-key']}`,
      'Content-Type: application/x-ndjson',
      'Transfer-Encoding: chunked',
    ];
    this.socket.write(`${head.join('\r\n')}\r\n\r\n`);
    open.add(this);
  }

  /** Null before the response. */
  get status(): number | null {
    const [, status] = /^HTTP\/1\.1 (\d+) /.exec(this.text) ?? [];
    return status === undefined ? null : Number(status);
  }

  /** Sends a comment line from time to time until the response. */
  async sendEvery(ms: number, bytes: number): Promise<void> {
    const line = `${'#'.repeat(bytes - 1)}\n`;
    while (this.status === null && !this.socket.destroyed) {
      this.send(line);
      await delay(ms);
    }
  }

  send(text: string): this {
    this.bytesSent += text.length;
    this.socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
    return this;
  }

  finish(): this {
    const asset = {
      name: '//storage.googleapis.com/b',
      assetType: 'storage.googleapis.com/Bucket',
    };
    this.send(`${JSON.stringify(asset)}\n`).socket.write('0\r\n\r\n');
    return this;
  }
}

function uploadOf(tenant: number): Upload {
  const user = users[tenant];
  if (user === undefined) throw new Error(`There is no tenant ${tenant}`);
  return new Upload(user);
}

/** Two uploads for each of the first tenants, which take all slots. */
async function takeAllSlots(): Promise<Upload[]> {
  const uploads = Array.from({ length: UPLOAD_SLOTS.total }, (_, at) => uploadOf(at % TENANTS));
  await until('all slots are taken', async () => slots.active === UPLOAD_SLOTS.total);
  return uploads;
}

const answered = (uploads: readonly Upload[]) => uploads.filter(({ status }) => status !== null);

describe('slow uploads that take all slots', () => {
  it('slow uploads of other tenants are refused with 408, one for each tenant that waits, and its upload succeeds', async () => {
    const slow = await takeAllSlots();
    for (const upload of slow) void upload.sendEvery(20, 20);
    const waiting = [uploadOf(TENANTS), uploadOf(TENANTS + 1)];
    await until('two are refused', async () => answered(slow).length === 2);
    for (const upload of waiting) upload.finish();
    await until('both are answered', async () => answered(waiting).length === 2);
    expect(waiting.map(({ status }) => status)).toEqual([201, 201]);
    const refused = answered(slow);
    expect(refused.map(({ status }) => status)).toEqual([408, 408]);
    for (const { text } of refused) {
      expect(text).toContain('REQUEST_TIMEOUT');
      expect(text).toContain('fewer than 64 KiB per second');
    }
  });

  it('an upload to an unknown project is answered 404, and no other upload is refused for it', async () => {
    const slow = await takeAllSlots();
    for (const upload of slow) void upload.sendEvery(20, 20);
    const headers = { ...users[TENANTS]?.key, 'content-type': 'application/x-ndjson' };
    const path = '/projects/unknown/inventory';
    const answer = await server.call(path, { method: 'PUT', headers, body: '\n' });
    expect(answer.status).toBe(404);
    expect(answered(slow)).toEqual([]);
    expect(slots.active).toBe(UPLOAD_SLOTS.total);
  });

  it('the slowest upload is refused', async () => {
    const [slowest, ...others] = await takeAllSlots();
    void slowest?.sendEvery(20, 20);
    for (const upload of others) void upload.sendEvery(20, 512);
    await until('all paces are known', async () => (slowest?.bytesSent ?? 0) > 20 * 50);
    const waiting = uploadOf(TENANTS);
    await until('one is refused', async () => slowest?.status === 408);
    waiting.finish();
    await until('the waiting one is answered', async () => waiting.status !== null);
    expect(waiting.status).toBe(201);
    expect(answered(others)).toEqual([]);
  });

  it('one of two uploads of a tenant is refused with 408 below 1 MiB/s while a tenant without any waits', async () => {
    const slow = UPLOAD_SLOTS.slow;
    if (slow === undefined) throw new Error('No upload is slow');
    const second = new UploadSlots({
      ...UPLOAD_SLOTS,
      slow: { ...slow, afterMs: 100, windowMs: 300, checkMs: 20, bytesPerSecond: 0 },
    });
    Object.assign(server.services.inventories, { slots: second });
    const uploads = Array.from({ length: UPLOAD_SLOTS.total }, (_, at) => uploadOf(at % TENANTS));
    await until('all slots are taken', async () => second.active === UPLOAD_SLOTS.total);
    for (const upload of uploads) void upload.sendEvery(20, 512);
    const waiting = uploadOf(TENANTS);
    await until('one is refused', async () => answered(uploads).length > 0);
    waiting.finish();
    await until('the waiting one is answered', async () => waiting.status !== null);
    expect(waiting.status).toBe(201);
    const refused = answered(uploads);
    expect(refused.map(({ status }) => status)).toEqual([408]);
    expect(refused[0]?.text).toContain('Your tenant had two uploads and another tenant had none');
    Object.assign(server.services.inventories, { slots });
  });

  it('a long upload of a tenant is refused with 408 below 1 MiB/s while a tenant without any waits', async () => {
    const slow = UPLOAD_SLOTS.slow;
    if (slow === undefined) throw new Error('No upload is slow');
    const times = { afterMs: 100, windowMs: 300, checkMs: 20, longMs: 500 };
    const few = new UploadSlots({
      ...{ ...UPLOAD_SLOTS, total: TENANTS },
      slow: { ...slow, ...times, bytesPerSecond: 0 },
    });
    Object.assign(server.services.inventories, { slots: few });
    const uploads = Array.from({ length: TENANTS }, (_, tenant) => uploadOf(tenant));
    await until('all slots are taken', async () => few.active === TENANTS);
    const [slowest, ...others] = uploads;
    void slowest?.sendEvery(20, 512);
    for (const upload of others) void upload.sendEvery(20, 64 * 1024);
    const waiting = uploadOf(TENANTS).finish();
    await until('the waiting one is answered', async () => waiting.status !== null);
    expect(waiting.status).toBe(201);
    expect(uploads.map(({ status }) => status)).toEqual([408, null, null, null]);
    expect(slowest?.text).toContain('This one had taken more than 5 minutes');
    Object.assign(server.services.inventories, { slots });
  });

  it('a fast upload keeps its slot while other tenants wait', async () => {
    const fast = await takeAllSlots();
    for (const upload of fast) void upload.sendEvery(20, 64 * 1024);
    const haveSent = (mib: number) =>
      until(`each has sent ${mib} MiB`, async () =>
        fast.every(({ bytesSent }) => bytesSent > mib * 1024 ** 2),
      );
    await haveSent(2);
    const waiting = uploadOf(TENANTS).finish();
    await haveSent(6);
    expect(answered(fast)).toEqual([]);
    expect(waiting.status).toBeNull();
    fast[0]?.socket.destroy();
    await until('the waiting one is answered', async () => waiting.status !== null);
    expect(waiting.status).toBe(201);
  });
});

describe('slow uploads that take all packing processes', () => {
  const COMMENTS = `${'#'.repeat(1023)}\n`.repeat(64);

  /** Large uploads that are in a process each, and go on in lines of some bytes. */
  async function takeProcesses(tenants: readonly number[], bytes: number) {
    const packing = new PackingProcesses({ ...PACKING_LIMITS, processes: tenants.length });
    Object.assign(server.services.inventories, { packing });
    const uploads = tenants.map((tenant) => largeUploadOf(tenant));
    await until('all processes run', async () => packing.pids.length === tenants.length);
    for (const upload of uploads) void upload.sendEvery(20, bytes);
    return { uploads, packing };
  }

  function largeUploadOf(tenant: number): Upload {
    const upload = uploadOf(tenant);
    while (upload.bytesSent < 1.1 * LARGE_BYTES) upload.send(COMMENTS);
    return upload;
  }

  it('a slow upload is refused with 408 when a large one of another tenant needs its process', async () => {
    const { uploads, packing } = await takeProcesses([0, 0, 1, 1], 20);
    const before = packing.pids;
    const added = new Set<number>();
    // The pace of a client is known when the server has waited for it, not when the client has sent.
    await until('one is refused', async () => {
      const another = largeUploadOf(2).finish();
      await until('the new one is answered', async () => {
        expect(packing.pids.length).toBeLessThanOrEqual(4);
        for (const pid of packing.pids) if (!before.includes(pid)) added.add(pid);
        return another.status !== null;
      });
      expect(another.status).toBe(201);
      return answered(uploads).length > 0;
    });
    expect(added.size).toBe(1);
    expect(answered(uploads).map(({ status }) => status)).toEqual([408]);
  });

  it.each([
    ['it is fast', [0, 1], 64 * 1024],
    ['the other one is of the same tenant', [2], 20],
  ])(
    'a large upload keeps its process while another one needs one if %s',
    async (_, tenants, bytes) => {
      const { uploads, packing } = await takeProcesses(tenants, bytes);
      const before = packing.pids;
      const another = largeUploadOf(2).finish();
      await until('the new one is answered', async () => another.status !== null);
      expect(another.status).toBe(201);
      expect(packing.pids).toEqual(before);
      expect(answered(uploads)).toEqual([]);
    },
  );
});

/** Uploads of others are never slow, and nobody waits in vain. */
const patient = new UploadSlots({
  ...UPLOAD_SLOTS,
  total: 1,
  waitMs: 600_000,
  slow: {
    ...{ afterMs: 600_000, windowMs: 0, checkMs: 20 },
    bytesPerSecond: 0,
    secondBytesPerSecond: 0,
    longMs: 600_000,
  },
});

describe('an upload that waits for a slot', () => {
  afterEach(() => {
    Object.assign(server.services.inventories, { slots });
  });

  it.each([
    ['before it sends anything', () => undefined],
    ['after it has sent its body', (upload: Upload) => upload.finish()],
  ])('an upload whose client disconnects %s waits no longer', async (_, send) => {
    Object.assign(server.services.inventories, { slots: patient });
    const leave = await patient.enter('another tenant');
    const waiting = uploadOf(0);
    send(waiting);
    await until('it waits', async () => patient.waiting === 1);
    waiting.socket.destroy();
    await until('the end of its wait', async () => patient.waiting === 0);
    leave();
    expect(patient.active).toBe(0);
  });
});
