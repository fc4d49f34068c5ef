import { UNREAD_LIMITS } from '../../server/http/unread-answers.ts';
import { XML_THREAD_LIMITS } from '../../server/modules/auth/saml/xml-thread.ts';
import {
  TERRAFORM_LIMITS,
  TERRAFORM_SLOTS,
} from '../../server/modules/inventories/terraform-process.ts';
import { UPLOAD_SLOTS } from '../../server/modules/inventories/upload-slots.ts';
import { CUSTOM_RULE_CHECKS_MAX } from '../../server/modules/rules/custom-rule-checks.ts';
import { EVALUATION_LIMITS } from '../../server/modules/rules/evaluation-limits.ts';
import { SCAN_EVALUATION } from '../../server/modules/scans/evaluation-limits.ts';
import { residentLimitMb } from '../../server/platform/child-process/watched-process.ts';
import { PULLS, SCANS, SPARE_SCANS } from '../../server/start/start-worker.ts';
import type { Deployment } from './deployment.ts';
import { configOf, type DeployedProcess } from './process.ts';

/** What a process itself takes under the load of `npm run soak`. */
const UNDER_LOAD_MIB = { server: 220, worker: 200 };
/** `upload-attacks.slow.attacks.test.ts` asserts it for an upload, with its process. */
const UPLOAD_MIB = 250;

const MIB = 1024 ** 2;
const RULE_MIB = residentLimitMb(EVALUATION_LIMITS);
const EVALUATOR_MIB = residentLimitMb(SCAN_EVALUATION);

const SERVER_MIB =
  UNDER_LOAD_MIB.server +
  UPLOAD_SLOTS.total * UPLOAD_MIB +
  TERRAFORM_SLOTS.total * residentLimitMb(TERRAFORM_LIMITS) +
  CUSTOM_RULE_CHECKS_MAX * RULE_MIB +
  UNREAD_LIMITS.totalBytes / MIB +
  XML_THREAD_LIMITS.memoryMb;

/** An evaluator stays idle for a while after its scan. */
const WORKER_MIB =
  UNDER_LOAD_MIB.worker +
  PULLS * UPLOAD_MIB +
  (SCANS + SPARE_SCANS) * (EVALUATOR_MIB + RULE_MIB) +
  EVALUATOR_MIB;

/** A container that exceeds its limit is ended, so what is allowed at a time must fit. docs/operations.md has the table. */
export function memoryFaults({ processes }: Deployment): string[] {
  return processes.manifests.flatMap((process) => {
    const { where, isTask, memoryMib } = process;
    const needed = neededMib(process);
    return isTask || memoryMib === null || memoryMib >= needed
      ? []
      : [`${where}: may take ${needed} MiB, and is ended at ${memoryMib}; raise the limit`];
  });
}

function neededMib(process: DeployedProcess): number {
  const worker = configOf(process)?.worker;
  return (worker === 'only' ? 0 : SERVER_MIB) + (worker === 'off' ? 0 : WORKER_MIB);
}
