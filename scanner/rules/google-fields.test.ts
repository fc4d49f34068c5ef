import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import table from '../testing/generated/google-fields.json' with { type: 'json' };
import { GOOGLE_SCHEMAS, type GoogleFields, lookUp } from '../testing/google-schemas.ts';
import { recordedReads } from '../testing/recorded-reads.ts';

/*
 * Compares rules with Google's own schemas of its resources. The table contains the schemas that rules read, with their
 * revision; `npm run google-fields` regenerates it.
 */

const FIELDS: GoogleFields = table;

const SINGULAR = 'Exports of Compute Engine write arrays and some members in another spelling.';
const SNAKE = 'gcloud asset export writes the policy in snake case.';
const HIERARCHY = 'One trim serves projects, folders and organizations, which share some of these.';

/** Members that are read although no schema has them, including everything below, and why. */
const OUTSIDE_THE_REFERENCE: Readonly<Record<string, string>> = {
  'cloudresourcemanager.googleapis.com/Folder projectId': HIERARCHY,
  'cloudresourcemanager.googleapis.com/Folder projectNumber': HIERARCHY,
  'cloudresourcemanager.googleapis.com/Organization parent': HIERARCHY,
  'cloudresourcemanager.googleapis.com/Organization projectId': HIERARCHY,
  'cloudresourcemanager.googleapis.com/Organization projectNumber': HIERARCHY,
  'compute.googleapis.com/Firewall allowed.ipProtocol': SINGULAR,
  'compute.googleapis.com/Firewall allowed.port': SINGULAR,
  'compute.googleapis.com/Firewall sourceRange': SINGULAR,
  'compute.googleapis.com/Firewall sourceServiceAccount': SINGULAR,
  'compute.googleapis.com/Firewall sourceTag': SINGULAR,
  'compute.googleapis.com/Instance metadata.item': SINGULAR,
  'compute.googleapis.com/Instance networkInterface': SINGULAR,
  'compute.googleapis.com/Instance networkInterfaces.accessConfig': SINGULAR,
  'compute.googleapis.com/Instance networkInterfaces.accessConfigs.externalIp': SINGULAR,
  'compute.googleapis.com/Instance networkInterfaces.ipv6AccessConfig': SINGULAR,
  'compute.googleapis.com/Instance serviceAccount': SINGULAR,
  'compute.googleapis.com/Instance shieldedVmConfig': 'The name before shieldedInstanceConfig.',
  'compute.googleapis.com/Network ipv4Range': SINGULAR,
  'compute.googleapis.com/Project commonInstanceMetadata.item': SINGULAR,
  'compute.googleapis.com/SslPolicy customFeature': SINGULAR,
  'compute.googleapis.com/SslPolicy enabledFeature': SINGULAR,
  'container.googleapis.com/Cluster nodePool': 'Some exports write nodePools so.',
  'container.googleapis.com/Cluster workloadIdentityConfig.identityNamespace':
    'The name before workloadPool.',
  'iam_policy auditConfigs.auditLogConfigs.exempted_members': SNAKE,
  'iam_policy auditConfigs.auditLogConfigs.log_type': SNAKE,
  'iam_policy auditConfigs.audit_log_configs': SNAKE,
  'iam_policy audit_configs': SNAKE,
};

/** Members that Google has deprecated, including everything below, and why they are still read. */
const STILL_READ: Readonly<Record<string, string>> = {
  'compute.googleapis.com/Disk diskEncryptionKey.sha256':
    'Disks that were made with a key of the customer keep it.',
  'compute.googleapis.com/Network IPv4Range': 'Only legacy networks have it: net-legacy finds it.',
  'container.googleapis.com/Cluster addonsConfig.kubernetesDashboard':
    'gke-dashboard finds the clusters that still run it.',
  'container.googleapis.com/Cluster binaryAuthorization.enabled':
    'It counts where evaluationMode is not set.',
  'container.googleapis.com/Cluster masterAuth.username':
    'gke-basic-auth finds the clusters that still have one.',
  'container.googleapis.com/Cluster masterAuthorizedNetworksConfig':
    'It counts where controlPlaneEndpointsConfig.ipEndpointsConfig.authorizedNetworksConfig is absent.',
  'container.googleapis.com/Cluster nodeConfig': 'It counts where there are no node pools.',
  'container.googleapis.com/Cluster privateClusterConfig.enablePrivateEndpoint':
    'It counts where controlPlaneEndpointsConfig.ipEndpointsConfig.enablePublicEndpoint is absent.',
  'container.googleapis.com/Cluster privateClusterConfig.enablePrivateNodes':
    'It counts where networkConfig.defaultEnablePrivateNodes is absent.',
};

const READS = [...recordedReads()].filter(([, paths]) => paths.size > 0);

