/** Why a project cannot be scanned, in words that whoever launched the scan is told. Trying again does not mend it. */
export class ScanFault extends Error {}

/** The rules of a scan are of another release than this worker's: one of that release may do what this one cannot. */
export class RulesNotKnown extends Error {
  constructor(rules: readonly string[]) {
    super(`This release does not have ${rules.slice(0, 3).join(', ')}`);
  }
}
