import type { contract } from '@cspm/contract';
import type { z } from 'zod';
import { ndjson } from './export-records.ts';
import type { UserOptions } from './people.ts';
import type { Call, Reply, TestServer } from './test-server.ts';
import { until } from './until.ts';

export type Scan = z.infer<(typeof contract.scans.get.responses)[200]>;
export type Finding = z.infer<(typeof contract.findings.list.responses)[200]>['items'][number];
export type RuleCount = z.infer<(typeof contract.scans.rules.responses)[200]>['items'][number];

/** The parts of a test server that a client can see. */
export type Reachable = Pick<TestServer, 'call'>;

const FINAL = new Set(['completed', 'partial', 'failed', 'cancelled']);

let projects = 0;

/** A user of the API: projects, inventories, scans, findings. */
export class Analyst {
  readonly #server: Reachable;
  /** Headers that carry the credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tenantId: string;

  constructor(server: Reachable, headers: Readonly<Record<string, string>>, tenantId: string) {
    this.#server = server;
    this.headers = headers;
    this.tenantId = tenantId;
  }

  /** Creates a tenant unless one is given. */
  static async at(server: TestServer, options: UserOptions = {}): Promise<Analyst> {
    const user = await server.people.user(options);
    return new Analyst(server, user.key, user.tenant.id);
  }

  call(path: string, call: Call = {}): Promise<Reply> {
    return this.#server.call(path, { ...call, headers: { ...this.headers, ...call.headers } });
  }

  /**
   * The JSON of the response.
   * @throws {Error} with the response if its status is not the expected one.
   */
  async ask(status: number, path: string, call?: Call) {
    const reply = await this.call(path, call);
    if (reply.status !== status) {
      throw new Error(`${call?.method ?? 'GET'} ${path}: ${reply.status} ${reply.text}`);
    }
    return reply.json;
  }

  /** Creates a project and returns its name. */
  async project(records?: readonly unknown[]): Promise<string> {
    projects += 1;
    const name = `project-${projects}`;
    await this.ask(201, '/projects', { method: 'POST', body: { name } });
    if (records !== undefined) await this.upload(name, records);
    return name;
  }

  /** Uploads an inventory and activates it. */
  async upload(project: string, records: readonly unknown[]) {
    const reply = await this.send(project, ndjson(records));
    if (reply.status !== 201) throw new Error(`upload: ${reply.status} ${reply.text}`);
    return reply.json;
  }

  /** Uploads an inventory and returns the response with any status. */
  send(
    project: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return this.call(`/projects/${project}/inventory`, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/x-ndjson', ...headers },
    });
  }

  /** @returns the id of the scan. */
  async launch(projectNames: string | readonly string[], profile = 'full'): Promise<string> {
    const body = { projects: [projectNames].flat(), profile };
    return (await this.ask(202, '/scans', { method: 'POST', body })).id;
  }

  seen(scanId: string): Promise<Scan> {
    return this.ask(200, `/scans/${scanId}`);
  }

  /** Waits until the scan has ended. */
  finished(scanId: string, withinMs?: number): Promise<Scan> {
    return until(
      `the end of scan ${scanId}`,
      async () => {
        const scan = await this.seen(scanId);
        return FINAL.has(scan.status) && scan;
      },
      withinMs,
    );
  }

  /** Starts a scan and waits until it has ended. */
  async scan(projectNames: string | readonly string[], profile = 'full'): Promise<Scan> {
    return this.finished(await this.launch(projectNames, profile));
  }

  /** Every finding that matches the filter, from all pages. */
  async findings(filter = '', limit = 100): Promise<Finding[]> {
    const found: Finding[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: Finding[]; nextCursor: string | null } = await this.ask(
        200,
        `/findings?limit=${limit}${filter === '' ? '' : `&${filter}`}${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  }

  async ruleCounts(scanId: string): Promise<RuleCount[]> {
    return (await this.ask(200, `/scans/${scanId}/rules`)).items;
  }

  async ruleCount(scanId: string, ruleId: string): Promise<RuleCount | undefined> {
    return (await this.ruleCounts(scanId)).find((count) => count.ruleId === ruleId);
  }
}
