import type { FunctionParameter, Node, RangeVar, TypeName } from 'libpg-query';

/** `schema.table`; the default schema is `public`, where migrations run. */
export function tableName(table: RangeVar | undefined): string {
  return `${table?.schemaname ?? 'public'}.${table?.relname ?? ''}`;
}

/** The strings of a list of names. */
export function words(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => {
    if ('String' in node) return [node.String.sval ?? ''];
    return 'List' in node ? words(node.List.items) : [];
  });
}

/** `schema.name` from the parts of a name. */
export function qualified(parts: readonly string[]): string {
  return parts.length === 1 ? `public.${parts[0]}` : parts.slice(-2).join('.');
}

/** A type as written, with its modifiers: `varchar(20)`, `timestamptz(3)`, `text[]`. */
export function typeText(type: TypeName | undefined): string {
  const name = words(type?.names).filter((part) => part !== 'pg_catalog');
  const modifiers = (type?.typmods ?? []).map((node) =>
    'A_Const' in node ? String(node.A_Const.ival?.ival ?? 0) : '?',
  );
  const suffix = modifiers.length === 0 ? '' : `(${modifiers.join(',')})`;
  return `${name.join('.')}${suffix}${'[]'.repeat(type?.arrayBounds?.length ?? 0)}`;
}

/** `schema.name(types)`, which identifies an overloaded function. */
export function signature(name: readonly string[], parameters: readonly (TypeName | undefined)[]) {
  return `${qualified(name)}(${parameters.map(typeText).join(',')})`;
}

/** The argument types of a function, without OUT parameters. */
export function inputTypes(parameters: readonly Node[] | undefined): (TypeName | undefined)[] {
  return (parameters ?? []).flatMap((node) => {
    const parameter: FunctionParameter = 'FunctionParameter' in node ? node.FunctionParameter : {};
    const out = parameter.mode === 'FUNC_PARAM_OUT' || parameter.mode === 'FUNC_PARAM_TABLE';
    return out ? [] : [parameter.argType];
  });
}
