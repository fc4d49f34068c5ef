/**
 * The index that a migration creates or drops CONCURRENTLY as its only statement; null for any other migration.
 * Postgres runs that only outside a transaction, so such migrations must be recognized first. `npm run
 * check:migrations` verifies that such a statement is alone and repeatable.
 * @returns its name, quoted and with its schema.
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
