import { contentOf, MEMBERS_OF_KIND } from '../inventory/envelope.ts';
import type { Asset } from '../inventory/normalise.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { hcl } from './hcl.ts';
import { applyInPlace, PATCH_LIMITS, type PatchOperation, pointerOf } from './json-patch.ts';
import { partsOfName } from './resource-name.ts';
import { type CommandValue, shellCommand } from './shell-command.ts';

/** A setting of a Terraform resource. */
export interface TerraformSetting {
  /** The resource type: `google_compute_subnetwork`. */
  readonly resource: string;
  /** Identifies the resource, block or entry among several; null if the asset alone does. */
  readonly match: string | null;
  /** Blocks are joined by dots: `log_config.enable`. */
  readonly attribute: string;
  /** In HCL. Null: remove the attribute, or what `match` identifies. */
  readonly value: string | null;
}

/** A change of one asset after which a rule passes, in three notations. */
export interface Fix {
  /** RFC 6902, on the asset as stored. */
  readonly patch: readonly PatchOperation[];
  /** Commands for a POSIX shell, one per line. A word in capitals stands for a value that the asset does not contain. */
  readonly gcloud: string;
  readonly terraform: readonly TerraformSetting[];
  /** What the change interrupts or requires; null if nothing. */
  readonly caution: string | null;
}

/** How a rule repairs an asset that it fails. It states the change in all three notations, or refuses. */
export type Remedy = (repair: Repair) => void;

/** The asset has no automatic fix, for the reason in the message. */
export class NoFix extends Error {
  override readonly name = 'NoFix';
}

type Path = string | readonly (string | number)[];

type Values = Readonly<Record<string, CommandValue>>;

export const FIX_LIMITS = {
  /** Evaluating an asset twice blocks the thread, so larger ones have no fix. */
  assetCharacters: 128 * 1024,
  /** Rules evaluate an asset of this size in less than a millisecond each, so they need no pause between them. */
  stepCharacters: 8 * 1024,
  commands: 100,
} as const;

/**
 * Collects the changes of one asset. Each is applied immediately, so that the next one sees its result: lists that were
 * read before a removal become shorter.
 */
export class Repair {
  readonly asset: Asset;
  /** The parameters of the rule, as the profile sets them. */
  readonly parameters: JsonObject;
  readonly #parts: ReadonlyMap<string, string>;
  readonly #patch: PatchOperation[] = [];
  readonly #commands: string[] = [];
  readonly #terraform: TerraformSetting[] = [];
  readonly #record: JsonObject;
  #caution: string | null = null;

  /** @param record the asset as stored; `asset` is its parsed form; changed in place */
  constructor(record: JsonObject, asset: Asset, parameters: JsonObject) {
    this.#record = record;
    this.asset = asset;
    this.parameters = parameters;
    this.#parts = partsOfName(asset.name);
  }

  /** The asset with the changes so far. */
  get record(): JsonObject {
    return this.#record;
  }

