/**
 * Pulls the inventory of a project, folder or organization from Cloud Asset Inventory, page by page and in constant
 * memory. Begin with `GoogleCloud`.
 */

export type { Check, CheckReport } from './check.ts';
export type { Clock } from './clock.ts';
export {
  type GoogleCredential,
  parseParent,
  parseServiceAccountEmail,
  parseServiceAccountKey,
  type ServiceAccountKey,
} from './credential.ts';
export { type EndpointSettings, type GoogleEndpoints, googleEndpoints } from './endpoints.ts';
export { GoogleCloud, type GoogleCloudOptions, type PullOptions } from './google-cloud.ts';
export {
  GOOGLE_CLOUD_ERROR_CODES,
  GoogleCloudError,
  type GoogleCloudErrorCode,
} from './google-cloud-error.ts';
export { Pacer } from './pacer.ts';
export {
  isComplete,
  type MissingPermission,
  type PulledPage,
  type PullState,
  startPull,
} from './pull-state.ts';
