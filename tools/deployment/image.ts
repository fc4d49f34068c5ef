import { type DeploymentFiles, FILES, textOf } from './files.ts';

/** What the last stage of the Dockerfile defines for the processes of the image. */
export interface Image {
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** The seconds of `docker stop -t` in its comments; null: none. */
  readonly stopSeconds: number | null;
}

/** Docker itself checks the syntax when the image is built. */
export function imageOf(files: DeploymentFiles): Image {
  const text = textOf(files, FILES.image);
  const stage =
    text
      .replaceAll('\\\n', ' ')
      .split(/^FROM /m)
      .at(-1) ?? '';
  const lines = stage.split('\n').map((line) => line.trim());
  const argumentsOf = (keyword: string) =>
    lines.flatMap((line) => (line.startsWith(`${keyword} `) ? [line.slice(keyword.length)] : []));
  const assignments = argumentsOf('ENV').flatMap((line) => [
    ...line.matchAll(/([A-Z][A-Z0-9_]*)=(\S*)/g),
  ]);
  const stop = /docker stop -t (\d+)/.exec(text)?.[1];
  return {
    environment: Object.fromEntries(assignments.map(([, name = '', value = '']) => [name, value])),
    command: JSON.parse(argumentsOf('CMD').at(-1) ?? '[]'),
    stopSeconds: stop === undefined ? null : Number(stop),
  };
}
