/** Tests that planning the pages of a large table of contents does not block the event loop. */
import { assert, it } from "@effect/vitest"
import * as Folder from "@lectern/exchange/import/Folder"
import * as FolderPlan from "@lectern/exchange/import/FolderPlan"
import { Effect, Scheduler } from "effect"
import { countedTurns } from "../../../core/test/storage/CountedTurns.ts"
import { hastily } from "../../../core/test/storage/HastyClock.ts"

const many = 3_000

it.effect("rests by the entries of a table of contents", () =>
  Effect.gen(function* () {
    const names = Array.from({ length: many }, (_, n) => `page-${n}.md`)
    const summary = names.map((name) => `* [${name}](${name})\n`).join("")
    const files = [Folder.file("SUMMARY.md", summary), ...names.map((name) => Folder.file(name, "# A page"))]
    const turns = countedTurns()
    const plan = yield* hastily(Effect.provideService(FolderPlan.make({ files }), Scheduler.Scheduler, turns))
    assert.lengthOf(plan.pages, many)
    assert.isAbove(turns.count, many)
  })
)
