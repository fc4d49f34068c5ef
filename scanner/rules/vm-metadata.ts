import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { embedsSecret } from '../facts/embedded-secret.ts';
import { metadataOf, metadataSwitch } from '../facts/metadata.ts';
import { instanceMetadata, removeInstanceMetadata } from '../fixes/metadata.ts';
import { objects, text } from '../json.ts';
import { fail, failAll, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { citeSwitch } from './metadata-evidence.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

const INSTANCE = ['compute.googleapis.com/Instance'];

const vmProjectSshKeys = resourceRule(
  {
    id: 'vm-project-ssh-keys',
    title: 'Instance accepts project-wide SSH keys',
    severity: 'low',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'A key in the metadata of the project gives access to every instance that does not block such keys. One stolen key is sufficient for all of them.',
    remediation:
      'Block them: `gcloud compute instances add-metadata INSTANCE --zone=ZONE --metadata=block-project-ssh-keys=TRUE`.',
    compliance: cis({ v4: '4.3', v5: '4.3' }),
    fix: instanceMetadata(
      'block-project-ssh-keys',
      'TRUE',
      'Keys in the metadata of the project no longer open the instance.',
    ),
  },
  (instance) => {
    const blocks = metadataSwitch(metadataOf(instance), 'block-project-ssh-keys');
    if (blocks === true) return PASS;
    return fail({
      message: 'Project-wide SSH keys give access to this instance.',
      evidence: citeSwitch('metadata', 'block-project-ssh-keys', blocks),
    });
  },
);

const vmSerialPort = resourceRule(
  {
    id: 'vm-serial-port',
    title: 'Instance can be reached through its serial port',
    severity: 'medium',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'The interactive serial console accepts connections from any address, regardless of firewall rules. It is for emergencies and should otherwise be disabled. Only the metadata of the instance is evaluated: the rule also passes where the metadata of the project enables the console for an instance without a setting of its own.',
    remediation:
      'Disable it: `gcloud compute instances add-metadata INSTANCE --zone=ZONE --metadata=serial-port-enable=FALSE`.',
    compliance: cis({ v4: '4.5', v5: '4.5' }),
    fix: instanceMetadata('serial-port-enable', 'FALSE'),
  },
  (instance) => {
    if (metadataSwitch(metadataOf(instance), 'serial-port-enable') !== true) return PASS;
    return fail({
      message: 'The interactive serial console of this instance is enabled.',
      evidence: citeSwitch('metadata', 'serial-port-enable', true),
    });
  },
);

const vmMetadataSecrets = resourceRule(
  {
    id: 'vm-metadata-secrets',
    title: 'Secret in the metadata of an instance',
    severity: 'high',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'Every process on an instance, and everyone who can view the instance, can read its metadata and start-up script, including passwords, keys and tokens. Secret Manager restricts access to a secret and records who read it.',
    remediation:
      'Move the value to Secret Manager, replace it, and remove it here: `gcloud compute instances remove-metadata INSTANCE --zone=ZONE --keys=KEY`.',
    compliance: NO_REQUIREMENT,
    fix: (repair) => {
      removeInstanceMetadata(repair, ({ key, value }) => embedsSecret(key, value));
      repair.caution(
        'Store the values in Secret Manager first; replace them, because they were exposed.',
      );
    },
  },
  (instance) => {
    const [first, ...more] = objects(metadataOf(instance), 'items', 'item').flatMap((item) => {
      const key = text(item, 'key') ?? '';
      if (!embedsSecret(key, item.value)) return [];
      return {
        subject: key,
        message: `The metadata item ${key} appears to contain a secret.`,
        evidence: [cite('metadata.items[].key', key)],
      };
    });
    return first === undefined ? PASS : failAll(first, more);
  },
);

export const VM_METADATA_RULES: readonly Rule[] = [
  vmMetadataSecrets,
  vmProjectSshKeys,
  vmSerialPort,
];
