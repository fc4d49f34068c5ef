import { randomBytes } from 'node:crypto';
import { insertCustomRule } from '../custom-rules/custom-rule-rows.ts';
import { putConnection } from '../identity/saml/connection.ts';
import { newId } from '../ids.ts';
import { insertProfile } from '../profiles/profile-rows.ts';
import { insertProject } from '../projects/project-rows.ts';
import { cancelScan } from '../scans/scan-end.ts';
import { insertScan } from '../scans/scan-rows.ts';
import type { Services } from '../services.ts';
import type { TestDatabase } from './database.ts';
import type { TestIdentityProvider } from './identity-provider.ts';
import type { TestTenant } from './people.ts';

interface ProjectOf {
  readonly id: string;
  readonly name: string;
}

/** Puts things of a tenant into the database the short way: each call makes another one. */
export class Belongings {
  readonly #services: Services;
  readonly #database: TestDatabase;
  readonly #tenant: TestTenant;

  constructor(services: Services, database: TestDatabase, tenant: TestTenant) {
    this.#services = services;
    this.#database = database;
    this.#tenant = tenant;
  }

  /** A project with an inventory of one bucket, so that preflight lets a scan start. */
  async project(): Promise<ProjectOf> {
    const id = newId();
    const name = `project-${id.slice(-12)}`;
    const createdAt = this.#services.clock.now();
    await this.#services.tenants.write(this.#tenant.id, async (db) => {
      await insertProject(db, { id, name, description: null, createdAt });
      const inventoryId = newId();
      await db.sql(INVENTORY, [this.#tenant.id, inventoryId, id, createdAt]);
      await db.sql(IN_FORCE, [this.#tenant.id, id, inventoryId]);
    });
    return { id, name };
  }

  /** A queued scan. */
  async scan(): Promise<string> {
    const project = await this.project();
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

  /** A rule that looks at buckets. */
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

  /** A choice of rules. */
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

  /** Trust in an identity provider, in the place of what was there. */
  async samlConnection(provider: TestIdentityProvider): Promise<string> {
    const { settings } = provider;
    const id = newId();
    const createdAt = this.#services.clock.now();
    await this.#database.owner.query(
      `UPDATE identity.tenants SET features = array_append(features, 'sso')
       WHERE id = $1 AND NOT 'sso' = ANY (features)`,
      [this.#tenant.id],
    );
    await this.#services.tenants.write(this.#tenant.id, (db) =>
      putConnection(db, { ...settings, id, tenantId: this.#tenant.id, createdAt }),
    );
    return id;
  }

  /** A code that opens a session of some member. */
  async exchangeCode(provider: TestIdentityProvider): Promise<string> {
    const connectionId = await this.samlConnection(provider);
    const { rows } = await this.#database.owner.query<{ user_id: string }>(
      `SELECT user_id FROM identity.memberships WHERE tenant_id = $1 AND status = 'active' LIMIT 1`,
      [this.#tenant.id],
    );
    const userId = rows[0]?.user_id ?? newId();
    return this.#services.tenants.write(this.#tenant.id, (db) =>
      this.#services.exchangeCodes.issue(db, { userId, connectionId, amr: ['saml'] }),
    );
  }

  /** An open finding. Only workers write those, so it is put there by the owner of the table. */
  async finding(): Promise<string> {
    const project = await this.project();
    const id = newId();
    const at = this.#services.clock.now().toISOString();
    // Sent as one message, so one transaction; all values are our own.
    await this.#database.owner.query(`
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
  text: `INSERT INTO inventories (tenant_id, id, project_id, status, assets, asset_types, bytes, warnings, contents, created_at)
         VALUES ($1, $2, $3, 'ready', 1, '[{"type":"storage.googleapis.com/Bucket","count":1}]', 100, '[]',
                 '{"projects":[],"kinds":{"RESOURCE":1},"policies":[],"newestUpdate":null}', $4)`,
};

const IN_FORCE = {
  name: 'test-inventory-in-force',
  text: 'UPDATE projects SET inventory_id = $3 WHERE tenant_id = $1 AND id = $2',
};
