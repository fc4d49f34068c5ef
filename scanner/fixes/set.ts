import type { JsonObject, JsonValue } from '../json.ts';
import type { Remedy } from './repair.ts';

/** How a change is made outside of the patch. */
interface Notations {
  /** Without the word gcloud; see `shellCommand` for placeholders. */
  readonly gcloud: string;
  /** Attributes by resource type; null removes one. */
  readonly terraform: Readonly<Record<string, JsonObject>>;
  readonly caution?: string;
}

/** The remedy of a rule that needs certain values below `resource.data`, by path. */
export function set(
  values: Readonly<Record<string, JsonValue>>,
  { gcloud, terraform, caution }: Notations,
): Remedy {
  return (repair) => {
    for (const [path, value] of Object.entries(values)) repair.set(path, value);
    repair.gcloud(gcloud);
    for (const [resource, attributes] of Object.entries(terraform)) {
      for (const [attribute, value] of Object.entries(attributes)) {
        repair.terraform(resource, attribute, value);
      }
    }
    if (caution !== undefined) repair.caution(caution);
  };
}
