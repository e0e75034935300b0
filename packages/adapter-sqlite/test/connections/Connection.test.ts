/** Prepared statements of a connection, and operations that fail. */
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Connection } from "../../src/connections/Connection.ts"

describe("Connection", () => {
  it("prepares a statement once, and again after a thousand others", () => {
    const connection = new Connection(new Database(":memory:"))
    const first = connection.pluck("SELECT 0")
    assert.strictEqual(connection.pluck("SELECT 0"), first)
    for (let i = 1; i <= 1_000; i++) connection.raw(`SELECT ${i}`)
    assert.notStrictEqual(connection.pluck("SELECT 0"), first)
    connection.db.close()
  })

  it("rolls back the writes of an operation that throws, and no earlier ones", () => {
    const connection = new Connection(new Database(":memory:"))
    connection.run("CREATE TABLE item (id)")
    connection.run("BEGIN")
    connection.atomically(() => connection.run("INSERT INTO item VALUES ('first')"))
    assert.throws(
      () =>
        connection.atomically(() => {
          connection.run("INSERT INTO item VALUES ('second')")
          throw new Error("refused")
        }),
      "refused"
    )
    connection.run("COMMIT")
    assert.deepStrictEqual(connection.pluck("SELECT id FROM item").all(), ["first"])
    connection.db.close()
  })
})
