/** The thread that brings the log into the database. */
import { join } from "node:path"
import { afterEach, assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import * as Checkpoints from "../src/Checkpoints.ts"
import { cleanUp, temporaryFolder } from "./LecternProcess.ts"

afterEach(cleanUp)

it.effect("brings the log of a database that others have open into its file, and says where it can't", () =>
  Effect.gen(function* () {
    const filename = join(temporaryFolder(), "lectern.db")
    const database = yield* Effect.acquireRelease(
      Effect.sync(() => new Database(filename)),
      (database) => Effect.sync(() => database.close())
    )
    database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a)")
    const write = () => database.prepare("INSERT INTO t VALUES (?)").run("x".repeat(100_000))
    const log = () => database.pragma("wal_checkpoint(NOOP)") as [{ log: number; checkpointed: number }]
    const checkpoint = yield* Checkpoints.inThread
    for (let times = 0; times < 2; times++) {
      write()
      assert.strictEqual(log()[0].checkpointed, 0)
      yield* Effect.promise(() => checkpoint(filename))
      const [{ log: pages, checkpointed }] = log()
      assert.isAbove(pages, 20)
      assert.strictEqual(checkpointed, pages)
    }
    const failure = yield* Effect.flip(Effect.tryPromise(() => checkpoint(`${filename}-none`)))
    assert.match(String(failure.cause), /unable to open|directory does not exist|no such file/i)
    yield* Effect.promise(() => checkpoint(filename))
  })
)
