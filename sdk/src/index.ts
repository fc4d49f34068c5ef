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
  RateLimitError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts';
export type { ServerEvent } from './event-stream.ts';
export type { InventoryChunk, InventorySource } from './inventory.ts';
export type {
  CallOptions,
  ClientOptions,
  CredentialOptions,
  Hooks,
  KeyedCallOptions,
  NoInput,
  OneOrMany,
  RequestEvent,
  ResponseEvent,
  RetryOptions,
  SessionOptions,
  SessionTokens,
} from './options.ts';
export type { ListCall, Page } from './page.ts';
export type { RateLimit } from './rate-limit.ts';
export type { WaitForScan, WaitOptions } from './wait.ts';
