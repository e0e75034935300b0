/** Queries of a table and their conditions (`ConditionSql`), as SQLite runs them. The contract suites test their results. */
import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { insert, using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

it.effect("answers the queries that a table declares indexes for by these", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    yield* using({ filename }, insert({ id: "a", group: "g" }))
    const db = new Database(filename, { readonly: true })
    const plan = (sql: string) =>
      (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as ReadonlyArray<{ readonly detail: string }>)
        .map(({ detail }) => detail)
        .join("; ")
    const page = plan(
      `SELECT doc FROM t_item WHERE f_group = 'g' AND (f_text, f_id) > ('a', 'b') ORDER BY f_text, f_id LIMIT 50`
    )
    assert.include(page, "SEARCH t_item USING INDEX")
    assert.notInclude(page, "TEMP B-TREE")
    assert.include(plan(`SELECT doc FROM t_item WHERE f_number > 1 AND f_number < ''`), "SEARCH")
    assert.include(plan(`SELECT doc FROM t_item WHERE f_id = 'a'`), "SEARCH")
    db.close()
  })
)
