import { z } from 'zod';

/** What a list may be asked for: at most `limit` items, those after `cursor`. */
export const pageQuery = {
  limit: z.int().min(1).max(100).default(25).describe('How many items to return.'),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,200}$/, 'is not a cursor of this API')
    .optional()
    .describe('The `nextCursor` of the page before. Opaque.')
    .meta({ example: 'MjAyNi0xMS0yMFQwODowMDowMFo' }),
};

/** A page of a list, newest first. `nextCursor` is null on the last page. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z
    .object({
      items: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .describe('Pass it as `cursor` for the next page; null: there is none.'),
    })
    .meta({ description: 'One page, and where the next one begins.' });
}
