// Kinds of columns that Drizzle does not have, or not in this form.
import { customType, integer, timestamp } from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const count = (name: string) => integer(name).notNull().default(0);
