import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type Asset,
  Evaluator,
  type InventoryRecord,
  mergeRecords,
  parseAsset,
  RULES,
  readInventory,
  referenceAssetOf,
  resolveProfile,
  Snapshot,
  type Verdict,
} from '@cspm/scanner';
import { describe, expect, it } from 'vitest';
import { TRAPS } from './shop-prod-traps.ts';

const SAMPLE = new URL('shop-prod.ndjson', import.meta.url);

/** Rules that count days count them to this one, so that the sample does not age. */
const NOW = new Date('2026-11-20T12:00:00Z');

/**
 * What is wrong in the sample, by rule: the last segments of the assets' names. Written from what the sample means, not
 * from what the scanner says; a difference is a fault of the one or the other. A new rule needs a row here and, in the
 * sample, at least one asset that passes and one that fails.
 */
const FAILURES: Readonly<Record<string, readonly string[]>> = {
  'apikey-older-90d': ['9c3e7d44-2b1a-4f7e-b0c2-6a5d4e3f2b1c'],
  'apikey-unrestricted-apis': ['9c3e7d44-2b1a-4f7e-b0c2-6a5d4e3f2b1c'],
  'apikey-unrestricted-apps': ['9c3e7d44-2b1a-4f7e-b0c2-6a5d4e3f2b1c'],
  'ar-repo-public': ['widgets'],
  'bq-dataset-cmek': ['clickstream', 'price_feed'],
  'bq-dataset-public': ['price_feed'],
  'bq-table-cmek': ['daily'],
  'bucket-cmek': [
    'catalog.shop.example',
    'logs.shop.example',
    'media.shop.example',
    'scratch.shop.example',
    'uploads.shop.example',
  ],
  'bucket-logging': [
    'logs.shop.example',
    'scratch.shop.example',
    'thumbs.shop.example',
    'uploads.shop.example',
  ],
  'bucket-public': ['media.shop.example', 'thumbs.shop.example', 'uploads.shop.example'],
  'bucket-public-access-prevention': [
    'catalog.shop.example',
    'media.shop.example',
    'thumbs.shop.example',
    'uploads.shop.example',
  ],
  'bucket-uniform-access': ['thumbs.shop.example', 'uploads.shop.example'],
  'bucket-versioning': [
    'catalog.shop.example',
    'logs.shop.example',
    'media.shop.example',
    'scratch.shop.example',
    'thumbs.shop.example',
    'uploads.shop.example',
  ],
  'cai-api-enabled': ['593817264015'],
  'dataproc-cmek': ['adhoc'],
  'disk-cmek': ['bastion-boot'],
  'dns-dnssec': ['img-shop-example'],
  'dns-logging-all-vpcs': ['default', 'office-old'],
  'dns-rsasha1-ksk': ['mail-shop-example'],
  'dns-rsasha1-zsk': ['img-shop-example', 'mail-shop-example'],
  'fn-default-sa': ['newsletter-signup', 'partner-api'],
  'fn-env-secrets': ['newsletter-signup', 'partner-api'],
  'fn-https': ['newsletter-signup'],
  'fn-ingress-all': ['newsletter-signup', 'partner-api'],
  'fn-public': ['newsletter-signup', 'partner-api'],
  'fw-admin-ports-world': ['allow-voice', 'debug-allow-all', 'legacy-mail-in'],
  'fw-all-world': ['allow-voice', 'debug-allow-all'],
  'fw-db-ports-world': ['allow-dev-ports', 'allow-voice', 'debug-allow-all'],
  'fw-logging': ['allow-all-out', 'debug-allow-all', 'default-allow-rdp', 'default-allow-ssh'],
  'fw-rdp-world': ['allow-dev-ports', 'debug-allow-all', 'default-allow-rdp'],
  'fw-ssh-world': [
    'allow-ssh-ipv6',
    'debug-allow-all',
    'default-allow-ssh',
    'legacy-mail-in',
    'vendor-support',
  ],
  'gke-alias-ip': ['shop-old'],
  'gke-alpha': ['shop-lab'],
  'gke-basic-auth': ['shop-old'],
  'gke-binauthz': ['shop-old'],
  'gke-client-cert': ['shop-old'],
  'gke-cos-image': ['shop-old'],
  'gke-dashboard': ['shop-old'],
  'gke-default-sa': ['shop-old'],
  'gke-integrity-monitoring': ['shop-lab'],
  'gke-legacy-abac': ['shop-old'],
  'gke-legacy-metadata': ['shop-old'],
  'gke-logging': ['shop-old'],
  'gke-master-authorized-networks': ['shop-old'],
  'gke-monitoring': ['shop-old'],
  'gke-network-policy': ['shop-old'],
  'gke-node-auto-repair': ['shop-old'],
  'gke-node-auto-upgrade': ['shop-old'],
  'gke-private-endpoint': ['shop-old'],
  'gke-private-nodes': ['shop-old'],
  'gke-release-channel': ['shop-old'],
  'gke-secrets-encryption': ['shop-old'],
  'gke-secure-boot': ['shop-old'],
  'gke-shielded-nodes': ['shop-old'],
  'gke-workload-identity': ['shop-old'],
  'iam-audit-config': ['482915036174'],
  'iam-custom-role-dangerous': ['deployHelper'],
  'iam-default-sa-editor': ['482915036174'],
  'iam-deleted-members': ['482915036174'],
  'iam-external-members': ['482915036174'],
  'iam-kms-separation-of-duties': ['482915036174'],
  'iam-primitive-roles': ['482915036174'],
  'iam-public-project': ['731904285516'],
  'iam-sa-admin-privileges': ['482915036174'],
  'iam-sa-separation-of-duties': ['482915036174'],
  'iam-sa-user-project-level': ['482915036174'],
  'iam-token-creator-project-level': ['482915036174'],
  'image-public': ['kiosk-demo'],
  'kms-public': ['analytics'],
  'kms-rotation-90d': ['analytics'],
  'lb-http-only': ['legacy-api'],
  'lb-logging': ['legacy-api'],
  'lb-no-armor': ['legacy-api'],
  'lb-weak-ssl-policy': ['legacy-api-https', 'partner-https'],
  'log-alert-audit': ['593817264015'],
  'log-alert-custom-role': ['593817264015'],
  'log-alert-firewall': ['593817264015'],
  'log-alert-network': ['593817264015'],
  'log-alert-ownership': ['593817264015'],
  'log-alert-route': ['593817264015'],
  'log-alert-sql': ['593817264015'],
  'log-alert-storage-iam': ['593817264015'],
  'log-sink-all': ['593817264015'],
  'log-sink-bucket-lock': ['archive-everything'],
  'net-default': ['default'],
  'net-legacy': ['office-old'],
  'org-essential-contacts': ['593817264015'],
  'project-oslogin': ['batch-1', 'gke-shop-main-pool-1-5f0c2d7e-x8kq'],
  'run-ingress-all': ['status-page'],
  'run-public': ['status-page'],
  'sa-key-older-90d': ['b42ca8fe2b2d7454976ab3147190ad945dc97eab'],
  'sa-key-uploaded': ['d3f8f175b132bfe9caa35ac147a02145593c269c'],
  'sa-key-user-managed': [
    'b42ca8fe2b2d7454976ab3147190ad945dc97eab',
    'd3f8f175b132bfe9caa35ac147a02145593c269c',
  ],
  'secret-no-rotation': ['session-signing'],
  'secret-public': ['feature-flags'],
  'snapshot-public': ['bastion-before-move'],
  'sql-backup': ['erp', 'reviews'],
  'sql-deletion-protection': ['cms', 'erp', 'orders-replica', 'reviews'],
  'sql-iam-auth': ['reviews'],
  'sql-ms-contained-auth': ['payroll'],
  'sql-ms-cross-db-chaining': ['payroll'],
  'sql-ms-external-scripts': ['erp'],
  'sql-ms-remote-access': ['erp'],
  'sql-ms-trace-3625': ['erp'],
  'sql-ms-user-connections': ['erp'],
  'sql-ms-user-options': ['payroll'],
  'sql-mysql-local-infile': ['reviews'],
  'sql-mysql-skip-show-database': ['reviews'],
  'sql-pg-log-connections': ['loyalty'],
  'sql-pg-log-disconnections': ['loyalty'],
  'sql-pg-log-error-verbosity': ['loyalty'],
  'sql-pg-log-min-duration-statement': ['loyalty'],
  'sql-pg-log-min-error-statement': ['loyalty'],
  'sql-pg-log-min-messages': ['loyalty'],
  'sql-pg-log-statement': ['loyalty'],
  'sql-pg-pgaudit': ['loyalty'],
  'sql-pitr': ['erp', 'reviews'],
  'sql-public-ip': ['cms', 'erp'],
  'sql-public-networks': ['erp'],
  'sql-ssl': ['cms', 'erp'],
  'subnet-flow-logs': ['default'],
  'subnet-private-google-access': ['default', 'shop-proxy', 'shop-publish'],
  'subscription-public': ['stock-webhook-debug'],
  'topic-public': ['stock-webhook'],
  'vm-confidential': ['bastion', 'batch-1', 'edge-v6', 'gke-shop-main-pool-1-5f0c2d7e-x8kq'],
  'vm-default-sa': ['bastion', 'edge-v6'],
  'vm-default-sa-full-scope': ['bastion'],
  'vm-ip-forward': ['edge-v6'],
  'vm-metadata-secrets': ['batch-1'],
  'vm-oslogin-2fa': ['bastion', 'batch-1', 'edge-v6', 'gke-shop-main-pool-1-5f0c2d7e-x8kq'],
  'vm-project-ssh-keys': ['bastion', 'batch-1', 'gke-shop-main-pool-1-5f0c2d7e-x8kq'],
  'vm-public-ip': ['bastion', 'edge-v6'],
  'vm-serial-port': ['bastion'],
  'vm-shielded': ['bastion'],
  'wif-no-attribute-condition': ['gitlab'],
};

