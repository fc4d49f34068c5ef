import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** How the attributes of a Terraform resource differ from the members of the API's resource, apart from spelling. */
export interface ApiForm {
  /** Blocks that occur at most once: Terraform has a list of one, the API an object. */
  readonly single?: readonly string[];
  /** Maps with user-defined keys. */
  readonly maps?: readonly string[];
  /** Attributes with another name, at any depth; the others are converted to camelCase. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** Maps that every resource may have. */
const MAPS = ['labels', 'user_labels', 'resource_labels', 'annotations'];

/** Converts attributes to the spelling and shape of the API. */
export function inApiForm(values: JsonObject, form: ApiForm): JsonObject {
  const single = new Set(form.single);
  const maps = new Set([...MAPS, ...(form.maps ?? [])]);
  const convert = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(convert);
    return isObject(value) ? members(value) : value;
  };
  const members = (object: JsonObject): JsonObject => {
    const converted: Record<string, JsonValue> = {};
    for (const [name, value] of Object.entries(object)) {
      const member = form.renamed?.[name] ?? camelCase(name);
      if (maps.has(name)) converted[member] = value;
      else if (single.has(name) && Array.isArray(value)) {
        const [only] = value;
        if (only !== undefined) converted[member] = convert(only);
      } else converted[member] = convert(value);
    }
    return converted;
  };
  return members(values);
}

function camelCase(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
