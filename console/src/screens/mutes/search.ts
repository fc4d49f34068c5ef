import { textParam } from '../../lib/search-params.ts';

/** What the address of the screen contains. Values at their default are left out. */
export interface MutesSearch {
  readonly view?: 'expired' | undefined;
  /** Opens the form for a new mute, for this rule. */
  readonly muteRule?: string | undefined;
  /** Only the mutes of the finding with this id. */
  readonly finding?: string | undefined;
}

export function readSearch(raw: Record<string, unknown>): MutesSearch {
  const rule = raw['muteRule'];
  return {
    view: raw['view'] === 'expired' ? 'expired' : undefined,
    finding: textParam(raw['finding'], 64),
    muteRule: typeof rule === 'string' && rule !== '' ? rule.slice(0, 100) : undefined,
  };
}
