import type { JsonValue } from '../json.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const instance = resourceCases('compute.googleapis.com/Instance');

function having(name: string, key: string, value: JsonValue): RuleCase {
  return instance.case(name, { name: 'web', metadata: { items: [{ key, value }] } });
}

/** The spellings of a boolean that mean true, and those that do not. */
function switched(key: string) {
  return {
    on: [
      having('the switch on', key, 'TRUE'),
      having('the switch on in small letters', key, 'true'),
      having('the switch on as a number', key, '1'),
      having('the switch on in words', key, 'yes'),
      having('the switch on by its initial', key, 'Y'),
      having('the switch on as no text', key, true),
      instance.case('the switch on, in the singular', {
        metadata: { item: [{ key, value: 'true' }] },
      }),
    ],
    off: [
      having('the switch off', key, 'FALSE'),
      having('the switch off as a number', key, '0'),
      having('the switch empty', key, ''),
      having('another key', `${key}-2`, 'TRUE'),
      instance.case('no metadata', { name: 'web' }),
      instance.case('empty metadata', { name: 'web', metadata: { fingerprint: 'x' } }),
    ],
  } as const;
}

const blocks = switched('block-project-ssh-keys');
const console = switched('serial-port-enable');

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----';

export const VM_METADATA_CASES: readonly RuleCases[] = [
  {
    rule: 'vm-project-ssh-keys',
    pass: blocks.on,
    fail: [
      ...blocks.off,
      instance.case('a node of GKE, which is no exception here', { name: 'gke-a-b' }),
    ],
    na: 'never',
    unknown: instance.unknown,
  },
  {
    rule: 'vm-serial-port',
    pass: console.off,
    fail: console.on,
    na: 'never',
    unknown: instance.unknown,
  },
  {
    rule: 'vm-metadata-secrets',
    pass: [
      instance.case('no metadata', { name: 'web' }),
      having('a start-up script without secrets', 'startup-script', '#!/bin/sh\napt-get update'),
      having(
        'a reference to Secret Manager',
        'db-password',
        'projects/p/secrets/db-password/versions/latest',
      ),
      having('an empty secret', 'api-key', ''),
      having('public SSH keys', 'ssh-keys', 'ada:ssh-ed25519 AAAAC3Nz ada@example.com'),
    ],
    fail: [
      {
        ...having('a password by its name', 'db-password', 'hunter2'),
        findings: [{ subject: 'db-password' }],
      },
      having('an API key by its name', 'API_KEY', 'abc'),
      having('a private key by its looks', 'startup-script', `cat > key <<E\n${PEM}\nE`),
      having('an AWS key in cloud-init', 'user-data', 'aws: AKIAIOSFODNN7EXAMPLE'),
      {
        ...instance.case('several secrets, each with a finding of its own', {
          metadata: {
            item: [
              { key: 'token', value: 'a' },
              { key: 'motd', value: 'hello' },
              { key: 'client_secret', value: 'b' },
            ],
          },
        }),
        findings: [{ subject: 'token' }, { subject: 'client_secret' }],
      },
    ],
    na: 'never',
    unknown: instance.unknown,
  },
];
