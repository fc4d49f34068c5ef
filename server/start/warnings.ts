import { access, constants } from 'node:fs/promises';
import type { Config } from '../config.ts';

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

function isReadable(file: string): Promise<boolean> {
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}
