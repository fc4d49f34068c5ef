import type { JsonObject } from '../json.ts';
import { UNKNOWN } from './document.ts';

/** Parts of an IAM policy. */
export interface PolicyPart {
  readonly bindings: readonly JsonObject[];
  readonly auditConfigs: readonly JsonObject[];
}

/** A binding without any known part. */
export const ANYTHING: JsonObject = { role: UNKNOWN, members: [UNKNOWN] };
