import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { putConnection } from '../../server/modules/auth/saml/connection.ts';
import { SignInCookie } from '../../server/modules/auth/sessions/sign-in-cookie.ts';
import { AssetIndex } from '../../server/modules/inventories/asset-index.ts';
import { insertChunk } from '../../server/modules/inventories/chunks.ts';
import { insertProject } from '../../server/modules/projects/queries.ts';
import { insertCustomRule } from '../../server/modules/rules/custom-rule-queries.ts';
import { insertProfile } from '../../server/modules/rules/profile-queries.ts';
import { insertScan } from '../../server/modules/scans/queries.ts';
import { cancelScan } from '../../server/modules/scans/scan-end.ts';
import { insertPull } from '../../server/modules/sources/pull-queries.ts';
import { putSource } from '../../server/modules/sources/queries.ts';
import { newId } from '../../server/platform/ids.ts';
import { ProblemError } from '../../server/platform/problem.ts';
import type { Services } from '../../server/services.ts';
import { type CookieJar, sharedBrowser } from './cookie-jar.ts';
import type { TestDatabase } from './database.ts';
import type { TestIdentityProvider } from './identity-provider.ts';
import type { TestTenant } from './people.ts';

/** The asset of each project. */
export const PROJECT_ASSET = '//storage.googleapis.com/shop-uploads';
const BUCKET = 'storage.googleapis.com/Bucket';

interface ProjectOf {
  readonly id: string;
  readonly name: string;
}

/** Inserts resources of a tenant directly into the database; each call creates another one. */
export class Belongings {
  readonly #services: Services;
  readonly #database: TestDatabase;
  readonly #rows: TestDatabase;
  readonly #tenant: TestTenant;
  #compared: Promise<{ readonly earlier: string; readonly later: string }> | null = null;

  /** @param rows the database with the rows of the tenant, if that is not the one with the identities. */
  constructor(
    services: Services,
    database: TestDatabase,
    tenant: TestTenant,
    rows: TestDatabase = database,
  ) {
    this.#rows = rows;
    this.#services = services;
    this.#database = database;
    this.#tenant = tenant;
  }

  /** A project with an inventory of one bucket, so preflight allows a scan. */
  async project(): Promise<ProjectOf> {
    const id = newId();
    const name = `project-${id.slice(-12)}`;
    const createdAt = this.#services.clock.now();
    await this.#services.tenants.write(this.#tenant.id, async (db) => {
      await insertProject(db, { id, name, description: null, createdAt });
      const inventoryId = newId();
      await db.sql(INVENTORY, [this.#tenant.id, inventoryId, id, createdAt]);
      await db.sql(IN_FORCE, [this.#tenant.id, id, inventoryId]);
      const index = new AssetIndex();
      index.add({ name: PROJECT_ASSET, type: BUCKET, location: null });
      const data = gzipSync(JSON.stringify({ name: PROJECT_ASSET, asset_type: BUCKET }));
      await insertChunk(db, inventoryId, 0, { assets: 1, data, referenceAssets: null, index });
    });
    return { id, name };
  }

  /** A project with an inventory source that has never been pulled. */
  async projectWithSource(): Promise<ProjectOf> {
    const project = await this.project();
    await this.#services.tenants.write(this.#tenant.id, (db) =>
      putSource(db, {
        projectId: project.id,
        kind: 'google-cloud',
        parent: 'projects/shop-prod',
        credentialType: 'impersonation',
        principal: 'cspm-test@shop-prod.iam.gserviceaccount.com',
        credential: null,
        createdByKind: 'jwt',
        createdById: newId(),
        createdByLabel: 'somebody@example.com',
        createdAt: this.#services.clock.now(),
      }),
    );
    return project;
  }

  /** A queued pull of a project of its own. */
  async pull(): Promise<{ readonly id: string; readonly project: ProjectOf }> {
    const project = await this.projectWithSource();
    const by = { kind: 'jwt', id: newId(), label: 'somebody@example.com' };
    const id = await this.#services.tenants.write(this.#tenant.id, (db) =>
      insertPull(db, project.id, by, this.#services.clock.now()),
    );
    if (id === null) throw new Error('The pull was not queued');
    return { id, project };
  }

  /** A queued scan, by default of a project of its own. */
  async scan(given?: ProjectOf): Promise<string> {
    const project = given ?? (await this.project());
    const id = newId();
    await this.#services.tenants.write(this.#tenant.id, (db) =>
      insertScan(db, {
        id,
        ruleset: { profile: 'full', digest: '0'.repeat(64), rules: [] },
        createdBy: { kind: 'jwt', id: newId(), label: 'somebody@example.com' },
        createdAt: this.#services.clock.now(),
        projects: [project],
      }),
    );
    return id;
  }

  /** A scan that was cancelled before it began. */
  async endedScan(): Promise<string> {
    const id = await this.scan();
    await this.#services.tenants.write(this.#tenant.id, (db) =>
      cancelScan(db, id, this.#services.clock.now()),
    );
    return id;
  }

  /** Two completed scans of a project; every call returns the same. */
  comparedScans(): Promise<{ readonly earlier: string; readonly later: string }> {
    this.#compared ??= this.#createComparedScans();
    return this.#compared;
  }

