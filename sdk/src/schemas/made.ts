import { z } from 'zod';

/** Makes a schema. A bundler leaves out what is made and not used. */
export function made<T>(make: () => z.ZodType): z.ZodType<T> {
  return make() as z.ZodType<T>;
}

/** A page of a list. */
export function page(item: z.ZodType): z.ZodType {
  return z.looseObject({ items: z.array(item), nextCursor: z.string().nullable() });
}
