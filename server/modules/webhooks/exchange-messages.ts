import type { Answer, Exchange } from './exchange.ts';

/** How often the exchange thread reports that it is not blocked. */
export const BEAT_MS = 500;

/** What the exchange thread is started with. */
export interface ThreadData {
  /** Certificate authorities besides the usual ones, as PEM. */
  readonly ca: string | undefined;
  /** An integer that increases while the thread is not blocked. */
  readonly beats: SharedArrayBuffer;
}

export type ThreadTask =
  | { readonly kind: 'run'; readonly id: number; readonly exchange: Exchange }
  | { readonly kind: 'abort'; readonly id: number };

export type ThreadMessage = 'ready' | { readonly id: number; readonly answer: Answer };
