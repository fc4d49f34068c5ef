import {
  PROFILE_NAMES,
  type ProfileDefinition,
  resolveCustomProfile,
  resolveProfile,
} from '@cspm/scanner';
import type { TenantConnection } from '../database/tenant-database.ts';
import { lockTenant } from '../identity/members.ts';
import { wholeList } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound, ProblemError, validationFailed } from '../pipeline/problems.ts';
import {
  deleteProfile,
  insertProfile,
  listProfiles,
  PROFILES_MAX,
  updateProfile,
} from '../profiles/profile-rows.ts';
import { builtInProfileView, tenantProfileView } from '../profiles/profile-view.ts';
import { choiceWith, findTenantRules, type TenantRules } from '../profiles/tenant-rules.ts';

export const profiles: HandlersOf<'profiles'> = {
  async list({ db }) {
    const tenant = await findTenantRules(db);
    const own = await listProfiles(db);
    return {
      status: 200,
      body: wholeList([
        ...PROFILE_NAMES.flatMap((name) => {
          const profile = resolveProfile(name);
          return profile === undefined ? [] : [builtInProfileView(name, profile, tenant)];
        }),
        ...own.map((definition) => tenantProfileView(definition, tenant)),
      ]),
    };
  },

  async create({ input: { body }, db, origin, audit }) {
    const tenant = await verified(db, body);
    await lockTenant(db);
    if ((await listProfiles(db)).length >= PROFILES_MAX) {
      throw new ProblemError(
        'CONFLICT',
        `Your tenant has ${PROFILES_MAX} profiles, which is as many as it may have. Delete one first.`,
      );
    }
    if (!(await insertProfile(db, body, origin.at))) {
      throw new ProblemError('CONFLICT', `There is a profile of the name ${body.name} already.`);
    }
    audit({ subject: body.name, detail: detailOf(body) });
    return { status: 201, body: tenantProfileView(body, tenant) };
  },

  async update({ input: { params, body }, db, origin, audit }) {
    const definition = { name: params.name, ...body };
    const tenant = await verified(db, definition);
    if (!(await updateProfile(db, definition, origin.at))) throw notFound();
    audit({ subject: params.name, detail: detailOf(definition) });
    return { status: 200, body: tenantProfileView(definition, tenant) };
  },

  async delete({ input: { params }, db, audit }) {
    if (!(await deleteProfile(db, params.name))) throw notFound();
    audit({ subject: params.name });
    return { status: 204, body: undefined };
  },
};

/**
 * What the tenant has to choose from, for a definition that chooses well; rules that are switched off count.
 * @throws {ProblemError} VALIDATION_FAILED with every fault and its place.
 */
async function verified(db: TenantConnection, definition: ProfileDefinition): Promise<TenantRules> {
  const tenant = await findTenantRules(db);
  const { faults } = resolveCustomProfile(definition, choiceWith(tenant.custom));
  if (faults.length === 0) return tenant;
  throw validationFailed(faults.map(({ path, message }) => ({ path: `body.${path}`, message })));
}

function detailOf({ include, exclude, parameters }: ProfileDefinition) {
  return { include, exclude, parameters };
}
