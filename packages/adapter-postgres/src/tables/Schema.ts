/**
 * Tables of the adapter itself, in a schema of their own.
 *
 * - `lectern_store`: one row. It is the lock of all commits, and holds the number of the last commit. `floor`: the last
 *   commit that is not in `lectern_change` any more.
 * - `lectern_change`: commits of the last minutes with an id and the tags of their rows (see `addWrittenTags`). Tags are
 *   null if the commit was declared void (see `Commits`).
 * - `lectern_table`: layouts of the tables of rows (see `TableLayout`).
 * - `lectern_object`, `lectern_blob`: immutable values by hash. PostgreSQL does not compress them (`EXTERNAL`), since large
 *   texts are compressed already.
 * - `lectern_search_*`: see `SearchQueries`.
 */
export const format = 1

export const schemaStatements = (schema: string): ReadonlyArray<string> => [
  `CREATE SCHEMA IF NOT EXISTS ${schema}`,
  `CREATE TABLE IF NOT EXISTS ${schema}.lectern_store (
    id int PRIMARY KEY CHECK (id = 1), format int NOT NULL, seq bigint NOT NULL, floor bigint NOT NULL
  ) WITH (fillfactor = 50)`,
  `INSERT INTO ${schema}.lectern_store (id, format, seq, floor) VALUES (1, ${format}, 1, 1) ON CONFLICT DO NOTHING`,
  `CREATE TABLE IF NOT EXISTS ${schema}.lectern_change (
    seq bigint PRIMARY KEY, id text NOT NULL UNIQUE, tags text[] COLLATE "C",
    at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE TABLE IF NOT EXISTS ${schema}.lectern_probe (id int PRIMARY KEY, at timestamptz NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ${schema}.lectern_table (name text COLLATE "C" PRIMARY KEY, fingerprint text NOT NULL)`,
  ...["lectern_object", "lectern_blob"].flatMap((name) => [
    `CREATE TABLE IF NOT EXISTS ${schema}.${name} (
      hash text COLLATE "C" PRIMARY KEY, written_at bigint NOT NULL, is_compressed boolean NOT NULL, value bytea NOT NULL
    )`,
    `ALTER TABLE ${schema}.${name} ALTER value SET STORAGE EXTERNAL`
  ]),
  `CREATE TABLE IF NOT EXISTS ${schema}.lectern_search_space (
    number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, space text COLLATE "C" NOT NULL UNIQUE, pages int NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS ${schema}.lectern_search_page (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, space int NOT NULL, page text COLLATE "C" NOT NULL,
    words text[] COLLATE "C" NOT NULL, UNIQUE (space, page)
  )`,
  `CREATE TABLE IF NOT EXISTS ${schema}.lectern_search_entry (
    space int NOT NULL, word text COLLATE "C" NOT NULL, page bigint NOT NULL, level int NOT NULL,
    PRIMARY KEY (space, word, page) INCLUDE (level)
  )`,
  `CREATE TABLE IF NOT EXISTS ${schema}.lectern_search_word (
    space int NOT NULL, word text COLLATE "C" NOT NULL, backwards text COLLATE "C" NOT NULL, PRIMARY KEY (space, word)
  )`,
  `CREATE INDEX IF NOT EXISTS lectern_search_backwards ON ${schema}.lectern_search_word (space, backwards)`
]
