import type { Cell } from '../../platform/cells/cell-config.ts';
import { prepareCells, reachableCells } from '../../platform/cells/prepare.ts';
import type { Operator } from '../operator.ts';

/**
 * Prepares the databases that a command uses. Other cells are prepared too, which proves that all of them are separate
 * databases, but only if they answer.
 * @param names of the databases that the command cannot do without.
 * @returns the cells that were prepared.
 */
export async function prepareFor(
  { ownerUrl, cells }: Pick<Operator, 'ownerUrl' | 'cells'>,
  names: readonly string[],
): Promise<readonly Cell[]> {
  const reachable = await reachableCells(cells);
  const used = cells.filter((cell) => names.includes(cell.name) || reachable.includes(cell));
  await prepareCells(ownerUrl, used, { known: cells });
  return used;
}
