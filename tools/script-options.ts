import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * The options of a command of maintainers, as `parseArgs` reads them. `--help` prints the usage and ends the process
 * with 0. A wrong option prints what is wrong with the usage, and ends it with 2.
 */
export function scriptOptions<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if ((config.args ?? process.argv.slice(2)).includes('--help')) {
    console.log(`Usage: ${usage}`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const [fault] = (error instanceof Error ? error.message : String(error)).split('. To specify');
    console.error(`${fault}\nUsage: ${usage}`);
    process.exit(2);
  }
}
