import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Encodings that the build precompresses, best first, with the ending of their files. */
export const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** One representation of a file. */
export interface Representation {
  /** Null: not compressed. */
  readonly encoding: (typeof ENCODINGS)[number][0] | null;
  readonly bytes: Buffer;
  /** A strong validator: the hash of the bytes, so every instance of the server sends the same (RFC 9110 §8.8.3). */
  readonly etag: string;
}

/** A file of the console. */
export interface ConsoleFile {
  readonly contentType: string;
  /** The name contains a hash of the content, so the file never changes. */
  readonly immutable: boolean;
  /** Best first; the last one is not compressed. */
  readonly representations: readonly Representation[];
}

/** The files of the console by path, such as `assets/index-3b1f.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
};

const known = new Map<string, ConsoleFiles | null>();

/**
 * Reads the built console into memory, once per folder and process.
 * @returns null if the console is not built.
 */
export function readConsole(folder: URL): ConsoleFiles | null {
  const before = known.get(folder.href);
  if (before !== undefined) return before;
  const files = read(fileURLToPath(folder));
  // A console that is missing may be built while the server runs.
  if (files !== null) known.set(folder.href, files);
  return files;
}

function read(root: string): ConsoleFiles | null {
  const names = namesIn(root);
  if (!names.includes('index.html')) return null;
  const files = new Map<string, ConsoleFile>();
  for (const name of names) {
    const contentType = TYPES[name.split('.').at(-1) ?? ''];
    // Compressed variants have no type of their own; dot files are the build's own records.
    if (contentType === undefined || name.startsWith('.')) continue;
    const variants = ENCODINGS.filter(([, ending]) => names.includes(name + ending));
    files.set(name, {
      contentType,
      immutable: name.startsWith('assets/'),
      representations: [
        ...variants.map(([encoding, ending]) => representation(root, name + ending, encoding)),
        representation(root, name, null),
      ],
    });
  }
  return files;
}

function representation(
  root: string,
  name: string,
  encoding: Representation['encoding'],
): Representation {
  const bytes = readFileSync(`${root}/${name}`);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return { encoding, bytes, etag: `"${hash}"` };
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        relative(root, `${entry.parentPath}${sep}${entry.name}`).split(sep).join('/'),
      );
  } catch {
    return [];
  }
}
