import { access, constants } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { TenantDirectory } from '../modules/tenants/index.ts';

/** What is probably a mistake in the configuration, but does not stop a start: one line each, with the remedy. */
export async function startWarnings(config: Config): Promise<string[]> {
  const warnings: string[] = [];
  if (config.breakGlassLacksKey) {
    warnings.push(
      'BREAK_GLASS_ENABLED: is true, but MASTER_KEY is not set, so every master key is refused; set MASTER_KEY',
    );
  }
  const { GOOGLE_APPLICATION_CREDENTIALS: file } = config.googleCloud.environment;
  if (file !== undefined && file !== '' && !(await isReadable(file))) {
    warnings.push(
      `GOOGLE_APPLICATION_CREDENTIALS: cannot read ${file}, so inventory sources that impersonate a service account fail; set the path of a readable file`,
    );
  }
  return warnings;
}

/** The same about what the configuration says of the database. An outage that begins meanwhile is not a mistake. */
export async function databaseWarnings(
  { globalApiKey }: Pick<Config, 'globalApiKey'>,
  directory: Pick<TenantDirectory, 'tenant'>,
): Promise<string[]> {
  if (globalApiKey === null) return [];
  const { tenantId } = globalApiKey;
  const tenant = await directory.tenant(tenantId).catch(() => undefined);
  return tenant === null
    ? [
        `GLOBAL_API_KEY_TENANT: tenant ${tenantId} does not exist, so GLOBAL_API_KEY is refused; set the id of a tenant (npm run admin -- tenant list)`,
      ]
    : [];
}

function isReadable(file: string): Promise<boolean> {
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}
