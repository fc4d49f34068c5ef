import { isObject, type JsonValue } from '../json.ts';

/** A value in Terraform's syntax (HCL), in which text cannot end its quotes or start an interpolation. */
export function hcl(value: JsonValue): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map(hcl).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([name, member]) => {
    const key = /^[A-Za-z_][\w-]*$/.test(name) ? name : text(name);
    return `${key} = ${hcl(member)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Escapes control characters and everything that is not ASCII, because it may be invisible. */
function text(value: string): string {
  const escaped = value
    .replace(/[\\"]/g, '\\$&')
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('${', '\\u0024{')
    .replaceAll('%{', '\\u0025{');
  return `"${escaped}"`;
}
