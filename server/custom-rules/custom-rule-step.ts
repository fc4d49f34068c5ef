import type { Asset, Evaluation } from '@cspm/scanner';
import type { CustomRuleJudge } from './custom-rule-judge.ts';
import type { AssetText } from './evaluator-messages.ts';

/** What is sent at a time: much enough that sending costs little, little enough to be judged anew after a mishap. */
const BATCH_CHARACTERS = 256 * 1024;

/** What the rules of a tenant say of one asset. */
export interface CustomEvaluations {
  readonly asset: Asset;
  readonly evaluations: readonly Evaluation[];
}

/** A step of a scan for the rules of a tenant: they judge in a process of their own while assets still come in. */
export class CustomRuleStep {
  readonly #judge: CustomRuleJudge;
  #assets: Asset[] = [];
  #texts: AssetText[] = [];
  #characters = 0;
  #judged: Promise<CustomEvaluations[]> = Promise.resolve([]);

  constructor(judge: CustomRuleJudge) {
    this.#judge = judge;
  }

  /** Takes an asset on, unless no rule is about its type. */
  offer(asset: Asset, text: string): void {
    const { type } = asset;
    if (!this.#judge.assetTypes.has(type)) return;
    this.#assets.push(asset);
    this.#texts.push({ type, text });
    this.#characters += text.length;
    if (this.#characters >= BATCH_CHARACTERS) this.#send();
  }

  /** What was said of all of them. */
  async evaluations(): Promise<readonly CustomEvaluations[]> {
    if (this.#texts.length > 0) this.#send();
    return this.#judged;
  }

  /** One batch after the other: the judge takes one at a time. */
  #send(): void {
    const [assets, texts] = [this.#assets, this.#texts];
    [this.#assets, this.#texts, this.#characters] = [[], [], 0];
    const judged = this.#judged.then(async (before) => {
      const evaluations = await this.#judge.judge(texts);
      const said = assets.map((asset, index) => ({ asset, evaluations: evaluations[index] ?? [] }));
      return [...before, ...said];
    });
    // Thrown where it is awaited.
    judged.catch(() => undefined);
    this.#judged = judged;
  }
}
