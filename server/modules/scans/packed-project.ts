/**
 * Columns of a project within a scan, in the order in which statements pack them: an array takes half the bytes of an
 * object.
 */
export const PROJECT_COLUMNS = [
  'name',
  'status',
  'assets',
  'evaluations',
  'error',
  'pass',
  'fail',
  'unknown',
  'critical',
  'high',
  'medium',
  'low',
  'info',
  'delta_new',
  'delta_resolved',
  'delta_reopened',
  'delta_unchanged',
  'chunks_done',
  'inventory_id',
] as const;

type Column = (typeof PROJECT_COLUMNS)[number];

/** Columns that are not numbers. */
interface OtherColumns {
  name: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  error: string | null;
  inventory_id: string | null;
}

/** A project within a scan. */
export type ScanProject = {
  readonly [C in Exclude<Column, keyof OtherColumns>]: number;
} & Readonly<OtherColumns>;

/** The values of PROJECT_COLUMNS in the same order. */
export type PackedProject = ValuesOf<typeof PROJECT_COLUMNS>;

type ValuesOf<Columns extends readonly Column[]> = {
  readonly [At in keyof Columns]: ScanProject[Columns[At]];
};

export function unpackProject(packed: PackedProject): ScanProject {
  const [
    name,
    status,
    assets,
    evaluations,
    error,
    pass,
    fail,
    unknown,
    critical,
    high,
    medium,
    low,
    info,
    delta_new,
    delta_resolved,
    delta_reopened,
    delta_unchanged,
    chunks_done,
    inventory_id,
  ] = packed;
  return {
    name,
    status,
    assets,
    evaluations,
    error,
    pass,
    fail,
    unknown,
    critical,
    high,
    medium,
    low,
    info,
    delta_new,
    delta_resolved,
    delta_reopened,
    delta_unchanged,
    chunks_done,
    inventory_id,
  };
}
