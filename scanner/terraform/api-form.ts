import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** How the attributes of a Terraform resource differ from the members of the API's resource beyond their spelling. */
export interface ApiForm {
  /** Blocks that occur once at most: Terraform has a list of one where the API has an object. */
  readonly single?: readonly string[];
  /** Maps whose keys are the user's, not the API's. */
  readonly maps?: readonly string[];
  /** Attributes under another name; the rest is spelled in camelCase. At any depth. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** Maps of every resource. */
const MAPS = ['labels', 'user_labels', 'resource_labels', 'annotations'];

/** The attributes in the spelling and the shape of the API. */
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
