/** A project cannot be scanned. The message is shown to the person who launched the scan; a retry would not help. */
export class ScanFault extends Error {}

/** The rules found more than one step may hold in memory. Steps of fewer chunks may succeed. */
export class TooManyFindings extends ScanFault {}

/** The scan's rules belong to another release than this worker. A worker of that release can run it. */
export class RulesNotKnown extends Error {
  constructor(rules: readonly string[]) {
    super(`This release does not have ${rules.slice(0, 3).join(', ')}`);
  }
}
