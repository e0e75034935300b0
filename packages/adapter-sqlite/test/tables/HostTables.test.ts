import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { HostTables } from "@lectern/adapter-sqlite/tables/HostTables"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect, Layer } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-host-tables-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const newFile = () => join(folder, `${files++}.db`)

const open = (file = newFile()) => SqliteLectern.open({ file, background: false })

type Opened = Awaited<ReturnType<typeof open>>

const failure = (
  promise: Promise<unknown>
): Promise<{ readonly name: string; readonly code?: string; message: string }> =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error: Error) => error
  )

const codeOf = async (promise: Promise<unknown>) => (await failure(promise)).code

/** Creates a table of the host, and rows of Lectern. */
const prepare = async (lectern: Opened) => {
  await lectern.sql.run("CREATE TABLE customer (id INTEGER PRIMARY KEY, organization TEXT UNIQUE, note TEXT)")
  const { id } = await lectern.organizations.create({ title: "Acme" })
  await lectern.spaces.create(id, { title: "Handbook" })
  await lectern.users.create({ email: "eve@example.com" })
  return id
}

const titles = async (lectern: Opened) => (await lectern.organizations.list({})).items.map(({ title }) => title)

describe("Tables of the host", () => {
  it("are written in one transaction with Lectern's, and rolled back with them", async () => {
    const file = newFile()
    const lectern = await open(file)
    await prepare(lectern)
    const insert = "INSERT INTO customer (id, organization) VALUES (?, ?)"
    const before = await lectern.sql.all("SELECT * FROM customer")
    assert.deepStrictEqual(before, [])
    const created = await lectern.transaction(async (tx) => {
      const { id } = await tx.organizations.create({ title: "Committed" })
      assert.deepStrictEqual(await tx.sql.run(insert, 1, id), { changes: 1, lastInsertRowid: 1 })
      // Readers outside of the transaction don't see the row yet.
      const reader = new Database(file, { readonly: true })
      assert.strictEqual(reader.prepare("SELECT count(*) FROM customer").pluck().get(), 0)
      reader.close()
      const seen = await tx.sql.get<{ readonly id: number }>("SELECT id FROM customer WHERE organization = ?", id)
      assert.deepStrictEqual({ ...seen }, { id: 1 })
      return id
    })
    const refused = lectern.transaction(async (tx) => {
      const { id } = await tx.organizations.create({ title: "Rolled back" })
      await tx.sql.run(insert, 2, id)
      throw new Error("not today")
    })
    assert.strictEqual((await failure(refused)).message, "not today")
    const outdated = lectern.transaction(async (tx) => {
      await tx.sql.run(insert, 3, "other")
      await tx.organizations.update("missing", { title: "None" })
    })
    assert.strictEqual((await failure(outdated)).name, "OrganizationNotFound")
    assert.deepStrictEqual(
      (await lectern.sql.all("SELECT organization FROM customer")).map((row) => ({ ...row })),
      [{ organization: created }]
    )
    assert.deepStrictEqual(await titles(lectern), ["Acme", "Committed"])
    await lectern.close()

    const again = await open(file)
    assert.lengthOf(await again.sql.all("SELECT * FROM customer"), 1)
    await again.close()
  })

  it("take part in a transaction of a user, too", async () => {
    const lectern = await open()
    await prepare(lectern)
    const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
    await lectern.organizations.create({ title: "Ada's" }, ada)
    await lectern.as(ada).transaction(async (tx) => {
      const [mine] = (await tx.organizations.list({})).items
      await tx.sql.run("INSERT INTO customer (organization) VALUES (:id)", { id: mine!.id })
      await tx.as("nobody").sql.run("UPDATE customer SET note = 'seen'")
    })
    assert.strictEqual((await lectern.as(ada).sql.get("SELECT note FROM customer"))?.["note"], "seen")
    await lectern.close()
  })

  it("fail with SQLite's code, and the transaction goes on", async () => {
    const lectern = await open()
    await prepare(lectern)
    await lectern.transaction(async (tx) => {
      await tx.sql.run("INSERT INTO customer VALUES (1, 'a', NULL)")
      const duplicate = tx.sql.run("INSERT INTO customer VALUES (2, 'a', NULL)")
      assert.deepInclude(await failure(duplicate), { name: "SqlFailed", code: "SQLITE_CONSTRAINT_UNIQUE" })
      assert.strictEqual(await codeOf(tx.sql.run("INSERT INTO missing VALUES (1)")), "SQLITE_ERROR")
      assert.strictEqual(await codeOf(tx.sql.run("INSERT INTO customer (id) VALUES (?)")), "SQLITE_ERROR")
      assert.strictEqual(await codeOf(tx.sql.run("DELETE FROM customer; DELETE FROM customer")), "SQLITE_ERROR")
      assert.strictEqual(await codeOf(tx.sql.run("SELEKT 1")), "REFUSED")
      assert.strictEqual(await codeOf(tx.sql.all("INSERT INTO customer VALUES (3, 'c', NULL)")), "REFUSED")
      assert.strictEqual(await codeOf(tx.sql.get("DELETE FROM customer RETURNING id")), "REFUSED")
      await tx.organizations.create({ title: "Still" })
    })
    const partly = "INSERT OR FAIL INTO customer VALUES (4, 'd', NULL), (5, 'a', NULL)"
    assert.strictEqual(await codeOf(lectern.sql.run(partly)), "SQLITE_CONSTRAINT_UNIQUE")
    assert.deepStrictEqual(await titles(lectern), ["Acme", "Still"])
    assert.lengthOf(await lectern.sql.all("SELECT * FROM customer"), 1)
    await lectern.close()
  })

  it("change their schema in transactions, which are rolled back completely", async () => {
    const lectern = await open()
    await lectern.transaction(async (tx) => {
      await tx.sql.run("CREATE TABLE migration (number INTEGER PRIMARY KEY)")
      await tx.sql.run("CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)")
      await tx.sql.run("CREATE INDEX item_by_name ON item (name)")
      await tx.sql.run("CREATE VIEW named AS SELECT name FROM item WHERE name IS NOT NULL")
      await tx.sql.run("CREATE TRIGGER counted AFTER INSERT ON item BEGIN INSERT INTO migration VALUES (new.id); END")
      await tx.sql.run("INSERT INTO item (name) VALUES ('a')")
    })
    const migrating = lectern.transaction(async (tx) => {
      await tx.sql.run("ALTER TABLE item ADD COLUMN price INTEGER")
      await tx.sql.run("ALTER TABLE item RENAME COLUMN price TO cents")
      await tx.sql.run("UPDATE item SET cents = 5")
      await tx.sql.run("DROP VIEW named")
      throw new Error("a mistake")
    })
    assert.strictEqual((await failure(migrating)).message, "a mistake")
    assert.deepStrictEqual(Object.keys((await lectern.sql.get("SELECT * FROM item"))!), ["id", "name"])
    assert.deepStrictEqual({ ...(await lectern.sql.get("SELECT name FROM named")) }, { name: "a" })
    assert.deepStrictEqual({ ...(await lectern.sql.get("SELECT number FROM migration")) }, { number: 1 })
    assert.deepStrictEqual({ ...(await lectern.sql.get("SELECT value FROM json_each('[7]')")) }, { value: 7 })
    await lectern.close()
  })

  it("are the only tables that a statement can use", async () => {
    const lectern = await open()
    await prepare(lectern)
    const { sql } = lectern
    await sql.run("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")

    for (const statement of [
      "SELECT * FROM t_space",
      "SELECT doc FROM main.[T_Space]",
      'SELECT * FROM note JOIN "t_user"',
      "SELECT * FROM note WHERE id IN (SELECT rid FROM t_organization)",
      "WITH x AS (SELECT doc FROM t_organization) SELECT * FROM x",
      "SELECT * FROM lectern_object",
      "SELECT * FROM lectern_search",
      "SELECT name FROM sqlite_sequence",
      "SELECT * FROM pragma_optimize(65538)",
      "SELECT * FROM main.[Pragma_Optimize]",
      "EXPLAIN SELECT 1",
      "PRAGMA user_version"
    ]) {
      assert.strictEqual(await codeOf(sql.all(statement)), "REFUSED", statement)
    }
    for (const statement of [
      "DELETE FROM t_space",
      "UPDATE t_space SET doc = '{}'",
      "INSERT INTO t_user (doc) VALUES ('{}')",
      "INSERT INTO note (text) SELECT doc FROM t_user",
      "DROP TABLE t_space",
      "DROP INDEX k_space",
      "CREATE INDEX mine ON t_space (doc)",
      "CREATE TRIGGER spy AFTER INSERT ON t_space BEGIN INSERT INTO note (text) VALUES (new.doc); END",
      "CREATE TEMP TRIGGER spy AFTER INSERT ON main.t_space BEGIN SELECT 1; END",
      "CREATE TABLE copied AS SELECT * FROM t_space",
      "CREATE TABLE child (space INTEGER REFERENCES t_space (rid) ON DELETE RESTRICT)",
      "ALTER TABLE note ADD COLUMN space INTEGER REFERENCES t_space (rid)",
      "ALTER TABLE t_space ADD COLUMN mine TEXT",
      "ALTER TABLE note RENAME TO t_note",
      "CREATE TABLE t_later (id INTEGER)",
      "CREATE INDEX i_note ON note (text)",
      "CREATE VIEW lectern_view AS SELECT 1",
      "CREATE TEMP TABLE t (id INTEGER)",
      "CREATE VIRTUAL TABLE words USING fts5 (text)",
      "CREATE VIRTUAL TABLE words USING fts5vocab ('main', 'lectern_search', 'row')",
      "DELETE FROM sqlite_sequence",
      "PRAGMA user_version = 1",
      "/* a */ PRAGMA user_version = 1; -- */ SELECT 1",
      "; -- a comment\n PRAGMA journal_mode = DELETE",
      "ATTACH 'other.db' AS other",
      "VACUUM",
      "BEGIN",
      "COMMIT",
      "ROLLBACK",
      "SAVEPOINT a",
      "ANALYZE",
      "REINDEX",
      "INSERT OR ROLLBACK INTO note VALUES (1, 'a')"
    ]) {
      assert.strictEqual(await codeOf(sql.run(statement)), "REFUSED", statement)
    }
    await sql.run("/* a */ -- b\n INSERT INTO note (text) VALUES ('t_space')")
    assert.lengthOf(await sql.all("SELECT * FROM note"), 1)
    assert.deepStrictEqual(await titles(lectern), ["Acme"])
    await lectern.close()
  })

  it("do not reach Lectern's tables through views and triggers that were made elsewhere", async () => {
    const file = newFile()
    const lectern = await open(file)
    await prepare(lectern)
    await lectern.sql.run("CREATE TABLE note (text TEXT)")
    assert.lengthOf(await lectern.sql.all("SELECT * FROM note"), 0)
    const other = new Database(file)
    other.exec("CREATE VIEW spaces AS SELECT doc FROM t_space")
    other.exec("CREATE TRIGGER remove AFTER INSERT ON note BEGIN DELETE FROM t_space; END")
    other.close()
    assert.strictEqual(await codeOf(lectern.sql.all("SELECT * FROM spaces")), "REFUSED")
    assert.strictEqual(await codeOf(lectern.sql.run("INSERT INTO note VALUES ('a')")), "REFUSED")
    await lectern.close()
  })

  it("stay when Lectern rebuilds a table, even if a view refers to a missing table", async () => {
    const file = newFile()
    const lectern = await open(file)
    const id = await prepare(lectern)
    await lectern.sql.run("CREATE TABLE note (text TEXT)")
    await lectern.sql.run("CREATE VIEW notes AS SELECT text FROM note")
    await lectern.sql.run("DROP TABLE note")
    await lectern.close()
    const other = new Database(file)
    const layout = other.prepare("SELECT fingerprint FROM lectern_table WHERE name = 'organization'").pluck().get()
    const earlier = { ...(JSON.parse(String(layout)) as object), indexes: [["title"]] }
    other.prepare("UPDATE lectern_table SET fingerprint = ? WHERE name = 'organization'").run(JSON.stringify(earlier))
    other.close()
    const again = await open(file)
    await again.organizations.update(id, { title: "Rebuilt" })
    assert.deepStrictEqual(await titles(again), ["Rebuilt"])
    assert.lengthOf(await again.sql.all("SELECT * FROM customer"), 0)
    await again.close()
  })

  it("can't be written by an instance that only reads", async () => {
    const file = newFile()
    const lectern = await open(file)
    await prepare(lectern)
    const reading = await SqliteLectern.open({ file, readonly: true })
    assert.deepStrictEqual(await reading.sql.all("SELECT * FROM customer"), [])
    const refusal = await failure(reading.sql.run("INSERT INTO customer (id) VALUES (1)"))
    assert.deepInclude(refusal, { name: "StorageError", reason: "read-only" } as never)
    await Promise.all([reading.close(), lectern.close()])
  })

  it.effect("are a service for hosts with Effect", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const services = Lectern.layer().pipe(Layer.provideMerge(SqliteStorage.withHostTables({ filename })))
      yield* Effect.gen(function* () {
        const sql = yield* HostTables
        const { transaction } = yield* Storage
        const { create, list } = yield* Organizations
        yield* sql.run("CREATE TABLE customer (organization TEXT NOT NULL)")
        const insert = (organization: string | null) =>
          transaction(
            Effect.gen(function* () {
              yield* create({ title: "Acme" })
              yield* sql.run("INSERT INTO customer VALUES (?)", organization)
            })
          )
        assert.strictEqual((yield* Effect.flip(insert(null)))._tag, "SqlFailed")
        yield* insert("acme")
        assert.lengthOf((yield* list({})).items, 1)
        assert.lengthOf(yield* sql.all("SELECT * FROM customer"), 1)
      }).pipe(Effect.provide(services))
    }).pipe(Effect.provideService(CurrentActor, host), Effect.scoped)
  )
})
