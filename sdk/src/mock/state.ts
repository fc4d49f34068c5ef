import type { MockJson, MockOperation } from './document.ts';
import { Problem } from './problem.ts';
import type { Answer } from './repetitions.ts';

type Row = { readonly [name: string]: MockJson };

interface Query {
  readonly [name: string]: unknown;
}

export interface Asked {
  readonly operation: MockOperation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Row;
}

const FINDINGS = 60;
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
/** The time a scan is queued, as a share of its duration. */
const QUEUED_SHARE = 0.2;

interface Launched {
  readonly row: Row;
  readonly launchedAt: number;
  cancelledAt: number | null;
}

/**
 * Keeps projects, scans and findings in memory: projects can be created and deleted, scans are queued, run and end, and the
 * findings fill several pages. All other operations return the examples of the document.
 */
export class State {
  readonly #now: () => number;
  readonly #scanMs: number;
  readonly #projects: Row[] = [];
  readonly #scans: Launched[] = [];
  readonly #findings: readonly Row[];
  readonly #exampleOf: (operationId: string) => Row;

  constructor(options: {
    readonly exampleOf: (operationId: string) => MockJson;
    readonly scanSeconds: number;
    readonly now: () => number;
  }) {
    this.#now = options.now;
    this.#scanMs = options.scanSeconds * 1000;
    this.#exampleOf = (operationId) => rowOf(options.exampleOf(operationId));
    this.#projects.push(this.#projectNamed('shop-prod', null));
    const finding = this.#exampleOf('findingsGet');
    this.#findings = Array.from({ length: FINDINGS }, (_, at) => ({
      ...finding,
      id: numbered(at),
      fingerprint: at.toString(16).padStart(64, '0'),
      severity: SEVERITIES[at % SEVERITIES.length] ?? 'info',
      project: 'shop-prod',
      asset: {
        ...rowOf(finding['asset'] ?? {}),
        name: `//storage.googleapis.com/shop-bucket-${at}`,
      },
      muted: null,
    }));
  }

  /** @returns null for an operation without state; the caller then returns its example */
  answer(asked: Asked): Answer | null {
    return this.#handlers[asked.operation.id]?.(asked) ?? null;
  }

  /** The current state of a scan. @throws {Problem} NOT_FOUND */
  scan(id: string): Row {
    const launched = this.#scans.find(({ row }) => row['id'] === id);
    if (launched === undefined) throw notFound();
    return this.#scanNow(launched);
  }

  readonly #handlers: Readonly<Record<string, (asked: Asked) => Answer>> = {
    projectsList: ({ query }) => ok(page(this.#projects.toReversed(), query)),
    projectsGet: ({ params }) => ok(this.#project(params['name'])),
    projectsCreate: ({ body }) => {
      const name = String(body['name']);
      if (this.#projects.some((project) => project['name'] === name)) {
        throw new Problem('CONFLICT', `There is already a project named "${name}".`);
      }
      const made = { ...this.#projectNamed(name, body['description'] ?? null), inventory: null };
      this.#projects.push(made);
      return { status: 201, body: made };
    },
    projectsUpdate: ({ params, body }) => {
      const project = this.#project(params['name']);
      const changed = { ...project, ...body };
      this.#projects[this.#projects.indexOf(project)] = changed;
      return ok(changed);
    },
    projectsDelete: ({ params }) => {
      this.#projects.splice(this.#projects.indexOf(this.#project(params['name'])), 1);
      return { status: 204, body: undefined };
    },
    projectsUploadInventory: ({ params }) => {
      const project = this.#project(params['name']);
      const inventory = {
        ...this.#exampleOf('projectsUploadInventory'),
        id: crypto.randomUUID(),
        createdAt: this.#time(),
      };
      const { id, assets, createdAt } = rowOf(inventory);
      const inForce = { id: id ?? null, assets: assets ?? 0, createdAt: createdAt ?? null };
      this.#projects[this.#projects.indexOf(project)] = { ...project, inventory: inForce };
      return { status: 201, body: inventory };
    },
    scansLaunch: ({ body }) => {
      const names = Array.isArray(body['projects']) ? [...new Set(body['projects'])] : [];
      const blocked = names.flatMap((name) => this.#blockerOf(String(name)));
      if (blocked.length > 0) {
        throw new Problem('PREFLIGHT_BLOCKED', 'Preflight blocked the scan.', {
          members: { checks: blocked },
        });
      }
      const row: Row = {
        ...this.#exampleOf('scansGet'),
        id: crypto.randomUUID(),
        profile: body['profile'] ?? 'full',
        projects: names.map((name) => ({
          name,
          status: 'queued',
          assets: 0,
          evaluations: 0,
          findings: 0,
          error: null,
          // Shown from the start of the scan.
          inventoryId: rowOf(this.#project(String(name))['inventory'] ?? {})['id'] ?? null,
        })),
        createdAt: this.#time(),
      };
      this.#scans.push({ row, launchedAt: this.#now(), cancelledAt: null });
      const location = { Location: `/scans/${row['id']}` };
      return { status: 202, body: this.scan(String(row['id'])), headers: location };
    },
    scansList: ({ query }) => {
      const rows = this.#scans.toReversed().map((launched) => this.#scanNow(launched));
      const kept = rows.filter(
        (row) =>
          matches(query['ids'], row['id']) &&
          matches(query['status'], row['status']) &&
          (query['project'] === undefined ||
            projectsOf(row).some((project) => matches(query['project'], project['name']))),
      );
      return ok(page(kept, query));
    },
    scansGet: ({ params }) => ok(this.scan(params['id'] ?? '')),
    scansRules: ({ params, operation }) => {
      this.scan(params['id'] ?? '');
      return ok(this.#exampleOf(operation.id));
    },
    scansCompliance: ({ params, operation }) => {
      this.scan(params['id'] ?? '');
      return ok({ ...this.#exampleOf(operation.id), scan: params['id'] ?? '' });
    },
    scansCancel: ({ params }) => {
      const id = params['id'] ?? '';
      const launched = this.#scans.find(({ row }) => row['id'] === id);
      if (launched === undefined) throw notFound();
      if (!isOver(this.#scanNow(launched))) launched.cancelledAt = this.#now();
      return { status: 202, body: this.#scanNow(launched) };
    },
    findingsList: ({ query }) => ok(page(this.#chosen(query), query)),
    findingsGet: ({ params }) => {
      const found = this.#findings.find((finding) => finding['id'] === params['id']);
      if (found === undefined) throw notFound();
      return ok(found);
    },
  };

  #chosen(query: Query): Row[] {
    return this.#findings.filter(
      (finding) =>
        matches(query['project'], finding['project']) &&
        matches(query['severity'], finding['severity']) &&
        matches(query['status'], finding['status']) &&
        matches(query['rule'], finding['ruleId']) &&
        query['muted'] !== true,
    );
  }

  #project(name: string | undefined): Row {
    const found = this.#projects.find((project) => project['name'] === name);
    if (found === undefined) throw notFound();
    return found;
  }

  #projectNamed(name: string, description: MockJson): Row {
    const example = this.#exampleOf('projectsGet');
    return { ...example, id: crypto.randomUUID(), name, description, createdAt: this.#time() };
  }

  #blockerOf(name: string): Row[] {
    const project = this.#projects.find((one) => one['name'] === name);
    const check = { project: name, status: 'fail' };
    if (project === undefined) {
      return [
        {
          ...check,
          id: 'project.known',
          code: 'PROJECT_UNKNOWN',
          message: `There is no project named "${name}".`,
          remediation: 'Create it with POST /projects, or choose one from GET /projects.',
        },
      ];
    }
    if (project['inventory'] !== null) return [];
    return [
      {
        ...check,
        id: 'source.attached',
        code: 'INVENTORY_MISSING',
        message: `Project ${name} has no inventory.`,
        remediation: `Upload a Cloud Asset Inventory export with PUT /projects/${name}/inventory.`,
      },
    ];
  }

  #scanNow({ row, launchedAt, cancelledAt }: Launched): Row {
    const share = Math.min(1, (this.#now() - launchedAt) / this.#scanMs);
    const status = statusAt(share, cancelledAt !== null);
    const done = status === 'completed' ? 1 : Math.max(0, share - QUEUED_SHARE);
    const over = status === 'completed' || status === 'cancelled';
    const endedAt = cancelledAt ?? launchedAt + this.#scanMs;
    const totals = scaled(row['totals'] ?? {}, done);
    const { assets, evaluations, fail } = rowOf(totals);
    return {
      ...row,
      status,
      projects: projectsOf(row).map((project) => ({
        ...project,
        status,
        assets: assets ?? 0,
        evaluations: evaluations ?? 0,
        findings: fail ?? 0,
        inventoryId: status === 'queued' ? null : (project['inventoryId'] ?? null),
      })),
      totals,
      delta: scaled(row['delta'] ?? {}, done),
      coverage: over ? (row['coverage'] ?? null) : null,
      startedAt:
        status === 'queued'
          ? null
          : new Date(launchedAt + this.#scanMs * QUEUED_SHARE).toISOString(),
      finishedAt: over ? new Date(endedAt).toISOString() : null,
    };
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

export function isOver(scan: Row): boolean {
  return scan['status'] !== 'queued' && scan['status'] !== 'running';
}

function statusAt(share: number, cancelled: boolean): string {
  if (cancelled) return 'cancelled';
  if (share >= 1) return 'completed';
  return share < QUEUED_SHARE ? 'queued' : 'running';
}

/** Multiplies every number in a value by a share. */
function scaled(value: MockJson, share: number): MockJson {
  if (typeof value === 'number') return Math.floor(value * share);
  const entries = Object.entries(rowOf(value));
  return Object.fromEntries(entries.map(([name, member]) => [name, scaled(member, share)]));
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function notFound(): Problem {
  return new Problem('NOT_FOUND', 'Not found.');
}

function page(rows: readonly Row[], query: Query): Row {
  const limit = Number(query['limit'] ?? 25);
  const start = query['cursor'] === undefined ? 0 : positionIn(String(query['cursor']));
  const end = start + limit;
  return {
    items: rows.slice(start, end),
    nextCursor: end < rows.length ? btoa(`${end}`).replace(/=+$/, '') : null,
  };
}

function positionIn(cursor: string): number {
  const position = /^[\w+/=]+$/.test(cursor) ? Number(decodeCursor(cursor)) : Number.NaN;
  if (Number.isInteger(position) && position >= 0) return position;
  const errors = [{ path: 'query.cursor', message: 'is not a cursor of this API' }];
  throw new Problem('VALIDATION_FAILED', 'The request does not match the contract.', {
    members: { errors },
  });
}

function decodeCursor(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return 'none';
  }
}

/** Without a filter, every value matches. */
function matches(filter: unknown, value: unknown): boolean {
  return !Array.isArray(filter) || filter.includes(value);
}

function projectsOf(scan: Row): Row[] {
  const projects: MockJson = scan['projects'] ?? [];
  return Array.isArray(projects) ? projects.map(rowOf) : [];
}

function rowOf(value: MockJson): Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};
}

function numbered(at: number): string {
  return `0199c2a4-0000-7000-8000-1${at.toString(16).padStart(11, '0')}`;
}
