import { ApiError, ConnectionError, RateLimitError } from '@cspm/sdk';

/** One or two sentences about a failed call, for a person. Includes the server's explanation and the correlation id. */
export function errorText(error: unknown): string {
  if (error instanceof ConnectionError)
    return 'The server cannot be reached. Check your connection and try again.';
  if (error instanceof RateLimitError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
    return `Too many requests. Try again in ${Math.max(1, seconds)} s.`;
  }
  if (!(error instanceof ApiError)) return 'Something failed in the console. Reload the page.';
  const { problem, correlationId } = error;
  const faults = problem?.errors?.map(({ path, message }) =>
    path === '' ? message : `${fieldOf(path)}: ${message}`,
  );
  const text = faults?.join('. ') ?? problem?.detail ?? error.message;
  const isFault = (error.status ?? 500) >= 500;
  return isFault && correlationId !== undefined ? `${text} Correlation id: ${correlationId}` : text;
}

/**
 * The faults of a VALIDATION_FAILED by field, for `<Form errors>`. Paths of the body begin with `body.`.
 */
export function fieldErrors(error: unknown): Record<string, string> {
  const faults = error instanceof ApiError ? (error.problem?.errors ?? []) : [];
  return Object.fromEntries(faults.map(({ path, message }) => [fieldOf(path), message]));
}

function fieldOf(path: string): string {
  return path.replace(/^(body|query|path)\./, '');
}
