import { count } from '../../lib/format.ts';

export interface SelectionSize {
  /** Selected rows. */
  readonly size: number;
  /** Findings that match the search, loaded or not. Undefined: not known yet. */
  readonly total: number | undefined;
  /** All matches are selected, and not only rows. */
  readonly isAll: boolean;
  /** How many of the selected findings can be muted. Undefined: not known yet. */
  readonly mutable: number | undefined;
  /** How many findings can be muted at once, if more are selected. */
  readonly limit: number | undefined;
  /** Left out: the person may not mute. */
  readonly onMute: (() => void) | undefined;
}

/** How many findings are selected, and why not all of them can be muted. */
export function selectionText({ size, total, isAll, mutable, limit, onMute }: SelectionSize) {
  const selected = isAll ? total : size;
  const text = `${selected === undefined ? 'All' : count(selected)} selected`;
  if (onMute === undefined) return text;
  if (limit !== undefined) return `${text}, at most ${count(limit)} can be muted at once`;
  if (mutable === undefined || mutable === selected) return text;
  return `${text}, ${count(mutable)} open. Only open findings can be muted`;
}
