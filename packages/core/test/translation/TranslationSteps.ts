/** Shared steps of translation tests over both adapters: spaces in two languages, edits, and runs. */
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Contents } from "@lectern/core/content/Contents"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Translations } from "@lectern/core/translation/Translations"
import { Effect, Layer } from "effect"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { belowTitle } from "../content/BelowTitle.ts"
import { actor, organization } from "../Instances.ts"
import { Engine } from "./Engine.ts"
import { memoryLayer } from "../Adapters.ts"

export const adapters = {
  memory: memoryLayer,
  sqlite: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))
}

export const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)

type Changes = Parameters<ChangeRequestContents["Service"]["write"]>[2]

/** Changes the main content of a space. Returns the changes. */
export const edit = Effect.fnUntraced(function* (space: SpaceId, changes: Changes) {
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  const contents = yield* ChangeRequestContents
  const written = yield* contents.write(space, id, changes)
  yield* contents.merge(space, id)
  return written.changes
})

export const page = (title: string, markdown: string, ref = title) => ({
  operation: "insert_page" as const,
  title,
  document: { markdown },
  ref
})

/** Returns the pages of a space, each with its title and Markdown. */
export const read = Effect.fnUntraced(function* (space: SpaceId) {
  const contents = yield* Contents
  const at = yield* contents.locate({ space })
  const { pages } = yield* contents.pages(at)
  const all: Array<readonly [string, string]> = []
  const ids: Array<string> = []
  for (const { id } of pages) {
    const shown = (yield* contents.page(at, id)) as unknown as { title: string; markdown: string }
    all.push([shown.title, belowTitle(shown.markdown).trim()])
    ids.push(id)
  }
  return { pages: all, ids, revision: at.revision.id }
})

/** Creates an organization with a space of two pages, and a translation of the space into German. */
export const begin = Effect.gen(function* () {
  const org = yield* organization
  const { id: space } = yield* (yield* Spaces).create(org, { title: "Handbook", language: "en" })
  yield* edit(space, [
    page("Start", "Read [the **rules**](/pages/Rules) first.\n\nThen go on.", "Start"),
    page("Rules", "# One rule\n\nRun `npm test`, always.\n\n```sh\nnpm test\n```", "Rules")
  ])
  const translation = yield* (yield* Translations).create(org, { source: { space }, language: "de" })
  return { org, space, id: translation.id }
})

export const run = Effect.fnUntraced(function* (org: Parameters<Translations["Service"]["run"]>[0], id: string) {
  const translations = yield* Translations
  yield* translations.run(org, id)
  yield* work
  return yield* translations.get(org, id)
})

export const servicesWith = (engine: Engine, storage: (typeof adapters)["memory"] | (typeof adapters)["sqlite"]) =>
  Layer.fresh(
    Lectern.layer({ hasher: NodeHasher.layer, translator: engine.layer }).pipe(
      Layer.provideMerge(storage),
      Layer.merge(actor)
    )
  )

export type Services = Layer.Success<ReturnType<typeof servicesWith>>