async function recordsOf(): Promise<InventoryRecord[]> {
  const options = { format: 'ndjson', maxBytes: 1 << 20, maxRecordBytes: 1 << 16 } as const;
  const records: InventoryRecord[] = [];
  for await (const record of readInventory(createReadStream(SAMPLE), options)) records.push(record);
  return records;
}

function merge(records: readonly InventoryRecord[]) {
  const byAsset = new Map<string, InventoryRecord[]>();
  for (const record of records) {
    const key = `${record.type} ${record.name}`;
    byAsset.set(key, [...(byAsset.get(key) ?? []), record]);
  }
  return [...byAsset.values()].map(mergeRecords);
}

async function assetsOf(): Promise<Asset[]> {
  return merge(await recordsOf()).map(({ text }) => parseAsset(text));
}

function countTypes(assets: readonly Asset[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of assets) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

async function evaluationsOf() {
  const profile = resolveProfile('full');
  if (profile === undefined) throw new Error('There is no profile named full.');
  const assets = await assetsOf();
  const referenceAssets = assets
    .map(referenceAssetOf)
    .filter((referenceAsset) => referenceAsset !== null);
  const snapshot = new Snapshot({ assetTypes: countTypes(assets), referenceAssets });
  const evaluator = new Evaluator(profile, { now: NOW, snapshot });
  return [
    ...assets.map((asset) => ({ asset, evaluations: evaluator.evaluate(asset) })),
    ...evaluator.evaluateProjects(),
  ].flatMap(({ asset, evaluations }) =>
    evaluations.map((evaluation) => ({ asset: shortName(asset.name), ...evaluation })),
  );
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

describe('the sample inventory', () => {
  it('the sample inventory is an export of many kinds of assets', async () => {
    const assets = await assetsOf();
    expect(assets.length).toBeGreaterThanOrEqual(55);
    expect(countTypes(assets).size).toBeGreaterThanOrEqual(15);
  });

  it('the sample inventory has no malformed record, and none that another record replaces', async () => {
    const records = await recordsOf();
    for (const record of records) {
      expect(record.name).toMatch(/^\/\/[a-z]+\.googleapis\.com\/\S+$/);
      expect(record.type).toMatch(/^[a-z]+\.googleapis\.com\/[A-Z][A-Za-z]+$/);
      expect(record.kinds).toHaveLength(1);
      expect(Date.parse(record.updateTime ?? '')).toBeLessThan(NOW.getTime());
    }
    expect(merge(records).flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('the sample inventory is written as exports are: in separate records, two spellings, with comments and a blank line', async () => {
    const lines = (await readFile(SAMPLE, 'utf8')).trimEnd().split('\n');
    const records = await recordsOf();
    expect(records.length).toBeGreaterThan((await assetsOf()).length);
    expect(records.some(({ text }) => text.includes('"asset_type"'))).toBe(true);
    expect(records.some(({ text }) => text.includes('"assetType"'))).toBe(true);
    expect(lines.some((line) => line.startsWith('#'))).toBe(true);
    expect(lines).toContain('');
  });

  it('the sample inventory contains no real mailbox, address or key', async () => {
    const text = await readFile(SAMPLE, 'utf8');
    // The names of Gmail are longer than four characters, so that this one can be nobody's.
    const mail = text.replaceAll('temp@gmail.com', '');
    const domains = [...mail.matchAll(/[\w.-]+@([\w.-]+)/g)].map(([, domain]) => domain);
    expect(
      domains.filter((domain) => !/^shop\.example$|\.gserviceaccount\.com$/.test(domain ?? '')),
    ).toEqual([]);
    // RFC 5737 and RFC 3849 set these aside for documentation.
    const addresses = [...text.matchAll(/"(?:natIP|externalIp|externalIpv6)":"([^"]+)"/g)];
    expect(addresses.map(([, address]) => address)).toSatisfy((all: string[]) =>
      all.every((address) => /^203\.0\.113\.|^2001:db8:/.test(address)),
    );
    expect(text).not.toMatch(/PRIVATE KEY|\bAIza|\beyJ|privateKeyData|keyString/);
    expect([...new Set(text.match(/AKIA\w+/g))]).toEqual(['AKIAIOSFODNN7EXAMPLE']);
  });

  it('the sample inventory has for every rule an asset that passes and one that fails', async () => {
    const evaluations = await evaluationsOf();
    const having = (verdict: Verdict) =>
      new Set(evaluations.flatMap((each) => (each.verdict === verdict ? [each.ruleId] : [])));
    const ids = RULES.map(({ id }) => id);
    const remedy = (verdict: Verdict) =>
      `Add an asset on which each of these rules says ${verdict} to samples/shop-prod.ndjson`;
    expect(
      ids.filter((id) => !having('pass').has(id)),
      remedy('pass'),
    ).toEqual([]);
    expect(
      ids.filter((id) => !having('fail').has(id)),
      remedy('fail'),
    ).toEqual([]);
  });

  it('the sample inventory fails exactly where it is meant to', async () => {
    const failing = (await evaluationsOf()).filter(({ verdict }) => verdict === 'fail');
    const pairs = failing.map(({ ruleId, asset }) => `${ruleId} ${asset}`);
    const meant = Object.entries(FAILURES).flatMap(([rule, assets]) =>
      assets.map((asset) => `${rule} ${asset}`),
    );
    const remedy = 'Correct FAILURES in samples/shop-prod.test.ts, the sample or the rule';
    expect(pairs.toSorted(), remedy).toEqual(meant.toSorted());
  });

  it.each(TRAPS)(
    'the sample asset %s: the rule %s gives %s, as %s',
    async (asset, rule, verdict) => {
      const own = (await evaluationsOf()).filter(
        (each) => each.asset === asset && each.ruleId === rule,
      );
      expect(own.map((each) => each.verdict)).toEqual([verdict]);
    },
  );
});
