import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

interface Option {
  readonly kind: 'text' | 'list' | 'switch';
  /** What the value stands for in the help: `--project <name>`. */
  readonly value?: string;
  readonly help: string;
  /** For `text` and `list`: the only words that are taken. */
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

/** @throws {UsageError} for an option that is unknown, lacks its value or has one that it does not take */
export function parseOptions<const O extends Options>(args: readonly string[], options: O) {
  const { values, positionals } = parse(args, options);
  const given = Object.entries(options).map(([name, { kind, words }]) => {
    const value = values[name];
    const list = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [`${value}`];
    const texts = list.flatMap((text) => (kind === 'list' ? text.split(',') : [text]));
    for (const text of kind === 'switch' ? [] : texts) {
      if (text === '') throw new UsageError(`--${name} wants a value.`);
      if (words !== undefined && !words.includes(text)) {
        throw new UsageError(`--${name} takes ${words.join(', ')}; not "${text}".`);
      }
    }
    if (kind === 'switch') return [name, value === true];
    return [name, kind === 'list' ? texts : texts.at(-1)];
  });
  // Object.entries forgets the names; they are those of the options.
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
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The options of a command, one a line. */
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
