import { type Config, ConfigError, readConfig } from '../../server/config.ts';

/** A process of the server in a deployment. */
export interface DeployedProcess {
  /** The file, and the name of the process in it. */
  readonly where: string;
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** Ends by itself, as migrations do, and does not drain. */
  readonly isTask: boolean;
  /** Its health check is turned off. */
  readonly isUnchecked: boolean;
  /** The grace period before it is killed; null: the default of Compose or Kubernetes. */
  readonly graceSeconds: number | null;
  /** The memory at which it is ended; null: none. */
  readonly memoryMib: number | null;
}

/** The resulting configuration of the server. Null: it is invalid, and `environmentFaults` says why. */
export function configOf({ environment }: DeployedProcess): Config | null {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/** The errors with which the server would refuse that environment. */
export function refusals({ environment }: DeployedProcess): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