  /** `resource.data`, with the changes so far. */
  get data(): JsonObject {
    const data = contentOf(this.#record, 'RESOURCE')?.data;
    return isObject(data) ? data : {};
  }

  /** The IAM policy, with the changes so far. */
  get policy(): JsonObject {
    return contentOf(this.#record, 'IAM_POLICY') ?? {};
  }

  /** A part of the asset's full resource name, such as `project`, `zone` or `name`. */
  part(kind: string): string | undefined {
    return this.#parts.get(kind);
  }

  /** Sets a value below `resource.data` and creates the objects above it: `settings.ipConfiguration.sslMode`. */
  set(path: Path, value: JsonValue): void {
    this.#set(['resource', 'data', ...segmentsOf(path)], value);
  }

  /** Removes a value below `resource.data`, if it is there. */
  remove(path: Path): void {
    this.#remove(['resource', 'data', ...segmentsOf(path)]);
  }

  /** Like `set`, in the IAM policy. */
  setInPolicy(path: Path, value: JsonValue): void {
    this.#set([this.#policyMember(), ...segmentsOf(path)], value);
  }

  /**
   * Removes a value of the IAM policy.
   *
   * @param present if given, the patch first tests that the value is still this one
   */
  removeFromPolicy(path: Path, present?: string): void {
    const pointer = [this.#policyMember(), ...segmentsOf(path)];
    if (present !== undefined) {
      this.#apply({ op: 'test', path: pointerOf(pointer), value: present });
    }
    this.#remove(pointer);
  }

  /**
   * Removes the elements of an array below `resource.data`, under each of its spellings, for which `isRemoved` is true.
   *
   * @returns the remaining elements under the first spelling that has any
   */
  filterOut(
    parent: Path,
    spellings: readonly string[],
    isRemoved: (element: JsonValue) => boolean,
  ): readonly JsonValue[] {
    let rest: readonly JsonValue[] = [];
    for (const spelling of spellings) {
      const path = [...segmentsOf(parent), spelling];
      const list = valueAt(this.data, path);
      if (!Array.isArray(list)) continue;
      for (let index = list.length - 1; index >= 0; index -= 1) {
        if (isRemoved(list[index])) this.remove([...path, index]);
      }
      const kept = valueAt(this.data, path);
      if (rest.length === 0 && Array.isArray(kept)) rest = kept;
    }
    return rest;
  }

  /**
   * Adds a gcloud command; see `shellCommand` for templates.
   *
   * @param values of placeholders, in addition to the parts of the asset's name
   * @param redirection is appended as it is
   */
  gcloud(template: string, values: Values = {}, redirection = ''): void {
    this.command(`gcloud ${template}`, values, redirection);
  }

  /** Like `gcloud`, for other programs. */
  command(template: string, values: Values = {}, redirection = ''): void {
    if (this.#commands.length === FIX_LIMITS.commands) throw tooMany();
    const lookUp = (placeholder: string) =>
      Object.hasOwn(values, placeholder) ? values[placeholder] : this.#parts.get(placeholder);
    this.#commands.push(shellCommand(template, lookUp) + redirection);
  }

  /** Adds a line of shell that contains nothing from the asset. */
  fixedCommand(line: string): void {
    this.#commands.push(line);
  }

  terraform(
    resource: string,
    attribute: string,
    value: JsonValue | null,
    match: Readonly<Record<string, string>> | null = null,
  ): void {
    this.#terraform.push({
      resource,
      match:
        match === null
          ? null
          : Object.entries(match)
              .map(([name, wanted]) => `${name} = ${hcl(wanted)}`)
              .join(', '),
      attribute,
      value: value === null ? null : hcl(value),
    });
  }

  /** Says what the change interrupts or requires. */
  caution(text: string): void {
    this.#caution = text;
  }

  /** @param reason a clause that completes "There is no automatic fix:" */
  refuse(reason: string): never {
    throw new NoFix(reason);
  }

  finished(): Fix {
    return {
      patch: this.#patch,
      gcloud: this.#commands.join('\n'),
      terraform: this.#terraform,
      caution: this.#caution,
    };
  }

  #policyMember(): string {
    const member = MEMBERS_OF_KIND.IAM_POLICY.find((name) => isObject(this.#record[name]));
    return member ?? MEMBERS_OF_KIND.IAM_POLICY[0];
  }

  #set(path: readonly (string | number)[], value: JsonValue): void {
    let depth = 0;
    let node: JsonValue | undefined = this.#record;
    while (depth < path.length - 1) {
      const next: JsonValue | undefined = memberOf(node, path[depth]);
      if (typeof next !== 'object' || next === null) break;
      node = next;
      depth += 1;
    }
    const nested = path
      .slice(depth + 1)
      .reduceRight<JsonValue>((inner, segment) => ({ [segment]: inner }), value);
    const op = memberOf(node, path[depth]) === undefined ? 'add' : 'replace';
    this.#apply({ op, path: pointerOf(path.slice(0, depth + 1)), value: nested });
  }

  #remove(path: readonly (string | number)[]): void {
    if (valueAt(this.#record, path) !== undefined) {
      this.#apply({ op: 'remove', path: pointerOf(path) });
    }
  }

  #apply(operation: PatchOperation): void {
    if (this.#patch.length === PATCH_LIMITS.operations) throw tooMany();
    applyInPlace(this.#record, operation);
    this.#patch.push(operation);
  }
}

function tooMany(): NoFix {
  return new NoFix('it needs too many changes for one fix');
}

function segmentsOf(path: Path): readonly (string | number)[] {
  return typeof path === 'string' ? path.split('.').filter((name) => name !== '') : path;
}

function valueAt(root: JsonObject, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(memberOf, root);
}

function memberOf(node: JsonValue | undefined, segment: string | number | undefined) {
  if (Array.isArray(node)) return node[Number(segment)];
  if (!isObject(node) || segment === undefined) return undefined;
  return Object.hasOwn(node, segment) ? node[segment] : undefined;
}
