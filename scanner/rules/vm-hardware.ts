import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { enumAt } from '../facts/enumeration.ts';
import { isGkeNode } from '../facts/instance.ts';
import { child, isTrue, type JsonObject, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const INSTANCE = ['compute.googleapis.com/Instance'];

const vmIpForward = resourceRule(
  {
    id: 'vm-ip-forward',
    title: 'Instance forwards packets of others',
    severity: 'medium',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'An instance that may send packets with addresses that are not its own can pass traffic on past the firewall rules, or pretend to be another. Few need it: routers, NAT gateways. Nodes of GKE are judged with their cluster.',
    remediation:
      'It is set when an instance is made: make it anew without --can-ip-forward, or export, change and update it: gcloud compute instances update-from-file INSTANCE --zone=ZONE --source=FILE.',
    compliance: cis({ v4: '4.6', v5: '4.6' }),
  },
  (instance, { name }) => {
    if (isGkeNode(instance, name)) return NOT_APPLICABLE;
    if (!isTrue(instance, 'canIpForward')) return PASS;
    return fail({
      message: 'The instance may send and take packets with addresses that are not its own.',
      evidence: [cite('canIpForward', true)],
    });
  },
);

const vmShielded = resourceRule(
  {
    id: 'vm-shielded',
    title: 'Instance is not shielded',
    severity: 'medium',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'The virtual TPM measures what an instance boots, and integrity monitoring tells when it is not what it was. Both should be on, so that a changed kernel or boot loader is seen.',
    remediation:
      'Switch both on while the instance is stopped: gcloud compute instances update INSTANCE --zone=ZONE --shielded-vtpm --shielded-integrity-monitoring.',
    compliance: cis({ v4: '4.8', v5: '4.8' }),
  },
  (instance) => {
    const settings =
      child(instance, 'shieldedInstanceConfig') ?? child(instance, 'shieldedVmConfig');
    if (isTrue(settings, 'enableVtpm') && isTrue(settings, 'enableIntegrityMonitoring')) {
      return PASS;
    }
    return fail({
      message: 'The virtual TPM and integrity monitoring are not both on for this instance.',
      evidence: ['enableVtpm', 'enableIntegrityMonitoring'].map((member) =>
        cite(`shieldedInstanceConfig.${member}`, settings?.[member]),
      ),
    });
  },
);

const vmConfidential = resourceRule(
  {
    id: 'vm-confidential',
    title: 'Memory of an instance is not encrypted',
    severity: 'info',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'A confidential instance keeps its memory encrypted with keys that the processor makes and nobody else has. It is worth its price where the data must be kept even from the operator of the machine.',
    remediation:
      'It is set when an instance is made, of a machine type that can: gcloud compute instances create INSTANCE --zone=ZONE --machine-type=n2d-standard-2 --confidential-compute-type=SEV --maintenance-policy=TERMINATE.',
    compliance: cis({ v4: '4.11', v5: '4.11' }),
  },
  (instance) => {
    if (isConfidential(instance)) return PASS;
    const settings = child(instance, 'confidentialInstanceConfig');
    return fail({
      message: 'This instance is not a confidential one.',
      evidence: [
        cite(
          'confidentialInstanceConfig.enableConfidentialCompute',
          settings?.enableConfidentialCompute,
        ),
      ],
    });
  },
);

/** By the switch, or, where that is left out, by the technology, which newer instances name alone. */
function isConfidential(instance: JsonObject): boolean {
  const settings = child(instance, 'confidentialInstanceConfig');
  if (typeof settings?.enableConfidentialCompute === 'boolean') {
    return settings.enableConfidentialCompute;
  }
  return ['SEV', 'SEVSNP', 'TDX'].includes(enumAt(settings, 'confidentialInstanceType') ?? '');
}

const diskCmek = resourceRule(
  {
    id: 'disk-cmek',
    title: 'Disk is not encrypted with a key of yours',
    severity: 'low',
    category: 'compute',
    assetTypes: ['compute.googleapis.com/Disk', 'compute.googleapis.com/RegionDisk'],
    description:
      'Disks are encrypted with keys that Google holds unless they are made with one of yours, in Cloud KMS or supplied with each request. Yours can be rotated, watched and taken away.',
    remediation:
      'A disk keeps its key for life: make another one from a snapshot of it: gcloud compute disks create DISK --zone=ZONE --source-snapshot=SNAPSHOT --kms-key=KEY.',
    compliance: cis({ v4: '4.7', v5: '4.7' }),
  },
  (disk) => {
    const key = child(disk, 'diskEncryptionKey');
    if (text(key, 'kmsKeyName') !== null || text(key, 'sha256') !== null) return PASS;
    return fail({
      message: 'This disk is encrypted with a key that Google holds.',
      evidence: [cite('diskEncryptionKey.kmsKeyName', null)],
    });
  },
);

export const VM_HARDWARE_RULES: readonly Rule[] = [
  diskCmek,
  vmConfidential,
  vmIpForward,
  vmShielded,
];
