import { ApiError, ConnectionError, RateLimitError, TimeoutError } from '@cspm/sdk';

const NONE: ReadonlySet<string> = new Set();

/**
 * One or two sentences about a failed call, for a person. Includes the server's explanation and the correlation id.
 * @param shown the names of the fields that show their own faults, which the text leaves out.
 */
export function errorText(error: unknown, shown: ReadonlySet<string> = NONE): string {
  if (error instanceof ConnectionError)
    return 'The server cannot be reached. Check your connection and try again.';
  if (error instanceof RateLimitError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
    return `Too many requests. Try again in ${Math.max(1, seconds)} s.`;
  }
  if (!(error instanceof ApiError)) return 'Something failed in the console. Reload the page.';
  if (error.code === 'NOT_FOUND') return 'This does not exist. It may have been deleted.';
  const { problem, correlationId } = error;
  const isLate = error instanceof TimeoutError;
  // An answer without a problem is that of a proxy, or of the page for signing in to a network.
  if (isLate || (problem === undefined && error.status !== undefined)) {
    const what = isLate
      ? 'The server did not answer in time'
      : `A proxy answered, not the server (HTTP ${error.status})`;
    return `${what}. ${error.method === 'GET' ? 'Try again.' : 'The change may have been made; reload to see.'}`;
  }
  const faults = problem?.errors
    ?.filter(({ path }) => !shown.has(fieldOf(path)))
    .map(({ path, message }) => (path === '' ? message : `${fieldOf(path)}: ${message}`));
  if (faults?.length === 0 && shown.size > 0) return 'Correct the marked fields.';
  const text = faults?.join('. ') ?? problem?.detail ?? error.message;
  const isFault = (error.status ?? 500) >= 500;
  return isFault && correlationId !== undefined ? `${text} Correlation id: ${correlationId}` : text;
}

/**
 * The faults of a VALIDATION_FAILED by field, for `<Form errors>`. Paths of the body begin with `body.`.
 */
export function fieldErrors(error: unknown): Record<string, string> {
  const faults = error instanceof ApiError ? (error.problem?.errors ?? []) : [];
  const byField: Record<string, string> = {};
  for (const { path, message } of faults) {
    const field = fieldOf(path);
    const before = Object.hasOwn(byField, field) ? `${byField[field]}; ` : '';
    byField[field] = before + message;
  }
  return byField;
}

function fieldOf(path: string): string {
  return path.replace(/^(body|query|path)\./, '');
}
