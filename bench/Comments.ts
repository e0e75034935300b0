/**
 * Compares lists of comments in a space with 1,000 comments to those in a space with 50,000, on the core over a SQLite
 * file. Both spaces have a page with 1,000 comments, distributed among all others. Half of the comments are about a
 * block, and every tenth has a reaction. The spaces take turns. Figures are medians.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { type CommentFilter, CommentId, type CommentRow, CommentTable } from "@lectern/core/comment/Comment"
import { Comments } from "@lectern/core/comment/Comments"
import { ReactionTable } from "@lectern/core/comment/Reaction"
import { Contents } from "@lectern/core/content/Contents"
import { Ids } from "@lectern/core/identity/Ids"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { Effect, Layer } from "effect"
import { median } from "./Http.ts"

const smallCount = 1_000
const largeCount = 50_000
const onPage = 1_000
const runs = 200
const slice = 1_000
const otherPages = 49

/** Creates a space of 50 pages with this number of comments, 1,000 of them on the first page. */
const makeSpace = Effect.fnUntraced(function* (size: number) {
  const storage = yield* Storage
  const ids = yield* Ids
  const users = yield* Users
  const contents = yield* ChangeRequestContents
  const { id: organization } = yield* (yield* Organizations).create({ title: "Bench" })
  const people = yield* Effect.forEach(
    Array.from({ length: 20 }, (_, i) => i),
    (i) => users.create({ email: `${size}-${i}@example.com` })
  )
  const { id: space } = yield* (yield* Spaces).create(organization, {})
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  const { changes } = yield* contents.write(
    space,
    id,
    Array.from({ length: otherPages + 1 }, (_, i) => ({
      operation: "insert_page" as const,
      title: `Page ${i}`,
      document: { markdown: Array.from({ length: 50 }, (_, n) => `Paragraph ${n} of page ${i}.`).join("\n\n") }
    }))
  )
  yield* contents.merge(space, id)
  const pages = changes.flatMap((change) => (change.object === "created_page" ? change.page.id : []))
  const page = pages[0]!
  const read = yield* Contents.use((all) =>
    Effect.flatMap(all.locate({ space }), (at) => all.page(at, page, { format: "document" }))
  )
  const blocks = (read as unknown as { readonly document: { readonly nodes: ReadonlyArray<{ readonly key: string }> } })
    .document.nodes
  // The service creates one comment of each kind. All others are copies that differ in the fields that lists filter by.
  const comments = yield* Comments
  const body = { markdown: "What does this **mean**? See [there](https://example.com)." }
  const kinds: Array<CommentRow> = []
  const rows = storage.repository(CommentTable)
  for (const about of [{ page }, { page, node: blocks[7]!.key }]) {
    const posted = yield* comments.post({ space }, { body, ...about })
    kinds.push((yield* rows.get({ id: posted.id }))!)
    yield* comments.remove({ space }, posted.id)
  }
  const every = size / onPage
  for (let createdCount = 0; createdCount < size; createdCount += slice) {
    yield* storage.transaction(
      Effect.gen(function* () {
        for (let i = createdCount; i < Math.min(size, createdCount + slice); i++) {
          const kind = kinds[(i / every) % 2 < 1 ? 0 : 1]!
          const isOnPage = i % every === 0
          const row: CommentRow = {
            ...kind,
            id: CommentId.make(yield* ids.next),
            author: people[i % people.length]!.id,
            ...(i % 3 === 0 && { status: "resolved", resolvedAt: kind.postedAt, resolvedBy: null }),
            target: isOnPage ? kind.target! : { ...kind.target!, id: pages[1 + (i % otherPages)]! }
          }
          yield* rows.insert(row)
          if (i % 10 !== 0) continue
          const { id, author, postedAt } = row
          yield* storage.repository(ReactionTable).insert({
            space,
            comment: id,
            to: id,
            character: "👍",
            emoji: "1f44d",
            user: author!,
            reactedAt: postedAt
          })
        }
      })
    )
  }
  return { space, page, author: people[0]!.id, last: people.at(-1)!.id }
})

type BenchSpace = Effect.Success<ReturnType<typeof makeSpace>>

const cases: Readonly<Record<string, (benchSpace: BenchSpace) => CommentFilter>> = {
  "50 of the page, newest first": ({ page }) => ({ targetPage: page }),
  "oldest first": ({ page }) => ({ targetPage: page, order: "asc" }),
  "open ones": ({ page }) => ({ targetPage: page, status: "open" }),
  "of one author": ({ page, author }) => ({ targetPage: page, authors: [author] }),
  "of two authors, open": ({ page, author, last }) => ({ targetPage: page, authors: [author, last], status: "open" }),
  "50 of the whole space": () => ({}),
  "of the whole space, of one author": ({ author }) => ({ authors: [author] }),
  "of the whole space, open, of two authors": ({ author, last }) => ({ authors: [author, last], status: "open" })
}

const measure = Effect.gen(function* () {
  const comments = yield* Comments
  const spaces = [yield* makeSpace(smallCount), yield* makeSpace(largeCount)]
  const table: Record<string, Record<string, number>> = {}
  for (const [name, filter] of Object.entries(cases)) {
    const times: ReadonlyArray<Array<number>> = [[], []]
    const counts: Array<number> = []
    for (let run = 0; run < runs; run++) {
      for (const [index, benchSpace] of spaces.entries()) {
        const startedAt = performance.now()
        const { items } = yield* comments.list({ space: benchSpace.space }, filter(benchSpace))
        if (run >= runs / 10) times[index]!.push(performance.now() - startedAt)
        counts[index] = items.length
      }
    }
    const [one, other] = times.map((all) => median(all))
    table[name] = {
      [`ms of ${smallCount}`]: Number(one!.toFixed(3)),
      [`ms of ${largeCount}`]: Number(other!.toFixed(3)),
      ratio: Number((other! / one!).toFixed(2)),
      "items of the first": counts[0]!,
      "of the second": counts[1]!
    }
  }
  return table
})

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  try {
    const layer = Lectern.layer({ hasher: NodeHasher.layer }).pipe(
      Layer.provideMerge(SqliteStorage.layer({ filename: join(folder, "lectern.db") })),
      Layer.merge(Layer.succeed(CurrentActor, host))
    )
    return await Effect.runPromise(measure.pipe(Effect.provide(layer), Effect.scoped))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
