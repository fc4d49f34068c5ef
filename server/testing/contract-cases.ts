import { type Contract, contract, type Route, type Routes } from '@cspm/contract';
import { newId } from '../ids.ts';
import { Belongings } from './belongings.ts';
import type { TestUser } from './people.ts';
import type { TestServer } from './test-server.ts';

/** Somebody with things of their own; what an example asks for is made when it is asked for. */
export interface Owner {
  readonly user: TestUser;
  readonly server: TestServer;
  readonly has: Belongings;
}

export function ownerOf(server: TestServer, user: TestUser): Owner {
  return { user, server, has: new Belongings(server.services, server.database, user.tenant) };
}

/** What names a thing of a tenant elsewhere than in the path. */
export interface Mention {
  readonly query?: string;
  readonly body?: unknown;
  /** The words to look away from when two answers are compared. */
  readonly named: string;
}

/** Input that an operation accepts: the one thing that cannot be derived from its policy. */
interface Example {
  /** Path parameters that name something which is there. */
  readonly params?: (owner: Owner) => Promise<Record<string, string>>;
  /** Whether those things belong to a tenant. */
  readonly owned?: boolean;
  readonly body?: (owner: Owner) => Promise<unknown>;
  readonly contentType?: string;
  /** Every other way of naming things of a tenant; `null` asks for a name that nothing has. */
  readonly mentions?: readonly ((owner: Owner | null) => Promise<Mention>)[];
}

type Examples = {
  readonly [K in keyof Contract]: { readonly [O in keyof Contract[K]]: Example };
};

const byProject = async ({ has }: Owner) => ({ name: (await has.project()).name });
const byScan = async ({ has }: Owner) => ({ id: await has.scan() });
const nameOf = async (owner: Owner | null) =>
  owner === null ? `unknown-${newId()}` : (await owner.has.project()).name;
const ASSET = `{"name":"//storage.googleapis.com/b","asset_type":"storage.googleapis.com/Bucket","resource":{"version":"v1","data":{"name":"b"}}}\n`;

const scanRequest = {
  body: async ({ has }: Owner) => ({ projects: [(await has.project()).name], profile: 'full' }),
  mentions: [
    async (owner: Owner | null) => {
      const named = await nameOf(owner);
      return { body: { projects: [named], profile: 'full' }, named };
    },
  ],
};

const byQuery = (parameter: string, idOf: (owner: Owner) => Promise<string>) =>
  async function mention(owner: Owner | null): Promise<Mention> {
    const named = owner === null ? newId() : await idOf(owner);
    return { query: `${parameter}=${named}`, named };
  };

const byProjectQuery = async (owner: Owner | null): Promise<Mention> => {
  const named = await nameOf(owner);
  return { query: `project=${named}`, named };
};

const EXAMPLES: Examples = {
  auth: {
    login: { body: async ({ user }) => ({ email: user.email, password: user.password }) },
    refresh: {
      body: async ({ user, server }) => ({
        refreshToken: (await server.people.session(user)).refreshToken,
      }),
    },
    logout: {
      body: async ({ user, server }) => ({
        refreshToken: (await server.people.session(user)).refreshToken,
      }),
    },
    me: {},
  },
  apiKeys: {
    list: { mentions: [byQuery('userId', async ({ user }) => user.id)] },
    create: { body: async () => ({ name: 'nightly' }) },
    revoke: {
      params: async ({ user, server }) => ({ id: (await server.people.key(user)).id }),
      owned: true,
    },
  },
  projects: {
    list: {},
    create: { body: async () => ({ name: `new-${newId()}` }) },
    get: { params: byProject, owned: true },
    delete: { params: byProject, owned: true },
    uploadInventory: {
      params: byProject,
      owned: true,
      body: async () => ASSET,
      contentType: 'application/x-ndjson',
    },
  },
  preflight: { run: scanRequest },
  scans: {
    list: { mentions: [byQuery('ids', ({ has }) => has.scan()), byProjectQuery] },
    launch: scanRequest,
    get: { params: byScan, owned: true },
    rules: { params: byScan, owned: true },
  },
  findings: {
    list: { mentions: [byQuery('scan', ({ has }) => has.scan()), byProjectQuery] },
    get: { params: async ({ has }) => ({ id: await has.finding() }), owned: true },
  },
  rules: {
    list: {},
    get: { params: async () => ({ id: 'bucket-public' }) },
  },
  profiles: { list: {} },
  meta: {
    live: {},
    ready: {},
    openapi: {},
    docs: {},
    docsScript: {},
    docsStyle: {},
    problem: { params: async () => ({ code: 'not-found' }) },
  },
};

/** An operation, with what it takes to ask for it. */
export interface ContractCase {
  /** `scans.launch` */
  readonly name: string;
  readonly route: Route;
  readonly example: Example;
  readonly parameters: readonly string[];
}

/**
 * Every operation of the contract, in its order. What is expected of each is derived from its policy.
 * @throws {Error} naming the operation whose example is missing or does not reach its path or body.
 */
export function contractCases(
  routesByResource: Record<string, Routes> = contract,
  examples: Record<string, Record<string, Example>> = EXAMPLES,
): ContractCase[] {
  return Object.entries(routesByResource).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([operation, route]) => {
      const name = `${resource}.${operation}`;
      const example = examples[resource]?.[operation];
      if (example === undefined) throw new Error(`${name} has no example in contract-cases.ts`);
      const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => `${parameter}`);
      if (parameters.length > 0 && example.params === undefined) {
        throw new Error(`The example of ${name} names no ${parameters.join(', ')}`);
      }
      if (route.metadata.body !== 'none' && example.body === undefined) {
        throw new Error(`The example of ${name} has no body`);
      }
      return { name, route, example, parameters };
    }),
  );
}

/** The path of an operation, with its parameters filled in. */
export function pathOf({ route }: ContractCase, params: Record<string, string> = {}): string {
  return route.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(params[name] ?? 'none'),
  );
}

/** Parameters of the same form, naming nothing that exists. */
export function unknownParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      /^[0-9a-f]{8}-/.test(value) ? newId() : `unknown-${newId()}`,
    ]),
  );
}
