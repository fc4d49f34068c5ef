import { parseParent } from '@cspm/google-cloud';
import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { writeOut } from '../output-file.ts';
import { Pull } from '../pull.ts';
import { UsageError } from '../usage-error.ts';

/** An inventory shows how the cloud is protected, so only its owner may read it. */
const PRIVATE = 0o600;

export const inventoryPull = command({
  name: 'inventory pull',
  usage: 'cspm inventory pull --parent projects/<id> [--output inventory.ndjson.gz]',
  summary:
    'Pulls the inventory of a Google Cloud project, folder or organization with your Application Default Credentials. No service is needed.',
  options: {
    parent: {
      kind: 'text',
      value: 'parent',
      help: 'projects/<id or number>, folders/<number> or organizations/<number>.',
    },
    output: {
      kind: 'text',
      value: 'file',
      help: 'The output file, gzipped if its name ends with .gz. Default: standard output.',
    },
  },
  async run({ parent, output }, terminal) {
    if (parent === undefined)
      throw new UsageError('Set --parent, such as --parent projects/my-project.');
    const pull = new Pull(parseParent(parent), terminal);
    await writeOut(pull.lines(), {
      file: output,
      stream: terminal.output,
      mode: PRIVATE,
      isPacked: output?.endsWith('.gz') ?? false,
    });
    pull.sayResult();
    return EXIT.ok;
  },
});
