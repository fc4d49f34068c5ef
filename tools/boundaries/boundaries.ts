import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import configuration from '../../.dependency-cruiser.mjs';
import { type Import, roomCycles } from './rooms.ts';

const TEST = /\.(test|test-d|cases)\.ts$/;

/** A violated rule, with the violating files. */
export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Findings {
  readonly violations: readonly Violation[];
  readonly cycles: readonly string[];
  readonly files: number;
}

export const RULES: readonly string[] =
  configuration.forbidden?.map(({ name }) => name ?? '') ?? [];

/**
 * Checks the imports of a tree against the rules of `.dependency-cruiser.mjs`, and finds cycles between rooms.
 * @param tsConfigFile Default: the tree has no path aliases.
 */
export async function findViolations(
  root: string,
  folders: readonly string[],
  tsConfigFile?: string,
): Promise<Findings> {
  const { forbidden, options } = configuration;
  const { tsConfig: _, enhancedResolveOptions, ...cruiseOptions } = options ?? {};
  const { output } = await cruise(
    [...folders],
    {
      ...cruiseOptions,
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: forbidden ?? [] },
      ...(tsConfigFile === undefined ? {} : { tsConfig: { fileName: tsConfigFile } }),
    },
    enhancedResolveOptions,
    tsConfigFile === undefined ? {} : { tsConfig: extractTSConfig(tsConfigFile) },
  );
  if (typeof output === 'string') throw new Error(output);
  const imports: Import[] = output.modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
  return {
    violations: output.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
    })),
    cycles: roomCycles(imports.filter(isOfServer)),
    files: output.modules.length,
  };
}

function isOfServer({ from, to }: Import): boolean {
  return [from, to].every((file) => file.startsWith('server/') && !TEST.test(file));
}
