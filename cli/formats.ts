/** How findings are written; all but `table` are those of the service's export. */
export const FORMATS = ['table', 'ndjson', 'csv', 'sarif', 'ocsf'] as const;
