import { parseArgs } from 'node:util';
import { suggestion } from './suggestion.ts';
import { UsageError } from './usage-error.ts';

interface Option {
  readonly kind: 'text' | 'list' | 'switch';
  /** The placeholder of the value in the help: `--project <name>`. */
  readonly value?: string;
  readonly help: string;
  /** For `text` and `list`: the allowed values. */
  readonly words?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K]['kind'] extends 'switch'
    ? boolean
    : O[K]['kind'] extends 'list'
      ? readonly string[]
      : string | undefined;
};

/** @throws {UsageError} for an unknown option, a missing value or a value that is not allowed */
export function parseOptions<const O extends Options>(args: readonly string[], options: O) {
  const { values, positionals } = parse(args, options);
  const given = Object.entries(options).map(([name, { kind, words }]) => {
    const value = values[name];
    const list = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [`${value}`];
    const texts = list.flatMap((text) => (kind === 'list' ? text.split(',') : [text]));
    for (const text of kind === 'switch' ? [] : texts) {
      if (text === '') throw new UsageError(`--${name} needs a value.`);
      if (words !== undefined && !words.includes(text)) {
        throw new UsageError(
          `--${name} does not accept "${text}". Allowed values: ${words.join(', ')}.`,
        );
      }
    }
    if (kind === 'switch') return [name, value === true];
    return [name, kind === 'list' ? texts : texts.at(-1)];
  });
  // Object.entries loses the option names from the type.
  return { values: Object.fromEntries(given) as Values<O>, positionals };
}

function parse(args: readonly string[], options: Options) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { kind }]) => [
          name,
          kind === 'switch'
            ? { type: 'boolean' as const }
            : { type: 'string' as const, multiple: kind === 'list' },
        ]),
      ),
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown] = /^Unknown option '(.+?)'/s.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(message);
    const given = unknown.replace(/^-+/, '');
    const hint = suggestion(given, Object.keys(options), (name) => `--${name}`);
    throw new UsageError(`Unknown option '${unknown}'.${hint}`);
  }
}

/** The options of a command, one per line. */
export function describeOptions(options: Options): string {
  const rows = Object.entries(options).map(([name, { kind, value, words, help }]) => {
    const shown = kind === 'switch' ? '' : ` <${words?.join('|') ?? value ?? 'value'}>`;
    return [`  --${name}${shown}`, help] as const;
  });
  const width = Math.min(40, Math.max(...rows.map(([left]) => left.length))) + 2;
  return rows
    .map(([left, help]) =>
      left.length < width ? left.padEnd(width) + help : `${left}\n${' '.repeat(width)}${help}`,
    )
    .join('\n');
}
