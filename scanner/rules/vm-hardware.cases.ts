import { assetOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const instance = resourceCases('compute.googleapis.com/Instance');
const disk = resourceCases('compute.googleapis.com/Disk');

export const VM_HARDWARE_CASES: readonly RuleCases[] = [
  {
    rule: 'vm-ip-forward',
    pass: [
      instance.case('an instance that may not', { name: 'web', canIpForward: false }),
      instance.case('an instance that does not say', { name: 'web' }),
    ],
    fail: [instance.case('an instance that may', { name: 'nat', canIpForward: true })],
    na: [
      instance.case('a node of GKE by its name', { name: 'gke-a-b', canIpForward: true }),
      instance.case('a node of GKE by its label', {
        name: 'node',
        labels: { 'goog-gke-node': 'true' },
        canIpForward: true,
      }),
    ],
    unknown: instance.unknown,
  },
  {
    rule: 'vm-shielded',
    pass: [
      instance.case('both on', {
        shieldedInstanceConfig: { enableVtpm: true, enableIntegrityMonitoring: true },
      }),
      instance.case('both on, without secure boot', {
        shieldedInstanceConfig: {
          enableVtpm: true,
          enableIntegrityMonitoring: true,
          enableSecureBoot: false,
        },
      }),
      instance.case('both on under the older name', {
        shieldedVmConfig: { enableVtpm: true, enableIntegrityMonitoring: true },
      }),
    ],
    fail: [
      instance.case('neither', { name: 'web' }),
      instance.case('the TPM alone', {
        shieldedInstanceConfig: { enableVtpm: true, enableIntegrityMonitoring: false },
      }),
      instance.case('monitoring alone', {
        shieldedInstanceConfig: { enableIntegrityMonitoring: true },
      }),
      instance.case('secure boot alone', { shieldedInstanceConfig: { enableSecureBoot: true } }),
      instance.case('a node of GKE, which is no exception here', { name: 'gke-a-b' }),
    ],
    na: 'never',
    unknown: instance.unknown,
  },
  {
    rule: 'vm-confidential',
    pass: [
      instance.case('a confidential instance', {
        confidentialInstanceConfig: { enableConfidentialCompute: true },
      }),
      instance.case('one that names its technology only', {
        confidentialInstanceConfig: { confidentialInstanceType: 'SEV_SNP' },
      }),
      instance.case('one that names the technology of Arm', {
        confidentialInstanceConfig: { confidentialInstanceType: 'CCA' },
      }),
    ],
    fail: [
      instance.case('an ordinary instance', { name: 'web' }),
      instance.case('one that says so', {
        confidentialInstanceConfig: { enableConfidentialCompute: false },
      }),
      instance.case('a type that is none', {
        confidentialInstanceConfig: {
          confidentialInstanceType: 'CONFIDENTIAL_INSTANCE_TYPE_UNSPECIFIED',
        },
      }),
      instance.case('a node of GKE, which is no exception here', { name: 'gke-a-b' }),
    ],
    na: 'never',
    unknown: instance.unknown,
  },
  {
    rule: 'disk-cmek',
    pass: [
      disk.case('a key of Cloud KMS', {
        diskEncryptionKey: {
          kmsKeyName: 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1',
        },
      }),
      disk.case('a key supplied with requests', { diskEncryptionKey: { sha256: 'mBc6=' } }),
      {
        name: 'a regional disk with a key',
        asset: assetOf({
          type: 'compute.googleapis.com/RegionDisk',
          data: { diskEncryptionKey: { kmsKeyName: 'k' } },
        }),
      },
    ],
    fail: [
      disk.case('no key', { name: 'data' }),
      disk.case('an empty key', { diskEncryptionKey: { kmsKeyName: '' } }),
      {
        name: 'a regional disk without a key',
        asset: assetOf({ type: 'compute.googleapis.com/RegionDisk', data: {} }),
      },
    ],
    na: 'never',
    unknown: disk.unknown,
  },
];
