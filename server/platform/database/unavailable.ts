/**
 * Whether an error means that the database is unreachable or overloaded, as opposed to a defect: the request is then
 * answered with 503 and may be repeated. There is no single code for it: SQLSTATE classes 08, 28, 53 and 57P, errors with
 * which Postgres refuses or ends a connection, plain errors of the pool, socket errors, and Prisma's wrappers of all of
 * these.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let depth = 0, at = error; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    if (hasUnavailableCode(at) || UNAVAILABLE_MESSAGES.test(at.message)) return true;
    if (at instanceof AggregateError && at.errors.some(isDatabaseUnavailable)) return true;
  }
  return false;
}

/**
 * Whether the database is unavailable to everybody, so that work on other items would fail too. A statement that took too
 * long, or that was refused for its tenant, may be a matter of its item alone.
 */
export function isOutage(error: unknown): boolean {
  const isOfOneItem = /^(57014|25P03)$/.test(sqlStateOf(error)) || isTenantRefused(error);
  return isDatabaseUnavailable(error) && !isOfOneItem;
}

/**
 * Whether cells.guard refused to write rows of a tenant that is being deleted or moved. Postgres itself uses its SQLSTATE
 * only to end a connection.
 */
export function isTenantRefused(error: unknown): boolean {
  for (let depth = 0, at = error; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    if (codeOf(at) === GUARD || originalState(at) === GUARD) return !hasEndedSession(at);
  }
  return false;
}

/**
 * Whether Postgres lacked disk space or memory for a statement. The connection stays usable and must be kept: Postgres may
 * refuse a new one for the same reason.
 */
export function isStatementOutOfResources(error: unknown): boolean {
  return error instanceof Error && /^53[12]00$/.test(sqlStateOf(error)) && !hasEndedSession(error);
}

/** Whether Postgres canceled a statement because it took too long: at its time limit, or by an operator. */
export function isStatementCanceled(error: unknown): boolean {
  return sqlStateOf(error) === '57014';
}

/** Whether Postgres rolled back a transaction because it conflicted with another one: by a deadlock, or in its snapshot. */
export function isConflict(error: unknown): boolean {
  return /^(40001|40P01)$/.test(sqlStateOf(error));
}

/** cannot_connect_now: a request that it refuses may be repeated, as during an outage. */
const GUARD = '57P03';

const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Can't reach database server|Cannot use a pool after calling end|the database system is (starting up|shutting down)|Query read timeout/i;

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * Prisma: server not reachable, timed out, unknown database, connection closed, pool timeout, transaction start
 * timeout.
 */
const PRISMA_CODES = new Set([
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
]);

/** The SQLSTATE of an error, also of one that Prisma wrapped; empty: none. */
export function sqlStateOf(error: unknown): string {
  for (let depth = 0, at = error; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    // Prisma's own codes, such as P2010, have the form of a SQLSTATE.
    for (const state of [originalState(at), codeOf(at)]) {
      if (/^[0-9A-Z]{5}$/.test(state)) return state;
    }
  }
  return '';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function hasUnavailableCode(error: Error): boolean {
  const code = codeOf(error);
  if (SOCKET_CODES.has(code) || PRISMA_CODES.has(code) || hasEndedSession(error)) return true;
  return isUnavailableState(code) || isUnavailableState(originalState(error));
}

/**
 * Connection exceptions, refused authentication (the password was changed), insufficient resources, operator
 * intervention (57014: our own statement_timeout), a server that accepts no writes because another one has become the
 * primary (25006).
 */
function isUnavailableState(state: string): boolean {
  return /^(08...|28...|53...|57P..|57014|3D000|25P03|25006)$/.test(state);
}

/**
 * Postgres refuses or ends a connection with FATAL, with any SQLSTATE: on a full disk with XX000, because it cannot write
 * its cache of the catalog.
 */
function hasEndedSession(error: Error): boolean {
  const severity = 'severity' in error ? error.severity : originalCause(error)?.['severity'];
  return typeof severity === 'string' && ENDING_SEVERITIES.has(severity);
}

/**
 * FATAL and PANIC in the languages of `lc_messages`. Postgres sends the severity untranslated as well, but node-postgres
 * drops that field.
 */
const ENDING_SEVERITIES = new Set([
  ...['FATAL', 'FATALE', 'FATALT', 'ВАЖНО', 'ФАТАЛЬНО', 'ფატალური', '치명적오류', '致命错误'],
  ...['PANIC', 'PANIK', 'PANICO', 'ПАНИКА', 'ПАНІКА', 'პანიკა', '손상', '比致命错误还过分的错误'],
]);

function originalState(error: Error): string {
  const cause = originalCause(error);
  const code = cause?.['originalCode'] ?? cause?.['code'];
  return typeof code === 'string' ? code : '';
}

/** Prisma's driver adapter keeps the error of Postgres in `meta.driverAdapterError.cause`. */
function originalCause(error: Error): Record<string, unknown> | undefined {
  const meta = 'meta' in error ? error.meta : undefined;
  const wrapped = isRecord(meta) ? meta['driverAdapterError'] : undefined;
  const cause = wrapped instanceof Error ? wrapped.cause : error.cause;
  return isRecord(cause) ? cause : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
