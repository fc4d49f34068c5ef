/** The output formats. The service's export has all of them except `table`. */
export const FORMATS = ['table', 'ndjson', 'csv', 'sarif', 'ocsf'] as const;

/**
 * A local scan can also write one JSON document with findings, counts and skipped assets; the comparison of a plan, a
 * comment for a pull request.
 */
export const SCAN_FORMATS = [...FORMATS, 'json', 'markdown'] as const;

export const PLAN_FORMATS: readonly string[] = ['table', 'sarif', 'markdown'];
