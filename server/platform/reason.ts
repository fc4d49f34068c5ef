/** The reason of an error for people. Node gives no message to a connection for which it tried several addresses. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return [...new Set(error.errors.map(reasonOf))].join('; ');
  }
  return 'code' in error ? String(error.code) : error.name;
}
