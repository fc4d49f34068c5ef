import { type Config, ConfigError, readConfig } from '../../server/config.ts';

/** A process of the server as a deployment starts it. */
export interface DeployedProcess {
  /** The file, and what the process is called there. */
  readonly where: string;
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Ends by itself, as migrations do, and drains nothing. */
  readonly isTask: boolean;
  /** How long it may take to end before it is killed; null: whatever the default is. */
  readonly graceSeconds: number | null;
}

/** How the server would run there. Null: it would not, and `environmentFaults` says why. */
export function configOf({ environment }: DeployedProcess): Config | null {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/** What the server itself would say on starting with that environment. */
export function refusals({ environment }: DeployedProcess): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
