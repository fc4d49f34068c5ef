import type { contract } from '@cspm/contract';
import { type CustomRuleDefinition, type CustomRuleTest, idFromTitle, RULES } from '@cspm/scanner';
import type { z } from 'zod';
import { momentAfter, momentKey, pageOfRows, RULE_ID } from '../../platform/cursor.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { selectProjects } from '../projects/queries.ts';
import { lockTenant } from '../tenants/index.ts';
import { fieldsOf } from './asset-fields.ts';
import type { CustomRuleChecks } from './custom-rule-checks.ts';
import {
  CUSTOM_RULES_MAX,
  type CustomRuleRow,
  countCustomRules,
  deleteCustomRule,
  insertCustomRule,
  pageOfCustomRules,
  type TestedRuleRow,
  updateCustomRule,
} from './custom-rule-queries.ts';
import { type Trial, tryOn } from './dry-run.ts';
import { assetsOfTypes } from './dry-run-assets.ts';

interface CustomRuleServices {
  readonly tenants: TenantDatabase;
  readonly customRules: CustomRuleChecks;
}

export const customRules: HandlersOf<'customRules', CustomRuleServices> = {
  async list({ input: { query }, db }) {
    const after = momentAfter(query.cursor, RULE_ID);
    const { rules, more } = await pageOfCustomRules(db, { after, limit: query.limit });
    return { status: 200, body: pageOfRows(rules, more, keyOf, customRuleView) };
  },

  create: {
    async prepare({ input: { body }, principal, services, reauthorize }) {
      const { tests, enabled, ...rest } = body;
      const definition = {
        ...rest,
        id: idOf(body),
        version: 1,
        assetTypes: distinct(rest.assetTypes),
      };
      const needs = await verified(services.customRules, principal.tenant.id, definition, tests);
      // The check may have waited for half a minute.
      await reauthorize();
      return async ({ db, origin, audit }) => {
        await lockTenant(db);
        if ((await countCustomRules(db)) >= CUSTOM_RULES_MAX) {
          throw new ProblemError(
            'CONFLICT',
            `Your tenant has ${CUSTOM_RULES_MAX} custom rules, which is the limit. Delete one first.`,
          );
        }
        const rule = { ...definition, needs, enabled, tests };
        const row = isBuiltIn(rule.id) ? null : await insertCustomRule(db, rule, origin.at);
        if (row === null) {
          throw new ProblemError(
            'CONFLICT',
            `A rule with the id ${rule.id} already exists. Choose another id.`,
          );
        }
        audit({ subject: row.id, detail: { version: row.version, enabled } });
        return { status: 201, body: customRuleView(row) };
      };
    },
  },

  update: {
    async prepare({ input: { params, body }, principal, services, reauthorize }) {
      const { tests, enabled, ...rest } = body;
      const definition = {
        ...rest,
        id: params.id,
        version: 1,
        assetTypes: distinct(rest.assetTypes),
      };
      const needs = await verified(services.customRules, principal.tenant.id, definition, tests);
      // The check may have waited for half a minute.
      await reauthorize();
      return async ({ db, origin, audit }) => {
        const rule = { ...definition, needs, enabled, tests };
        const row = await updateCustomRule(db, rule, origin.at);
        if (row === null) throw notFound();
        audit({ subject: row.id, detail: { version: row.version, enabled } });
        return { status: 200, body: customRuleView(row) };
      };
    },
  },

  async delete({ input: { params }, db, audit }) {
    if (!(await deleteCustomRule(db, params.id))) throw notFound();
    audit({ subject: params.id });
    return { status: 204, body: undefined };
  },

  async test({ input: { body }, principal, services }) {
    const { tests, enabled: _enabled, ...rest } = body.rule;
    const definition = { ...rest, id: idOf(body.rule), version: 1 };
    const { id: tenantId } = principal.tenant;
    if (body.project !== undefined) demandFindings(principal);
    const inventoryId =
      body.project === undefined ? null : await inventoryOf(services, tenantId, body.project);
    return services.customRules.check(tenantId, definition, tests, async (checked) => {
      const compiles = checked.faults.every(({ path }) => path !== 'predicate');
      const trial =
        inventoryId === null || !compiles
          ? NO_TRIAL
          : await tryOn(
              checked,
              assetsOfTypes(services.tenants, tenantId, inventoryId, definition.assetTypes),
            );
      const verdicts = trial.verdicts.map((verdict) => ({ ...verdict, expected: null }));
      const errors = checked.faults.map((fault) => ({ ...fault, path: `body.rule.${fault.path}` }));
      const { evaluated, complete } = trial;
      return {
        status: 200,
        body: { verdicts: [...checked.results, ...verdicts], errors, evaluated, complete },
      };
    });
  },

  async fields({ input: { query }, principal, services }) {
    const { id: tenantId } = principal.tenant;
    const inventoryId = await inventoryOf(services, tenantId, query.project);
    const types = distinct(query.assetType);
    const batches = assetsOfTypes(services.tenants, tenantId, inventoryId, types);
    const { fields, sampled, complete } = await fieldsOf(tenantId, batches, types);
    return {
      status: 200,
      body: {
        fields: fields.map(({ path, kinds, assets }) => ({
          path: [...path],
          kinds: [...kinds],
          assets,
        })),
        sampled,
        complete,
      },
    };
  },
};