  async #createComparedScans() {
    const project = await this.project();
    const [earlier, later] = [await this.scan(project), await this.scan(project)];
    // Only workers may complete scans.
    await this.#rows.owner.query(`
      SELECT set_config('app.tenant_id', '${this.#tenant.id}', true);
      UPDATE scan_projects SET status = 'completed' WHERE scan_id IN ('${earlier}', '${later}');
      UPDATE scans SET status = 'completed' WHERE id IN ('${earlier}', '${later}')`);
    return { earlier, later };
  }

  /** A custom rule on buckets. */
  async customRule(): Promise<string> {
    const id = `rule-${newId()}`;
    const rule = {
      id,
      title: 'Bucket without an owner',
      description: '',
      severity: 'medium',
      assetTypes: ['storage.googleapis.com/Bucket'],
      predicate: '!has(resource.data.labels)',
      recommendation: '',
      needs: ['RESOURCE'],
      enabled: true,
      tests: [],
    } as const;
    await this.#services.tenants.write(this.#tenant.id, (db) =>
      insertCustomRule(db, rule, this.#services.clock.now()),
    );
    return id;
  }

  /** A custom profile. */
  async profile(): Promise<string> {
    const profile = {
      name: `custom:${newId()}`,
      include: ['category:storage'],
      exclude: [],
      parameters: {},
    };
    await this.#services.tenants.write(this.#tenant.id, (db) =>
      insertProfile(db, profile, this.#services.clock.now()),
    );
    return profile.name;
  }

  /** A verified e-mail domain. */
  async verifiedDomain(domain = `${newId()}.example`): Promise<string> {
    await this.#database.owner.query(
      `INSERT INTO identity.tenant_domains (tenant_id, domain, token, created_at, verified_at)
       VALUES ($1, $2, 'test-token', $3, $3) ON CONFLICT DO NOTHING`,
      [this.#tenant.id, domain, this.#services.clock.now()],
    );
    return domain;
  }

  /** Replaces the SAML connection of a tenant. Its domain is verified unless stated otherwise. */
  async samlConnection(provider: TestIdentityProvider, verified = true): Promise<string> {
    const { settings } = provider;
    const id = newId();
    const createdAt = this.#services.clock.now();
    await this.#database.owner.query(
      `UPDATE identity.tenants SET features = array_append(features, 'sso')
       WHERE id = $1 AND NOT 'sso' = ANY (features)`,
      [this.#tenant.id],
    );
    await this.#services.identityTenants.write(this.#tenant.id, (db) =>
      putConnection(db, { ...settings, id, tenantId: this.#tenant.id, createdAt, vouches: ['*'] }),
    );
    if (verified) await this.verifiedDomain(settings.emailDomains[0]);
    return id;
  }

  /** A code that opens a session of a member in that browser. */
  async exchangeCode(
    provider: TestIdentityProvider,
    browser: CookieJar = sharedBrowser,
  ): Promise<string> {
    const connectionId = await this.samlConnection(provider);
    const { rows } = await this.#database.owner.query<{ user_id: string }>(
      `SELECT user_id FROM identity.memberships WHERE tenant_id = $1 AND status = 'active' LIMIT 1`,
      [this.#tenant.id],
    );
    const userId = rows[0]?.user_id ?? newId();
    const cookie = new SignInCookie(this.#services.web.url);
    const { hash: browserHash, setCookie } = cookie.begin(browser.headers['cookie']);
    browser.keep(setCookie);
    return this.#services.identityTenants.write(this.#tenant.id, (db) =>
      this.#services.exchangeCodes.issue(db, {
        ...{ userId, connectionId, amr: ['saml'], browserHash, confirm: null },
      }),
    );
  }

  /** The token of a sign-in that waits until the member confirms the identity provider. */
  async samlConfirmation(provider: TestIdentityProvider, user: { id: string }): Promise<string> {
    const connectionId = await this.samlConnection(provider);
    const { identityTenants: tenants, exchangeCodes, clock, web } = this.#services;
    const { hash: browserHash, setCookie } = new SignInCookie(web.url).begin(undefined);
    const who = { userId: user.id, connectionId, amr: ['saml'], browserHash, confirm: newId() };
    const code = await tenants.write(this.#tenant.id, (db) => exchangeCodes.issue(db, who));
    const origin = { ip: '192.0.2.1', correlationId: newId(), at: clock.now() };
    const refusal: unknown = await exchangeCodes
      .redeem(code, setCookie.split(';')[0], origin)
      .catch((error) => error);
    if (!(refusal instanceof ProblemError)) throw new Error('The code opened a session');
    return refusal.members.confirmation?.token ?? '';
  }

  /** An open finding, inserted by the owner of the table because only workers may write findings. */
  async finding(): Promise<string> {
    const project = await this.project();
    const id = newId();
    const at = this.#services.clock.now().toISOString();
    // One message and so one transaction; no value comes from outside.
    await this.#rows.owner.query(`
      SELECT set_config('app.tenant_id', '${this.#tenant.id}', true);
      INSERT INTO findings (tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type,
                            subject, message, evidence, status, delta, first_seen_at, last_seen_at, last_scan_id)
      VALUES ('${this.#tenant.id}', '${id}', '${project.id}', '\\x${randomBytes(32).toString('hex')}',
              'bucket-public', 'high', 'Public bucket', '//storage.googleapis.com/b', 'storage.googleapis.com/Bucket',
              '', 'Anybody can read it', '[]', 'open', 'new', '${at}', '${at}', '${newId()}')`);
    return id;
  }
}

const INVENTORY = {
  name: 'test-inventory',
  text: `INSERT INTO inventories (tenant_id, id, project_id, status, assets, asset_types, bytes, warnings, contents, created_at, indexed_at)
         VALUES ($1, $2, $3, 'ready', 1, '[{"type":"storage.googleapis.com/Bucket","count":1}]', 100, '[]',
                 '{"projects":[],"kinds":{"RESOURCE":1},"policies":[],"newestUpdate":null}', $4, $4)`,
};

const IN_FORCE = {
  name: 'test-inventory-in-force',
  text: 'UPDATE projects SET inventory_id = $3 WHERE tenant_id = $1 AND id = $2',
};
