export type { Stream } from './as-stream.ts';
export type { Call, WithResponse } from './call.ts';
export type * from './client.gen.ts';
export { createClient } from './client.ts';
export {
  AbortError,
  ApiError,
  type Attempt,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  FeatureNotLicensedError,
  ForbiddenError,
  IdempotencyError,
  type LocalCode,
  MfaRequiredError,
  NotFoundError,
  PreflightBlockedError,
  type ProblemCode,
  RateLimitError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts';
export type { ServerEvent } from './event-stream.ts';
export type { InventoryChunk, InventorySource } from './inventory.ts';
export type * from './models.gen.ts';
export type { CallLike, CspmLike, Permission, ProblemOf, ScanStatus } from './names.ts';
export type {
  CallOptions,
  ClientOptions,
  CredentialOptions,
  DerivedOptions,
  Hooks,
  KeyedCallOptions,
  Logger,
  NoInput,
  OneOrMany,
  Refresh,
  RequestEvent,
  ResponseEvent,
  RetryOptions,
  SessionOptions,
  SessionSource,
  SessionTokens,
  SuppliedCredential,
} from './options.ts';
export type { ListCall, Page } from './page.ts';
export type { RateLimit } from './rate-limit.ts';
export type { WaitForScan, WaitOptions } from './wait-for-scan.ts';