/** Verdicts on the assets of a project tell what is in them. */
function demandFindings({ permissions }: Principal): void {
  if (permissions.has('findings.read')) return;
  throw new ProblemError(
    'FORBIDDEN',
    'Testing a rule on the assets of a project also requires the permission findings.read.',
    { members: { permission: 'findings.read' } },
  );
}

const NO_TRIAL: Trial = { verdicts: [], evaluated: 0, complete: true };

/** Newest first, then by id. */
function keyOf({ createdAt: at, id }: CustomRuleRow): string {
  return momentKey({ at, id });
}

/** Paths under `/custom-rules` that are not rules. A rule with such an id could be created, but not be changed or deleted. */
const RESERVED_IDS: ReadonlySet<string> = new Set(['fields', 'test']);

function idOf({ id, title }: { readonly id?: string | undefined; readonly title: string }): string {
  if (id !== undefined && RESERVED_IDS.has(id)) {
    const message = `cannot be "${id}", which is an operation of the API; choose another id`;
    throw validationFailed([{ path: 'body.id', message }]);
  }
  const own = id ?? idFromTitle(title);
  if (RESERVED_IDS.has(own)) return `${own}-rule`;
  if (own !== '') return own;
  const message = 'is required, because the title contains no letter or digit to derive an id from';
  throw validationFailed([{ path: 'body.id', message }]);
}

function isBuiltIn(id: string): boolean {
  return RULES.some((rule) => rule.id === id);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/**
 * Compiles a rule and runs its tests.
 * @throws {ProblemError} VALIDATION_FAILED with every fault and its path.
 */
function verified(
  checks: CustomRuleChecks,
  tenantId: string,
  definition: CustomRuleDefinition,
  tests: readonly CustomRuleTest[],
) {
  return checks.check(tenantId, definition, tests, async ({ faults, needs }) => {
    if (faults.length === 0) return needs;
    throw validationFailed(faults.map(({ path, message }) => ({ path: `body.${path}`, message })));
  });
}

async function inventoryOf(
  services: CustomRuleServices,
  tenantId: string,
  name: string,
): Promise<string> {
  const [project] = await services.tenants.read(tenantId, (db) =>
    selectProjects(db, { name, limit: 1 }),
  );
  if (project === undefined) throw notFound();
  if (project.inventory_id !== null) return project.inventory_id;
  throw new ProblemError(
    'CONFLICT',
    `Project ${name} has no inventory. Upload one with PUT /projects/${name}/inventory.`,
  );
}

type View = z.infer<(typeof contract.customRules.create.responses)[201]>;

function customRuleView(row: TestedRuleRow) {
  return {
    id: row.id,
    version: row.version,
    title: row.title,
    description: row.description,
    severity: row.severity,
    assetTypes: [...row.assetTypes],
    predicate: row.predicate,
    recommendation: row.recommendation,
    enabled: row.enabled,
    // Stored as the contract accepted them, so the cast is safe.
    tests: row.tests as View['tests'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
