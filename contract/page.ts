import { z } from 'zod';

/** The query parameters of a list: at most `limit` items, starting after `cursor`. */
export const pageQuery = {
  limit: z.int().min(1).max(100).default(25).describe('Maximum number of items to return.'),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,200}$/, 'is not a valid cursor')
    .optional()
    .describe('The `nextCursor` of the previous page. Opaque.')
    .meta({ example: 'MjAyNi0xMS0yMFQwODowMDowMFo' }),
};

/** A page of a list, newest first. `nextCursor` is null on the last page. */
export function pageOf<T extends z.ZodType>(item: T) {
  return listOf(item, 'Pass it as `cursor` to get the next page. Null on the last page.').meta({
    description: 'One page of a list, and the cursor of the next one.',
  });
}

/** A list without pages, in the form of a page. */
export function wholeListOf<T extends z.ZodType>(item: T) {
  return listOf(item, 'Always null: the list is complete.').meta({
    description: 'The complete list.',
  });
}

function listOf<T extends z.ZodType>(item: T, nextCursor: string) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe(nextCursor),
  });
}
