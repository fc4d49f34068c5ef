import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { CLOCK_FUNCTIONS } from '../../../tests/kit/database-clock.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

/**
 * Every SECURITY DEFINER function, by the effect of its largest argument. When you add one, decide how its arguments
 * are bounded and list it here.
 */
const BOUNDED = {
  'clamps its time to the clock of the database': [
    'identity.begin_google',
    'identity.begin_saml',
    'identity.enter_break_glass',
    'identity.reserve_attempt',
    'identity.take_google_token',
    'identity.touch_key',
    'jobs.beat',
    'jobs.claim_webhooks',
    'jobs.ensure_partitions',
    'jobs.due_digests',
    'jobs.due_schedules',
    'jobs.forget_identity',
    'jobs.forget_registrations',
    'jobs.lease_deliveries',
    'jobs.not_after_now',
    'jobs.postpone_digest',
    'jobs.postpone_schedule',
    'jobs.release_dead',
    'jobs.retire_default_rows',
    'jobs.retire_partitions',
  ],
  'clamps its size, count or interval': [
    'identity.list_keys',
    'identity.list_members',
    'jobs.enqueue',
    'jobs.enqueue_pull',
    'jobs.erase_former_members',
    'jobs.keep_trying',
    'jobs.release_deliveries',
  ],
  'reads no more than the arguments name, or a bounded list': [
    'identity.account_of',
    'identity.active_keys',
    'identity.account_standing',
    'identity.admin_addresses',
    'identity.applicant',
    'identity.authenticate_key',
    'identity.authenticate_session',
    'identity.belongs_elsewhere',
    'identity.custom_roles',
    'identity.exchange_code_tenant',
    'identity.find_google',
    'identity.find_login',
    'identity.find_member',
    'identity.find_tenant',
    'identity.google_request',
    'identity.has_domain_of',
    'identity.has_other_admin',
    'identity.has_pending_factor',
    'identity.has_saml',
    'identity.has_sso',
    'identity.hold_active_member',
    'identity.hold_member',
    'identity.hold_person_of',
    'identity.hold_session',
    'identity.is_newcomers_role',
    'identity.is_provider_key',
    'identity.list_domains',
    'identity.list_sessions',
    'identity.mail_token_holder',
    'identity.membership_of',
    'identity.memberships_of',
    'identity.password_of',
    'identity.roles_at_domains',
    'identity.saml_candidate',
    'identity.saml_confirmation',
    'identity.saml_connection_of',
    'identity.saml_request',
    'identity.saml_request_browser',
    'identity.saml_settings',
    'identity.saml_tenant_of_domain',
    'identity.digest_recipient',
    'identity.schedule_creator',
    'identity.session_limit',
    'identity.session_of',
    'identity.still_holds_password',
    'identity.tenant_of_sign_in',
    'identity.tenant_to_tell',
    'identity.this_tenant',
    'identity.two_factor_of',
    'jobs.abandoned',
    'jobs.analyze_grown',
    'jobs.analyze_grown_mutes',
    'jobs.depth',
    'jobs.moved_tenants',
    'jobs.tenants',
    'cells.cell_of',
    'cells.enter',
    'cells.guard',
    'cells.lock_tenant',
    'cells.member_since',
    'cells.standing',
    'cells.waiting',
  ],
  'changes rows of the one person, session, token or tenant that it names': [
    'identity.accept_invite',
    'identity.activate_membership',
    'identity.add_domain',
    'identity.admit_by_google',
    'identity.admit_by_saml',
    'identity.begin_confirmation',
    'identity.begin_pending_factor',
    'identity.begin_two_factor',
    'identity.change_member',
    'identity.change_password',
    'identity.change_role',
    'identity.change_tenant',
    'identity.complete_confirmation',
    'identity.consume_google',
    'identity.consume_saml',
    'identity.create_key',
    'identity.create_role',
    'identity.create_session_key',
    'identity.delete_exchange_codes',
    'identity.delete_role',
    'identity.delete_saml_settings',
    'identity.disable_two_factor',
    'identity.enable_pending_factor',
    'identity.enable_two_factor',
    'identity.end_session',
    'identity.enter_by_google',
    'identity.enter_by_saml',
    'identity.invite_member',
    'identity.issue_exchange_code',
    'identity.issue_google_code',
    'identity.issue_mail_token',
    'identity.limit_session',
    'identity.lock_tenant',
    'identity.name_only_members',
    'identity.note_confirmation_mail',
    'identity.note_label',
    'identity.only_of_members',
    'identity.open_session',
    'identity.put_saml_connection',
    'identity.put_saml_settings',
    'identity.raise_session',
    'identity.redeem_exchange_code',
    'identity.register',
    'identity.register_applicant',
    'identity.release_attempt',
    'identity.remove_domain',
    'identity.remove_member',
    'identity.replace_recovery_codes',
    'identity.require_confirmation',
    'identity.reset_password',
    'identity.revoke_key',
    'identity.revoke_saml_access',
    'identity.revoke_session',
    'identity.revoke_sessions',
    'identity.rotate_refresh',
    'identity.set_domain_verified',
    'identity.shut_out',
    'identity.spend_mail_token',
    'identity.spend_recovery_code',
    'identity.spend_totp_step',
    'identity.verify_email',
    'identity.void_invitation',
    'identity.void_unproven',
    'jobs.erase_event_addresses',
    'jobs.forget',
    'jobs.note_digest',
    'jobs.note_schedule',
    'public.delete_asset_index',
    'public.delete_findings',
    'jobs.note_webhook',
    'jobs.note_webhook_deliveries',
    'jobs.note_webhook_delivery',
    'cells.capture',
    'cells.delivered',
    'cells.erase_member',
    'cells.forward_event',
    'cells.note_label',
    'cells.note_removal',
  ],
} as const;

describe('functions that run as their owner', () => {
  it('every function that runs as its owner is listed with the worst effect of its arguments', async () => {
    const { rows } = await database.owner.query<{ name: string }>(
      `SELECT DISTINCT n.nspname || '.' || p.proname AS name
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE p.prosecdef AND n.nspname IN ('public', 'identity', 'jobs', 'partitions', 'cells') ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.values(BOUNDED).flat().toSorted());
  });

  it('functions that run as their owner search no schema that a caller could write to', async () => {
    const { rows } = await database.owner.query(
      `SELECT p.oid::regprocedure::text AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE p.prosecdef AND n.nspname IN ('public', 'identity', 'jobs', 'partitions', 'cells')
         AND NOT ('search_path=pg_catalog, pg_temp' = ANY (p.proconfig))`,
    );
    expect(rows).toEqual([]);
  });

  it.each(['appUrl', 'workerUrl'] as const)(
    'functions that run as their owner read the time from functions that the role of %s cannot replace',
    async (url) => {
      const client = new pg.Client({ connectionString: database[url] });
      await client.connect();
      for (const name of Object.keys(CLOCK_FUNCTIONS)) {
        await expect(
          client.query(
            `CREATE OR REPLACE FUNCTION identity.${name}(at timestamptz) RETURNS timestamptz LANGUAGE sql AS 'SELECT at'`,
          ),
        ).rejects.toMatchObject({ code: '42501' });
      }
      await client.end();
    },
  );

  it('the serving role cannot end a membership in a tenant that it names', async () => {
    const client = new pg.Client({ connectionString: database.appUrl });
    await client.connect();
    await expect(
      client.query('SELECT identity.end_membership(gen_random_uuid(), gen_random_uuid())'),
    ).rejects.toMatchObject({ code: '42501' });
    await client.end();
  });
});
