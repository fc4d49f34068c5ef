import { z } from 'zod';

/** Makes a schema. A bundler leaves out what is made and not used. */
export function made<T>(make: () => z.ZodType): z.ZodType<T> {
  return make() as z.ZodType<T>;
}

/** A page of a list. */
export function page(item: z.ZodType): z.ZodType {
  return z.looseObject({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** An object that must have exactly one of some optional members. */
export function exactlyOne(object: z.ZodType, names: readonly string[]): z.ZodType {
  return object.refine(
    (value) => names.filter((name) => Reflect.get(Object(value), name) !== undefined).length === 1,
    { error: `must have exactly one of ${names.join(', ')}` },
  );
}
