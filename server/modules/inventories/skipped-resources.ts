import {
  INVENTORY_LIMITS,
  type IntakeSummary,
  type SkippedResource,
  sanitizeText,
} from '@cspm/scanner';

type Warnings = Pick<IntakeSummary, 'warnings' | 'warningCount'>;

/** The skipped resources of a Terraform document as warnings, in bounded memory. */
export interface SkippedSummary {
  /** Why the document itself is incomplete; null for a complete one. */
  readonly incomplete: string | null;
  /** Warnings about the first skipped resources. */
  readonly first: readonly string[];
  /** Number of skipped resources. */
  readonly count: number;
}

export const NOTHING_SKIPPED: SkippedSummary = { incomplete: null, first: [], count: 0 };

/** Longer addresses are cut. */
const ADDRESS_MAX = 300;

/** Collects the skipped resources of a document. */
export class SkippedNotes {
  #incomplete: string | null = null;
  readonly #first: string[] = [];
  #count = 0;

  note({ address, type, reason }: SkippedResource): void {
    if (type === 'plan') {
      this.#incomplete = `The plan is incomplete: ${reason}. Findings on resources that are missing in it will be resolved.`;
      return;
    }
    this.#count += 1;
    if (this.#first.length >= INVENTORY_LIMITS.warnings) return;
    const shown = sanitizeText(address, ADDRESS_MAX);
    this.#first.push(`The Terraform resource ${shown} is skipped: ${reason}.`);
  }

  get summary(): SkippedSummary {
    return { incomplete: this.#incomplete, first: this.#first, count: this.#count };
  }
}

/** Puts the warnings about a Terraform document, which is one line, before the others. */
export function withSkipped<T extends Warnings>(summary: T, skipped: SkippedSummary): T {
  const { incomplete, first, count } = skipped;
  const messages = [...(incomplete === null ? [] : [incomplete]), ...first];
  return {
    ...summary,
    warnings: [...messages.map((message) => ({ line: 1, message })), ...summary.warnings].slice(
      0,
      INVENTORY_LIMITS.warnings,
    ),
    warningCount: summary.warningCount + count + (incomplete === null ? 0 : 1),
  };
}
