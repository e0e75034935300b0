/**
 * Adds a page to a handbook at each start, and prints the titles of all pages.
 *
 *     node examples/effect/src/main.ts
 *
 * `DATABASE`: path of the database. Default: `lectern.db` in the current folder.
 */
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Lectern from "@lectern/core/Lectern"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { addPage, openHandbook, pageTitles } from "./Handbook.ts"

const program = Effect.gen(function* () {
  const handbook = yield* openHandbook()
  const number = (yield* pageTitles(handbook)).length + 1
  yield* addPage(handbook, `Page ${number}`, "It is good that you are here.\n")
  yield* Console.log((yield* pageTitles(handbook)).join("\n"))
})

const Host = Lectern.layer({ hasher: NodeHasher.layer }).pipe(
  Layer.provide(SqliteStorage.layer({ filename: process.env["DATABASE"] ?? "lectern.db" }))
)

// The application itself has all permissions. A user has the permissions of its memberships.
await Effect.runPromise(program.pipe(Effect.provideService(CurrentActor, host), Effect.provide(Host)))
