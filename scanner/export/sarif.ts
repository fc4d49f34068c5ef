import type { ExportContext, ExportedFinding, FindingPages } from './exported-finding.ts';
import { resultOf } from './sarif-result.ts';
import { describeRule } from './sarif-rule.ts';
import { TOOL } from './tool.ts';

const HEAD = `{"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json","version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits","results":[`;

/**
 * Findings as one run of SARIF 2.1.0 (OASIS). The rules follow the results, which JSON allows, because only then are
 * the rules with findings known. Memory grows with the number of rules, not of findings.
 */
export async function* sarifOf(
  pages: FindingPages,
  context: ExportContext,
): AsyncGenerator<string, void, undefined> {
  const rules = new UsedRules(context);
  let head = HEAD;
  let separator = '\n';
  for await (const page of pages) {
    let text = head;
    for (const finding of page) {
      text += separator + JSON.stringify(resultOf(finding, rules.indexOf(finding)));
      separator = ',\n';
    }
    yield text;
    head = '';
  }
  const { name, version } = TOOL;
  const driver = { name, semanticVersion: version, rules: rules.descriptors };
  yield `${head}],\n"tool":${JSON.stringify({ driver })}}]}\n`;
}

/** The rules with findings, in order of their first finding. */
class UsedRules {
  readonly descriptors: ReturnType<typeof describeRule>[] = [];
  readonly #context: ExportContext;
  readonly #indexes = new Map<string, number>();

  constructor(context: ExportContext) {
    this.#context = context;
  }

  indexOf(finding: ExportedFinding): number {
    const known = this.#indexes.get(finding.ruleId);
    if (known !== undefined) return known;
    const index = this.descriptors.push(describeRule(finding, this.#context)) - 1;
    this.#indexes.set(finding.ruleId, index);
    return index;
  }
}
