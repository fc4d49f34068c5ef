import {
  GoogleCloud,
  googleEndpoints,
  type PulledPage,
  type PullState,
  startPull,
} from '@cspm/google-cloud';
import type { InventorySource } from './local-file.ts';
import { quantity } from './local-report.ts';
import { ProgressBar } from './progress.ts';
import { printable } from './table.ts';
import { say, type Terminal } from './terminal.ts';

/** A pull from Google Cloud with the Application Default Credentials of the user. */
export class Pull {
  readonly #terminal: Terminal;
  readonly #bar: ProgressBar;
  readonly #parent: string;
  readonly #startedAt = Date.now();
  #state: PullState;
  #label = 'connecting to Google Cloud';

  /** @param parent as `parseParent` accepts it */
  constructor(parent: string, terminal: Terminal) {
    this.#terminal = terminal;
    this.#bar = new ProgressBar(terminal);
    this.#parent = parent;
    this.#state = startPull(parent, new Date());
  }

  /** The assets as NDJSON, one page at a time. Draws the progress. */
  async *lines(): AsyncGenerator<string> {
    try {
      this.#bar.draw(null, this.#label);
      for await (const { records } of this.#pages()) {
        this.#bar.draw(null, this.#label);
        if (records.length > 0) yield `${records.join('\n')}\n`;
      }
    } finally {
      this.#bar.end();
    }
  }

  /** The assets as the source of a scan, which draws the progress itself. */
  get source(): InventorySource {
    return {
      place: this.#parent,
      label: this.#parent,
      open: async () => ({ format: 'ndjson', bytes: this.#bytes() }),
      progress: () => [null, this.#label],
      refusedKinds: () => this.#state.missing.map(({ contentType }) => contentType),
    };
  }

  /** One line about the whole, and what Google refused to show. */
  sayResult(): void {
    const { records, pages, readTime } = this.#state;
    say(
      this.#terminal,
      `Pulled ${quantity(records, 'record')} of ${this.#parent} in ${quantity(pages, 'page')}, as of ${readTime}.`,
    );
    this.sayMissing();
  }

  /** Whether Google refused to show a part of the inventory. Known after the last page. */
  get isPartial(): boolean {
    return this.#state.missing.length > 0;
  }

  /** Rules that need what is missing give UNKNOWN; the user must know why. */
  sayMissing(): void {
    const [first] = this.#state.missing;
    if (first === undefined) return;
    const types = this.#state.missing.map(({ contentType }) => contentType).join(' and ');
    const permissions = this.#state.missing.map(({ permission }) => permission).join(' and ');
    const isOne = this.#state.missing.length === 1;
    say(
      this.#terminal,
      `The inventory is partial: it has no ${types}, because ${permissions} ${isOne ? 'is' : 'are'} missing. Rules that need ${isOne ? 'it' : 'them'} give UNKNOWN.`,
    );
    say(this.#terminal, printable(first.remedy));
  }

  async *#pages(): AsyncGenerator<PulledPage> {
    const { environment, interrupted } = this.#terminal;
    const google = new GoogleCloud({
      credential: { type: 'application_default', environment },
      endpoints: googleEndpoints({
        assetUrl: environment['GOOGLE_ASSET_URL'],
        tokenUrl: environment['GOOGLE_TOKEN_URL'],
        iamCredentialsUrl: environment['GOOGLE_IAM_CREDENTIALS_URL'],
        allowLoopbackHttp: environment['GOOGLE_ALLOW_LOOPBACK_HTTP'] === 'true',
      }),
    });
    for await (const page of google.pull({ state: this.#state, signal: interrupted })) {
      this.#state = page.state;
      this.#label = this.#describe();
      yield page;
    }
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    for await (const { records } of this.#pages()) {
      if (records.length > 0) yield Buffer.from(`${records.join('\n')}\n`);
    }
  }

  /** Once per page: a scan asks for it once per asset. */
  #describe(): string {
    const { records, next } = this.#state;
    const seconds = Math.max(1, (Date.now() - this.#startedAt) / 1000);
    const [done, rate] = [records, Math.round(records / seconds)].map((n) =>
      n.toLocaleString('en'),
    );
    return `${next?.contentType ?? 'done'}: ${done} records, ${rate}/s`;
  }
}
