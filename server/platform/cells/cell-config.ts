import { z } from 'zod';
import { faultOfHosts } from '../database/hosts.ts';

/** A database that holds the rows of some tenants. Identities stay in the directory database. */
export interface Cell {
  readonly name: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
  readonly workerUrl: string;
}

/** The name of the directory database as a cell: the one of DATABASE_URL, where tenants are by default. */
export const HOME = 'home';

const url = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
  .regex(/^postgres(ql)?:\/\/\S+$/, { message: 'must be a postgres:// URL', abort: true })
  .superRefine((value, context) => {
    const message = faultOfHosts(value, 'primary');
    if (message !== null) context.addIssue({ code: 'custom', message });
  });
const NAME = /^[a-z][a-z0-9-]{0,30}$/;

const CELLS = z.record(
  z.string().regex(NAME, 'must be lower-case letters, digits and hyphens, and begin with a letter'),
  z.strictObject({ url, appUrl: url.optional(), workerUrl: url.optional() }),
);

/** DATABASE_CELLS: a JSON object of `{ url, appUrl, workerUrl }` by the name of the cell. */
export const databaseCells = z.string().transform((text, context): readonly Cell[] => {
  const given = jsonIn(text);
  const parsed = CELLS.safeParse(given);
  if (!parsed.success) {
    // Never the value, which holds passwords.
    const fault = given === undefined ? 'it is not valid JSON' : firstFault(parsed.error);
    const message = `must be a JSON object of cells, for example {"eu-2": {"url": "postgres://…", "appUrl": "postgres://…", "workerUrl": "postgres://…"}}; ${fault}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  if (Object.hasOwn(parsed.data, HOME)) {
    context.addIssue({
      code: 'custom',
      message: `must not contain ${HOME}, which is the database of DATABASE_URL`,
    });
    return z.NEVER;
  }
  return Object.entries(parsed.data).map(([name, { url: ownerUrl, appUrl, workerUrl }]) => ({
    name,
    ownerUrl,
    appUrl: appUrl ?? ownerUrl,
    workerUrl: workerUrl ?? appUrl ?? ownerUrl,
  }));
});

/** Undefined for text that is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstFault({ issues: [first] }: z.ZodError): string {
  if (first === undefined || first.path.length === 0) return 'it is not an object';
  const { message } = first.code === 'invalid_key' ? (first.issues[0] ?? first) : first;
  return `${first.path.join('.')}: ${message}`;
}
