import type { Asset, Evaluation } from '@cspm/scanner';
import type { CustomRuleEvaluator } from './custom-rule-evaluator.ts';
import type { AssetText } from './evaluator-messages.ts';

/** Batch size: large enough to make sending cheap, small enough to repeat after the process was killed. */
const BATCH_CHARACTERS = 256 * 1024;

/** The results of a tenant's rules for one asset. */
export interface CustomEvaluations {
  readonly asset: Asset;
  readonly evaluations: readonly Evaluation[];
}

/** Evaluates a tenant's rules in one step of a scan, in a separate process while more assets are read. */
export class CustomRuleStep {
  readonly #evaluator: CustomRuleEvaluator;
  #assets: Asset[] = [];
  #texts: AssetText[] = [];
  #characters = 0;
  #evaluated: Promise<CustomEvaluations[]> = Promise.resolve([]);

  constructor(evaluator: CustomRuleEvaluator) {
    this.#evaluator = evaluator;
  }

  /** Adds an asset, unless no rule refers to its type. @returns whether it was added */
  offer(asset: Asset, text: string): boolean {
    const { type } = asset;
    if (!this.#evaluator.assetTypes.has(type)) return false;
    this.#assets.push(asset);
    this.#texts.push({ type, text });
    this.#characters += text.length;
    if (this.#characters >= BATCH_CHARACTERS) this.#send();
    return true;
  }

  /** The results for all assets. */
  async evaluations(): Promise<readonly CustomEvaluations[]> {
    if (this.#texts.length > 0) this.#send();
    return this.#evaluated;
  }

  /** Sends one batch after the other, because the evaluator takes one at a time. */
  #send(): void {
    const [assets, texts] = [this.#assets, this.#texts];
    [this.#assets, this.#texts, this.#characters] = [[], [], 0];
    const evaluated = this.#evaluated.then(async (before) => {
      const evaluations = await this.#evaluator.evaluate(texts);
      const said = assets.map((asset, index) => ({ asset, evaluations: evaluations[index] ?? [] }));
      return [...before, ...said];
    });
    // The error surfaces where the promise is awaited; this only prevents an unhandled rejection.
    evaluated.catch(() => undefined);
    this.#evaluated = evaluated;
  }
}
