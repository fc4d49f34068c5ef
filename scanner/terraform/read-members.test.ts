import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { planOf } from '../testing/plan.ts';
import { recordedNotes } from '../testing/recorded-reads.ts';
import { MEMBER_ATTRIBUTES } from '../testing/terraform-attributes.ts';
import { WITHOUT_ATTRIBUTE, WITHOUT_MAPPING } from '../testing/terraform-exceptions.ts';
import { assetsOf } from './assets.ts';
import { MAPPINGS } from './mappings.ts';

/* The mapping has to provide every member that a rule reads: a missing member looks unset, and some rules pass then. */

const CLUSTER = 'container.googleapis.com/Cluster';

const NOTES = recordedNotes();

/** The members that rules read, by asset type, without those that only contain others. */
const READS = new Map(
  [...NOTES]
    .filter(([type, { members }]) => type.includes('/') && members.size > 0)
    .map(([type, { members }]) => {
      const all = [...members];
      return [type, all.filter((path) => !all.some((other) => other.startsWith(`${path}.`)))];
    }),
);

/** Values for every kind of attribute. At least two must differ in the result; undefined: not set. */
const VALUES: readonly (JsonValue | undefined)[] = [
  undefined,
  true,
  false,
  'READER:a',
  'READER:b',
  [{}],
  [],
  ['READER:a'],
];

/** Attributes without which the others of a resource have no effect. */
const NEEDED: Readonly<Record<string, JsonObject>> = {
  google_cloudfunctions_function: { trigger_http: true },
  google_storage_bucket_access_control: { entity: 'allUsers' },
  google_storage_default_object_access_control: { entity: 'allUsers' },
};

/**
 * `private_cluster_config.enable_private_nodes` becomes a block with an attribute, `metadata{a}` a map with an entry.
 */
function valuesWith(attribute: string, value: JsonValue): JsonObject {
  const map = /^([^.{]+)\{(.+)\}$/.exec(attribute);
  if (map !== null) return { [map[1] ?? '']: { [map[2] ?? '']: value } };
  const dot = attribute.indexOf('.');
  if (dot === -1) return { [attribute]: value };
  return { [attribute.slice(0, dot)]: [valuesWith(attribute.slice(dot + 1), value)] };
}

/**
 * All values at a path of members, including those inside lists where exports have one. A member name may contain dots.
 */
function valuesAt(value: JsonValue | undefined, path: string, rest: string, lists: Lists): Found {
  if (Array.isArray(value)) {
    if (!lists.has(path)) return [];
    return value.flatMap((element: JsonValue) => valuesAt(element, path, rest, lists));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, below]) => {
    if (member === rest) return [below];
    if (!rest.startsWith(`${member}.`)) return [];
    const at = path === '' ? member : `${path}.${member}`;
    return valuesAt(below, at, rest.slice(member.length + 1), lists);
  });
}

type Lists = ReadonlySet<string>;
type Found = readonly JsonValue[];

/** The values of a member in the assets of a plan with this attribute value. */
function mapped(
  type: string,
  member: string,
  attribute: string,
  value: JsonValue | undefined,
): string {
  const needed = { name: 'x', ...NEEDED[type] };
  const values = { ...needed, ...(value === undefined ? {} : valuesWith(attribute, value)) };
  const { records } = assetsOf(planOf({ address: `${type}.x`, values }));
  return JSON.stringify(
    records.map(({ asset_type, resource }) => {
      const lists = NOTES.get(String(asset_type))?.lists ?? new Set<string>();
      return valuesAt(isObject(resource) ? resource['data'] : undefined, '', member, lists);
    }),
  );
}

function listedFor(resource: string, member: string): readonly string[] {
  const isListed = (names: Readonly<Record<string, string>> | undefined) =>
    Object.keys(names ?? {}).some((name) => member === name || member.startsWith(`${name}.`));
  return [
    ...(isListed(MEMBER_ATTRIBUTES[resource]) ? ['attribute'] : []),
    ...(isListed(WITHOUT_ATTRIBUTE[resource]) ? ['reason'] : []),
  ];
}

const REMEDY =
  'List the attribute in scanner/testing/terraform-attributes.ts, or the reason without one in scanner/testing/terraform-exceptions.ts. If the attribute does not become the member by its spelling, reshape it in scanner/terraform/';

describe('the members of exports that rules read, in a Terraform plan', () => {
  it('every member that rules read has an attribute in a Terraform plan, or a reason without one, for every resource type', () => {
    const missing = [...READS].flatMap(([assetType, members]) =>
      Object.entries(MAPPINGS)
        .filter(([, mapping]) => mapping.assetType === assetType)
        .flatMap(([resource]) =>
          members
            .filter((member) => listedFor(resource, member).length !== 1)
            .map((member) => `${resource} ${member}`),
        ),
    );
    expect(missing, REMEDY).toEqual([]);
  });

  it('every member of node pools that rules read has an attribute of the node pool resource', () => {
    const missing = (READS.get(CLUSTER) ?? [])
      .filter((member) => member.startsWith('nodePools.'))
      .filter((member) => listedFor('google_container_node_pool', member).length !== 1);
    expect(missing, REMEDY).toEqual([]);
  });

  it('every member that rules read is of an asset type that has a mapping, or a reason without one', () => {
    const made = new Set(Object.values(MAPPINGS).map(({ assetType }) => assetType));
    const unmapped = [...READS.keys()].filter((type) => !made.has(type));
    expect(
      unmapped.toSorted(),
      'Map a Terraform resource to the type in scanner/terraform/, or give the reason in WITHOUT_MAPPING in scanner/testing/terraform-exceptions.ts',
    ).toEqual(Object.keys(WITHOUT_MAPPING).toSorted());
  });

  it.each(
    Object.entries(MEMBER_ATTRIBUTES).flatMap(([resource, members]) =>
      Object.entries(members).map(([member, attribute]) => [resource, attribute, member] as const),
    ),
  )('members that rules read come from %s.%s: %s', (resource, attribute, member) => {
    const found = new Set(VALUES.map((value) => mapped(resource, member, attribute, value)));
    expect(found.size, REMEDY).toBeGreaterThan(1);
  });

  it('every listed member of exports is read by a rule', () => {
    const assetTypes = new Map(
      Object.entries(MAPPINGS).map(([resource, { assetType }]) => [resource, assetType]),
    );
    const listed = [MEMBER_ATTRIBUTES, WITHOUT_ATTRIBUTE].flatMap((table) =>
      Object.entries(table).flatMap(([resource, members]) =>
        Object.keys(members).map((member) => ({ resource, member })),
      ),
    );
    const unread = listed.filter(({ resource, member }) => {
      const assetType = assetTypes.get(resource);
      const read = assetType === undefined ? [...READS.values()].flat() : READS.get(assetType);
      return read?.some((one) => one === member || one.startsWith(`${member}.`)) !== true;
    });
    expect(
      unread,
      'Remove these rows from scanner/testing/terraform-attributes.ts or terraform-exceptions.ts, or add a case whose rule reads the member',
    ).toEqual([]);
  });
});
