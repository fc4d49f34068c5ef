import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { enumAt } from '../facts/enumeration.ts';
import { isGkeNode } from '../facts/instance.ts';
import { child, isTrue, type JsonObject, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

const INSTANCE = ['compute.googleapis.com/Instance'];

const vmIpForward = resourceRule(
  {
    id: 'vm-ip-forward',
    title: 'Instance can forward packets',
    severity: 'medium',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'An instance that may send packets with foreign addresses can route traffic past the firewall rules or impersonate others. Few instances need it, such as routers and NAT gateways. GKE nodes are checked with their cluster.',
    remediation:
      'It can only be set at creation: recreate the instance without `--can-ip-forward`, or export, change and update it: `gcloud compute instances export INSTANCE --zone=ZONE --destination=FILE`; `gcloud compute instances update-from-file INSTANCE --zone=ZONE --source=FILE`.',
    compliance: cis({ v4: '4.6', v5: '4.6' }),
    fix: (repair) => {
      const place = '{name} --zone={zone} --project={project}';
      repair.set('canIpForward', false);
      repair.gcloud(`compute instances export ${place} --destination=instance.yaml`);
      repair.fixedCommand("sed -i.bak 's/^canIpForward: true/canIpForward: false/' instance.yaml");
      repair.gcloud(
        `compute instances update-from-file ${place} --source=instance.yaml --most-disruptive-allowed-action=RESTART`,
      );
      repair.terraform('google_compute_instance', 'can_ip_forward', false);
      repair.caution('The instance restarts; Terraform recreates it.');
    },
  },
  (instance, { name }) => {
    if (isGkeNode(instance, name)) return NOT_APPLICABLE;
    if (!isTrue(instance, 'canIpForward')) return PASS;
    return fail({
      message: 'The instance may send and receive packets with foreign addresses.',
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
      'The virtual TPM measures the boot sequence of an instance, and integrity monitoring reports changes. Both should be enabled, so that a modified kernel or boot loader is detected.',
    remediation:
      'Enable both while the instance is stopped: `gcloud compute instances update INSTANCE --zone=ZONE --shielded-vtpm --shielded-integrity-monitoring`.',
    compliance: cis({ v4: '4.8', v5: '4.8' }),
    fix: (repair) => {
      const isOld =
        child(repair.data, 'shieldedInstanceConfig') === null &&
        child(repair.data, 'shieldedVmConfig') !== null;
      for (const member of ['enableVtpm', 'enableIntegrityMonitoring']) {
        repair.set(`${isOld ? 'shieldedVmConfig' : 'shieldedInstanceConfig'}.${member}`, true);
      }
      repair.gcloud(
        'compute instances update {name} --zone={zone} --project={project} --shielded-vtpm --shielded-integrity-monitoring',
      );
      const resource = 'google_compute_instance';
      repair.terraform(resource, 'shielded_instance_config.enable_vtpm', true);
      repair.terraform(resource, 'shielded_instance_config.enable_integrity_monitoring', true);
      repair.caution('The instance must be stopped for the change.');
    },
  },
  (instance) => {
    const settings =
      child(instance, 'shieldedInstanceConfig') ?? child(instance, 'shieldedVmConfig');
    if (isTrue(settings, 'enableVtpm') && isTrue(settings, 'enableIntegrityMonitoring')) {
      return PASS;
    }
    return fail({
      message: 'The virtual TPM and integrity monitoring are not both enabled for this instance.',
      evidence: ['enableVtpm', 'enableIntegrityMonitoring'].map((member) =>
        cite(`shieldedInstanceConfig.${member}`, settings?.[member]),
      ),
    });
  },
);

const vmConfidential = resourceRule(
  {
    id: 'vm-confidential',
    version: 2,
    title: 'Memory of an instance is not encrypted',
    severity: 'info',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'A confidential instance encrypts its memory with keys that only the processor has. It is appropriate if the data must be protected even from the operator of the machine.',
    remediation:
      'It can only be set at creation, with a supported machine type: `gcloud compute instances create INSTANCE --zone=ZONE --machine-type=n2d-standard-2 --confidential-compute-type=SEV --maintenance-policy=TERMINATE`.',
    compliance: cis({ v4: '4.11', v5: '4.11' }),
    noFix: 'it can only be set when an instance is created',
  },
  (instance) => {
    if (isConfidential(instance)) return PASS;
    const settings = child(instance, 'confidentialInstanceConfig');
    return fail({
      message: 'This instance is not a confidential instance.',
      evidence: [
        cite(
          'confidentialInstanceConfig.enableConfidentialCompute',
          settings?.enableConfidentialCompute,
        ),
      ],
    });
  },
);

const TECHNOLOGIES: ReadonlySet<string> = new Set(['SEV', 'SEVSNP', 'TDX', 'CCA', 'BMSAI']);

/** Whether it is enabled by the boolean or, if that is absent, by the technology, which newer instances name alone. */
function isConfidential(instance: JsonObject): boolean {
  const settings = child(instance, 'confidentialInstanceConfig');
  if (typeof settings?.enableConfidentialCompute === 'boolean') {
    return settings.enableConfidentialCompute;
  }
  return TECHNOLOGIES.has(enumAt(settings, 'confidentialInstanceType') ?? '');
}

const diskCmek = resourceRule(
  {
    id: 'disk-cmek',
    title: 'Disk is not encrypted with a customer-managed key',
    severity: 'low',
    category: 'compute',
    assetTypes: ['compute.googleapis.com/Disk', 'compute.googleapis.com/RegionDisk'],
    description:
      'Disks are encrypted with Google-managed keys unless they are created with your own key, in Cloud KMS or supplied with each request. Your own key can be rotated, monitored and revoked.',
    remediation:
      'The key of a disk cannot be changed; create another disk from a snapshot: `gcloud compute disks create DISK --zone=ZONE --source-snapshot=SNAPSHOT --kms-key=KEY`.',
    compliance: cis({ v4: '4.7', v5: '4.7' }),
    noFix: 'needs the name of a key and a new disk',
  },
  (disk) => {
    const key = child(disk, 'diskEncryptionKey');
    if (text(key, 'kmsKeyName') !== null || text(key, 'sha256') !== null) return PASS;
    return fail({
      message: 'This disk is encrypted with a Google-managed key.',
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
