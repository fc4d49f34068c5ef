import {
  PROFILE_NAMES,
  type ProfileDefinition,
  resolveCustomProfile,
  resolveProfile,
  SelectableRules,
} from '@cspm/scanner';
import { wholeList } from '../../platform/cursor.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { lockTenant } from '../tenants/index.ts';
import {
  countProfiles,
  deleteProfile,
  insertProfile,
  listProfiles,
  PROFILES_MAX,
  updateProfile,
} from './profile-queries.ts';
import { builtInProfileView, tenantProfileView, type View } from './profile-view.ts';
import { compareSelectors } from './resolve-profile.ts';
import { enabledRules } from './ruleset.ts';
import { choiceWith, findTenantRules, type TenantRules } from './tenant-rules.ts';

export const profiles: HandlersOf<'profiles'> = {
  async list({ db }) {
    const tenant = await findTenantRules(db);
    const own = await listProfiles(db);
    const rules = enabledRules(tenant);
    const yielder = new EventLoopYielder();
    const items = PROFILE_NAMES.flatMap((name): View[] => {
      const profile = resolveProfile(name);
      return profile === undefined ? [] : [builtInProfileView(name, profile, tenant)];
    });
    for (const definition of own) {
      items.push(await tenantProfileView(definition, tenant, rules));
      if (yielder.isDue) await yielder.yieldNow();
    }
    return { status: 200, body: wholeList(items) };
  },

  async create({ input: { body }, db, origin, audit }) {
    const tenant = await verified(db, body);
    await lockTenant(db);
    if ((await countProfiles(db)) >= PROFILES_MAX) {
      throw new ProblemError(
        'CONFLICT',
        `Your tenant has ${PROFILES_MAX} profiles, which is the limit. Delete one first.`,
      );
    }
    if (!(await insertProfile(db, body, origin.at))) {
      throw new ProblemError('CONFLICT', `A profile with the name ${body.name} already exists.`);
    }
    audit({ subject: body.name, detail: detailOf(body) });
    return { status: 201, body: await tenantProfileView(body, tenant, enabledRules(tenant)) };
  },

  async update({ input: { params, body }, db, origin, audit }) {
    const definition = { name: params.name, ...body };
    const tenant = await verified(db, definition);
    if (!(await updateProfile(db, definition, origin.at))) throw notFound();
    audit({ subject: params.name, detail: detailOf(definition) });
    return { status: 200, body: await tenantProfileView(definition, tenant, enabledRules(tenant)) };
  },

  async delete({ input: { params }, db, audit }) {
    if (!(await deleteProfile(db, params.name))) throw notFound();
    audit({ subject: params.name });
    return { status: 204, body: undefined };
  },
};

/**
 * Checks a definition against the tenant's rules, including disabled ones.
 * @throws {ProblemError} VALIDATION_FAILED with every fault and its path.
 */
async function verified(db: TenantConnection, definition: ProfileDefinition): Promise<TenantRules> {
  const tenant = await findTenantRules(db);
  const rules = new SelectableRules(choiceWith(tenant.custom));
  await compareSelectors(definition, rules);
  const { faults } = resolveCustomProfile(definition, rules);
  if (faults.length === 0) return tenant;
  throw validationFailed(faults.map(({ path, message }) => ({ path: `body.${path}`, message })));
}

function detailOf({ include, exclude, parameters }: ProfileDefinition) {
  return { include, exclude, parameters };
}
