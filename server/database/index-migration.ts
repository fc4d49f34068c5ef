/**
 * The index that a migration builds or drops while others go on writing, as its only statement; null for any other
 * migration. Postgres does that outside a transaction only, so that it has to be told from the others before it runs.
 * `npm run check:migrations` sees to it that such a statement stands alone and may be repeated.
 * @returns its name with its schema, as SQL wants it.
 */
export function onlyIndex(sql: string): string | null {
  const statement = sql.replaceAll(/^\s*--.*$/gm, '').trim();
  const [, , name, schema = 'public'] = CREATE.exec(statement) ?? [];
  if (name !== undefined) return `${schema}.${name}`;
  const [, dropped] = DROP.exec(statement) ?? [];
  return dropped === undefined || dropped.includes('.') ? (dropped ?? null) : `public.${dropped}`;
}

const NAME = '"[^"]+"|\\w+';
const CREATE = new RegExp(
  `^CREATE\\s+(UNIQUE\\s+)?INDEX\\s+CONCURRENTLY\\s+IF\\s+NOT\\s+EXISTS\\s+(${NAME})\\s+ON\\s+(?:(${NAME})\\.)?`,
  'i',
);
const DROP = new RegExp(
  `^DROP\\s+INDEX\\s+CONCURRENTLY\\s+IF\\s+EXISTS\\s+((?:(?:${NAME})\\.)?(?:${NAME}))\\s*;?$`,
  'i',
);