function stateOf(type: string, path: string) {
  const answers = (GOOGLE_SCHEMAS[type] ?? []).map((root) =>
    lookUp(root, path, (api, name) => FIELDS.apis[api]?.schemas[name] ?? null),
  );
  if (answers.includes('present')) return 'present';
  return answers.includes('deprecated') ? 'deprecated' : 'absent';
}

/** `container.googleapis.com/Cluster nodePools.name`, for every member that is read and has this status. */
function readsThatAre(state: 'absent' | 'deprecated'): readonly string[] {
  return READS.flatMap(([type, paths]) =>
    [...paths].filter((path) => stateOf(type, path) === state).map((path) => `${type} ${path}`),
  );
}

function covers(entry: string, read: string): boolean {
  return read === entry || read.startsWith(`${entry}.`);
}

function uncovered(reads: readonly string[], entries: Readonly<Record<string, string>>) {
  return reads.filter((read) => !Object.keys(entries).some((entry) => covers(entry, read)));
}

function unused(entries: Readonly<Record<string, string>>, reads: readonly string[]) {
  return Object.keys(entries).filter((entry) => !reads.some((read) => covers(entry, read)));
}

const REMEDY = 'Correct the name, or run npm run google-fields, or list the member with its reason';

describe('the members of Google Cloud resources that rules read', () => {
  it('the members that rules read are recorded for every asset type of a rule', () => {
    expect(READS.length).toBeGreaterThan(35);
    const paths = recordedReads().get('container.googleapis.com/Cluster');
    expect(paths).toContain('nodePools.config.shieldedInstanceConfig.enableSecureBoot');
    expect(paths).not.toContain('nodePools.length');
  });

  it('the members that rules read are in the discovery documents of Google, for every asset type', () => {
    expect(READS.map(([type]) => type).filter((type) => !(type in GOOGLE_SCHEMAS))).toEqual([]);
    expect(uncovered(readsThatAre('absent'), OUTSIDE_THE_REFERENCE), REMEDY).toEqual([]);
  });

  it('deprecated members are read only where a reason is given', () => {
    expect(uncovered(readsThatAre('deprecated'), STILL_READ), REMEDY).toEqual([]);
  });

  it('every listed exception of the members is used', () => {
    expect(unused(OUTSIDE_THE_REFERENCE, readsThatAre('absent'))).toEqual([]);
    expect(unused(STILL_READ, readsThatAre('deprecated'))).toEqual([]);
  });

  it.each(['nodePools.config.imagetype', 'controlPlaneEndpointConfig', 'name.first'])(
    'the table of members does not contain %s, which a cluster does not have',
    (path) => {
      expect(stateOf('container.googleapis.com/Cluster', path)).toBe('absent');
    },
  );
});

/** Matches `Fields: container v1, discovery revision 20261027.` in a comment of a source file. */
const CITATION = /Fields: (\w+) (\w+), discovery revision (\d+)\./g;

function sourcesIn(folder: string): readonly { readonly file: string; readonly text: string }[] {
  const path = join(import.meta.dirname, '..', folder);
  return readdirSync(path)
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|cases)\.ts$/.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(join(path, file), 'utf8') }));
}

function citationsIn(text: string): readonly string[] {
  return [...text.matchAll(CITATION)].map(
    ([, api, version, revision]) => `${api}/${version} ${revision}`,
  );
}

describe('the revision of the reference', () => {
  const sources = [...sourcesIn('rules'), ...sourcesIn('facts')];
  const current = Object.entries(FIELDS.apis).map(([api, { revision }]) => `${api} ${revision}`);

  it('the revision of the reference in each source file is that of the table', () => {
    const stale = sources.flatMap(({ file, text }) =>
      citationsIn(text)
        .filter((citation) => !current.includes(citation))
        .map((citation) => `${file}: ${citation}`),
    );
    expect(stale, 'Read what has changed since, then cite the revision of the table').toEqual([]);
  });

  it('the revision of the reference is cited by every file with rules on a type whose members are read', () => {
    const types = READS.map(([type]) => type).filter((type) => type.includes('/'));
    const silent = sources.flatMap(({ file, text }) => {
      if (!file.startsWith('rules/') || !READS_MEMBERS.test(text)) return [];
      const cited = citationsIn(text).map((citation) => citation.split(' ')[0]);
      return types
        .filter((type) => text.includes(`'${type}'`))
        .filter((type) => !apisOf(type).some((api) => cited.includes(api)))
        .map((type) => `${file}: ${type}, of ${apisOf(type).join(' and ')}`);
    });
    expect(silent, 'Add the line Fields: <api> <version>, discovery revision <n>.').toEqual([]);
  });
});

/** Rules on policies only read no member of a resource. */
const READS_MEMBERS = /\b(?:resourceRule|combinedRule|projectRule|requiredSettingRule|specOf)\b/;

function apisOf(type: string): readonly string[] {
  return (GOOGLE_SCHEMAS[type] ?? []).map((root) => root.split('#')[0] ?? '');
}
