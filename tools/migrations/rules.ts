/**
 * What is affected: the version that still runs, sessions that wait for a lock, the next start, or something unknown.
 */
export type Harm = 'breaks' | 'locks' | 'strands' | 'unseen';

interface Rule {
  readonly harm: Harm;
  /** The effect on users during the migration. */
  readonly why: string;
  /** The alternative: expand in one release and contract in a later one. */
  readonly instead: string;
}

const CONTRACT =
  'Stop using it in one release; drop it in a later one, under a line `-- contract: <release that no longer uses it>: <reason>`.';

function gone(what: string, why: string): Rule {
  return {
    harm: 'breaks',
    why: `The running version still uses the ${what}: ${why}`,
    instead: CONTRACT,
  };
}

/**
 * Every reason to refuse a migration. A contract line may lift `breaks`, which is over once no running version uses the
 * object. A lock is independent of versions, and an unknown effect cannot be lifted.
 */
export const RULES = {
  'table-dropped': gone('table', 'its statements fail from that moment.'),
  'column-dropped': gone('column', 'its statements name it and fail.'),
  'type-dropped': gone('type', 'its casts and parameters fail.'),
  'function-dropped': {
    ...gone('function', 'its calls fail.'),
    instead: `Add the new form beside the old one, under another name or with other parameters. ${CONTRACT}`,
  },
  'view-dropped': gone('view', 'its statements fail.'),
  'schema-dropped': gone('schema', 'its statements fail.'),
  'object-dropped': gone('object', 'what leans on it fails.'),
  'index-dropped': gone('index', 'its reads lean on it, and ON CONFLICT on a unique one.'),
  'constraint-dropped': gone(
    'constraint',
    'it leans on it for ON CONFLICT, for cascades, or for a refusal that it tells its callers.',
  ),
  'policy-dropped': {
    ...gone('policy', 'without one, row-level security shows it no row at all.'),
    instead: `Create the new policy beside the old one: permissive ones add up. ${CONTRACT}`,
  },
  'enum-value-gone': {
    harm: 'breaks',
    why: 'The running version writes the value by its old name and fails.',
    instead:
      'Add the new value and let both be read; values that are no longer written do no harm.',
  },
  renamed: {
    harm: 'breaks',
    why: 'The running version knows it by its old name alone.',
    instead: `Add it under the new name, write both in one release, read the new one in the next. ${CONTRACT}`,
  },
  'type-narrowed': {
    harm: 'breaks',
    why: 'The running version writes values of the old type, and reads them as such.',
    instead: `Add a column of the new type, write both, fill the rest in batches. ${CONTRACT}`,
  },
  'not-null-without-default': {
    harm: 'breaks',
    why: 'The running version inserts rows without the column, and each of them fails.',
    instead: 'Give it a DEFAULT, or let it be null until no running version leaves it out.',
  },
  'not-null-set': {
    harm: 'breaks',
    why: 'The running version may still write null there; and every row is read under a lock that shuts everybody out.',
    instead:
      'Add CHECK (column IS NOT NULL) NOT VALID once the new version writes it, VALIDATE CONSTRAINT in a migration of its own, and SET NOT NULL in a later release under a contract line: Postgres then takes the check’s word.',
  },
  'default-dropped': {
    harm: 'breaks',
    why: 'The running version leaves the column out of its inserts and relies on the default.',
    instead: `Keep the default. ${CONTRACT}`,
  },
  'unique-added': {
    harm: 'breaks',
    why: 'The running version may write what is then refused, and has no answer to the refusal.',
    instead:
      'Let one release write no duplicates first; then CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS in a migration of its own, under a contract line that names that release.',
  },
  'check-added': {
    harm: 'locks',
    why: 'Every row is read while nobody may write, and what the running version wrote may not pass.',
    instead: 'Add it NOT VALID, and VALIDATE CONSTRAINT in a migration of its own.',
  },
  'foreign-key-added': {
    harm: 'locks',
    why: 'Every row is looked up while nobody may write to either table, and what the running version wrote may not pass.',
    instead: 'Add it NOT VALID, and VALIDATE CONSTRAINT in a migration of its own.',
  },
  'foreign-key-holds-rows': {
    harm: 'breaks',
    why: 'The running version deletes rows of the table that is referred to, knows nothing of the ones that refer to it, and is refused.',
    instead: 'Say ON DELETE CASCADE or ON DELETE SET NULL.',
  },
  'validated-under-lock': {
    harm: 'locks',
    why: 'The lock of ADD CONSTRAINT is kept until the migration ends, so that every row is read while nobody may write.',
    instead: 'VALIDATE CONSTRAINT in a migration of its own, which is a transaction of its own.',
  },
  'table-rewritten': {
    harm: 'locks',
    why: 'Every row is rewritten while nobody can read or write the table.',
    instead:
      'Add the column without it, or with a constant, and SET DEFAULT in a statement after that: new rows get it, old ones are filled in batches.',
  },
  'index-in-transaction': {
    harm: 'locks',
    why: 'Nobody can write to the table until the whole index is built, or to read it until it is dropped.',
    instead:
      'Say CONCURRENTLY IF NOT EXISTS (of a drop: IF EXISTS), as the only statement of a migration: the server then runs it outside a transaction. Of a partitioned table: ON ONLY the parent, and CONCURRENTLY on each partition.',
  },
  'concurrently-with-others': {
    harm: 'locks',
    why: 'It cannot run within a transaction, and a migration of several statements is one.',
    instead: 'Give it a migration of its own, with no other statement.',
  },
  'not-repeatable': {
    harm: 'strands',
    why: 'It is noted after it is done: a start that dies in between leaves one behind that the next start cannot make again.',
    instead:
      'Say IF NOT EXISTS; of what is dropped, IF EXISTS. The server clears away what is half built.',
  },
  'table-locked': {
    harm: 'locks',
    why: 'Everybody else waits until the migration ends.',
    instead:
      'Leave it out. What has to be exclusive wants a lock of its own (pg_advisory_xact_lock).',
  },
  'rows-rewritten': {
    harm: 'locks',
    why: 'As many rows as there are stay locked in one transaction, and what the running version writes afterwards is left out.',
    instead:
      'Read the old form where the new one is missing, and fill the rest in batches of a job or of `npm run admin`; or bound it by WHERE … IN (SELECT … LIMIT 10000).',
  },
  'rows-gone': gone('rows', 'TRUNCATE leaves it none, and waits for everybody.'),
  'rights-taken': {
    harm: 'breaks',
    why: 'The running version still has the right and uses it.',
    instead: CONTRACT,
  },
  'rows-hidden': {
    harm: 'breaks',
    why: 'Rows that the running version sees and writes are hidden from it, or refused.',
    instead: `Create a permissive policy beside the old one, and drop that one later. ${CONTRACT}`,
  },
  'partition-detached': gone('partition', 'its rows are gone from the table.'),
  transaction: {
    harm: 'unseen',
    why: 'A migration is one transaction already, together with its line in the book.',
    instead: 'Leave BEGIN and COMMIT out.',
  },
  opaque: {
    harm: 'unseen',
    why: 'What it does is decided when it runs, so that nothing can be said of it here.',
    instead: 'Write the statements out, one for each table.',
  },
  unknown: {
    harm: 'unseen',
    why: 'Nobody has said yet what this statement does to a version that is running.',
    instead:
      'Find out, and say it in tools/migrations/statements.ts or alter-table.ts, with its cases in check.cases.ts.',
  },
  'released-changed': {
    harm: 'strands',
    why: 'It was released: where it is applied, the server compares its checksum and does not start.',
    instead: 'Restore it, and write a new migration.',
  },
  'released-removed': {
    harm: 'strands',
    why: 'It was released: a new database would not be built as the ones in use were.',
    instead: 'Restore it, and write a new migration.',
  },
  'out-of-order': {
    harm: 'strands',
    why: 'Its name comes before one that was released: a new database would be built in another order than the ones in use.',
    instead: 'Name it by the time of today; `npm run db:migrate` does.',
  },
  'contract-too-early': {
    harm: 'breaks',
    why: 'The release that the contract line names is not out: the version that runs may well use it.',
    instead: 'Name a released version that works without it. If there is none, wait for one.',
  },
  'contract-for-nothing': {
    harm: 'unseen',
    why: 'The contract line stands before nothing that it could lift.',
    instead: 'Leave it out, or write it directly before the statement that it is meant for.',
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;
