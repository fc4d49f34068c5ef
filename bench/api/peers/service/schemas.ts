// The zod schemas of requests and responses: the parts of our contract that the requests of the race use.
import { z } from 'zod';

export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,200}$/)
  .optional();

export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  cursor,
});

export const severity = z.enum(['critical', 'high', 'medium', 'low', 'info']);

export const projectName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/);

export const NewProject = z.strictObject({
  name: projectName,
  description: z
    .string()
    .min(1)
    .max(500)
    .regex(/^[^\0\p{Cs}]*$/u)
    .optional(),
});

export const Project = z.object({
  id: z.uuid(),
  name: projectName,
  description: z.string().nullable(),
  inventory: z.null(),
  hasSource: z.literal(false),
  createdAt: z.iso.datetime(),
});

const Scan = z.object({
  id: z.uuid(),
  status: z.enum(['queued', 'running', 'completed', 'partial', 'failed', 'cancelled']),
  profile: z.string(),
  profileDigest: z.string(),
  projects: z.array(
    z.object({
      name: projectName,
      status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
      assets: z.int(),
      evaluations: z.int(),
      findings: z.int(),
      error: z.string().nullable(),
      inventoryId: z.uuid().nullable(),
    }),
  ),
  totals: z.object({
    assets: z.int(),
    evaluations: z.int(),
    pass: z.int(),
    fail: z.int(),
    unknown: z.int(),
    bySeverity: z.object({
      critical: z.int(),
      high: z.int(),
      medium: z.int(),
      low: z.int(),
      info: z.int(),
    }),
  }),
  delta: z.object({ new: z.int(), resolved: z.int(), reopened: z.int(), unchanged: z.int() }),
  coverage: z
    .object({ rules: z.int(), decided: z.int(), undecided: z.int(), unmet: z.int() })
    .nullable(),
  createdBy: z.object({ kind: z.string(), id: z.uuid().nullable(), label: z.string() }),
  scheduleId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});

export const ScanPage = z.object({ items: z.array(Scan), nextCursor: z.string().nullable() });

export type ListQuery = z.output<typeof ListQuery>;
export type NewProject = z.output<typeof NewProject>;
export type Project = z.output<typeof Project>;
export type Scan = z.output<typeof Scan>;
export type ScanPage = z.output<typeof ScanPage>;
