import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { embedsSecret } from '../facts/embedded-secret.ts';
import { metadataOf, metadataSwitch } from '../facts/metadata.ts';
import { objects, text } from '../json.ts';
import { fail, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { citeSwitch } from './metadata-evidence.ts';

const INSTANCE = ['compute.googleapis.com/Instance'];

const vmProjectSshKeys = resourceRule(
  {
    id: 'vm-project-ssh-keys',
    title: 'Instance accepts the SSH keys of the project',
    severity: 'low',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'A key in the metadata of the project opens every instance that does not refuse such keys. One stolen key is enough for all of them.',
    remediation:
      'Refuse them: gcloud compute instances add-metadata INSTANCE --zone=ZONE --metadata=block-project-ssh-keys=TRUE.',
    compliance: cis({ v4: '4.3', v5: '4.3' }),
  },
  (instance) => {
    const blocks = metadataSwitch(metadataOf(instance), 'block-project-ssh-keys');
    if (blocks === true) return PASS;
    return fail({
      message: 'SSH keys of the project open this instance.',
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
      'The interactive serial console takes connections from any address, whatever the firewall rules say. It is for emergencies and should be off otherwise.',
    remediation:
      'Switch it off: gcloud compute instances add-metadata INSTANCE --zone=ZONE --metadata=serial-port-enable=FALSE.',
    compliance: cis({ v4: '4.5', v5: '4.5' }),
  },
  (instance) => {
    if (metadataSwitch(metadataOf(instance), 'serial-port-enable') !== true) return PASS;
    return fail({
      message: 'The interactive serial console of this instance is on.',
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
      'Every process on an instance, and everyone who may view it, reads its metadata and the start-up script in it. A password, key or token there is known to all of them; Secret Manager keeps it and tells who asked for it.',
    remediation:
      'Move the value to Secret Manager, change it, and remove it here: gcloud compute instances remove-metadata INSTANCE --zone=ZONE --keys=KEY.',
    compliance: NO_REQUIREMENT,
  },
  (instance) => {
    const [first, ...more] = objects(metadataOf(instance), 'items', 'item').flatMap((item) => {
      const key = text(item, 'key') ?? '';
      if (!embedsSecret(key, item.value)) return [];
      return {
        subject: key,
        message: `The metadata item ${key} holds what looks like a secret.`,
        evidence: [cite('metadata.items[].key', key)],
      };
    });
    return first === undefined ? PASS : fail(first, ...more);
  },
);

export const VM_METADATA_RULES: readonly Rule[] = [
  vmMetadataSecrets,
  vmProjectSshKeys,
  vmSerialPort,
];
