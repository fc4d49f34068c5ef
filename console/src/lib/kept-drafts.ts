/*
 * What a person writes and has not saved yet, in the storage of the tab: it survives a reload, the end of the session and
 * a restart of the server, and ends with the tab.
 */

const PREFIX = 'cspm-draft ';

export interface KeptDraft<Draft> {
  readonly draft: Draft;
  /** In milliseconds since 1970. */
  readonly keptAt: number;
}

/** Identifies a draft of a person in a tenant. */
export function draftKey(userId: string, tenantId: string, name: string): string {
  return `${PREFIX}${userId} ${tenantId} ${name}`;
}

/** The browser may refuse: its storage is full or switched off. The draft is then only on the page. */
export function keepDraft(key: string, draft: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ draft, keptAt: Date.now() }));
  } catch {
    forgetDraft(key);
  }
}

/** @param draft forgets only this one. Left out: any draft. */
export function forgetDraft(key: string, draft?: unknown): void {
  try {
    if (draft !== undefined) {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null');
      if (JSON.stringify(kept?.draft) !== JSON.stringify(draft)) return;
    }
    sessionStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to forget.
  }
}

/** @param isDraft checks what was stored, perhaps by another version of the console. */
export function keptDraft<Draft>(
  key: string,
  isDraft: (value: unknown) => value is Draft,
): KeptDraft<Draft> | null {
  try {
    const { draft, keptAt } = JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? {};
    return isDraft(draft) && typeof keptAt === 'number' ? { draft, keptAt } : null;
  } catch {
    return null;
  }
}

/** Forgets the drafts of everybody except one person. */
export function forgetDraftsOfOthers(userId: string): void {
  forgetWhere((key) => !key.startsWith(`${PREFIX}${userId} `));
}

/** Forgets all drafts, because the person signs out. */
export function forgetDrafts(): void {
  forgetWhere(() => true);
}

function forgetWhere(isForgotten: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX) && isForgotten(key)) sessionStorage.removeItem(key);
    }
  } catch {
    // Without storage there is nothing to forget.
  }
}
