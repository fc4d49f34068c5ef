import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { type DeploymentFiles, FILES, textOf } from './files.ts';

/** What the Dockerfile says of the image. */
export interface Image {
  readonly environment: Readonly<Record<string, string>>;
  /** As whom it runs; null: as root. */
  readonly user: string | null;
  readonly ports: readonly number[];
  /** Images of others that it is built on. */
  readonly bases: readonly string[];
  /** The text of the probe. */
  readonly probe: string;
  readonly text: string;
}

export function imageSyntaxFaults(files: DeploymentFiles): string[] {
  return validate(textOf(files, FILES.image)).map(
    ({ message, range }) => `${FILES.image}:${range.start.line + 1}: ${message}`,
  );
}

export function imageOf(files: DeploymentFiles): Image {
  const text = textOf(files, FILES.image);
  const file = DockerfileParser.parse(text);
  const stages = new Set(file.getFROMs().map((from) => from.getBuildStage()));
  const last = file.getFROMs().at(-1)?.getRange().start.line ?? 0;
  const inLastStage = file
    .getInstructions()
    .filter((instruction) => instruction.getRange().start.line >= last);
  const argumentsOf = (keyword: string) =>
    inLastStage.flatMap((instruction) =>
      instruction.getKeyword() === keyword ? [instruction.getArgumentsContent() ?? ''] : [],
    );
  return {
    environment: Object.fromEntries(
      file
        .getENVs()
        .filter((env) => env.getRange().start.line >= last)
        .flatMap((env) => env.getProperties())
        .map((property) => [property.getName(), property.getValue() ?? '']),
    ),
    user: argumentsOf('USER').at(-1) ?? null,
    ports: argumentsOf('EXPOSE').flatMap((ports) => ports.split(/\s+/).map(Number)),
    bases: file
      .getFROMs()
      .flatMap((from) => from.getImage() ?? [])
      .filter((image) => !stages.has(image)),
    probe: argumentsOf('HEALTHCHECK').join(' '),
    text,
  };
}
