import { prepareCells } from '../../platform/cells/prepare.ts';
import type { Operator } from '../operator.ts';
import { prepareFor } from './prepare-for.ts';

/**
 * Migrates the databases of cells: first those that answer, so that one that does not answer keeps no other from it.
 * @param options.skipUnreachable whether the others are left to the servers, which migrate them when they answer.
 */
export async function migrateCells(
  operator: Operator,
  { skipUnreachable }: { readonly skipUnreachable: boolean },
): Promise<void> {
  const migrated = await prepareFor(operator, []);
  const rest = operator.cells.filter((cell) => !migrated.includes(cell)).map(({ name }) => name);
  if (rest.length > 0) {
    if (!skipUnreachable) await prepareCells(operator.ownerUrl, operator.cells);
    operator.warn(
      `Warning: skipped cells that do not answer: ${rest.join(', ')}. Servers migrate them when they do.`,
    );
  }
  operator.say('The database is up to date.');
}
