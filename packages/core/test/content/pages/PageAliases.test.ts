/** Earlier paths of pages keep leading to them, whatever has become of the pages above. */
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import { Objects } from "@lectern/core/content/store/Objects"
import { PageAliasTable } from "@lectern/core/content/pages/PageAlias"
import { StorePagePositions, makePageAliases } from "@lectern/core/content/pages/PageAliases"
import type { PageId } from "@lectern/core/content/pages/Page"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import { Revisions } from "@lectern/core/content/revisions/Revisions"
import { JobTable } from "@lectern/core/job/Job"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { onEach } from "../../Adapters.ts"
import { adapters, organization, type Services } from "../../Instances.ts"
import { runs } from "../../Runs.ts"

const newSpace = Effect.gen(function* () {
  return (yield* (yield* Spaces).create(yield* organization, {})).id
})

const publish = Effect.fnUntraced(function* (space: SpaceId, changes: ReadonlyArray<ContentChange>) {
  // Revisions of one space are never made within the same millisecond but here.
  yield* TestClock.adjust(1)
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  const contents = yield* ChangeRequestContents
  const written = yield* contents.write(space, id, changes)
  yield* contents.merge(space, id)
  return written.changes.flatMap((change) => (change.object === "created_page" ? change.page.id : []))
})

const page = (slug: string, rest: Partial<ContentChange> = {}): ContentChange =>
  ({ operation: "insert_page", title: slug, slug, ref: slug, ...rest }) as ContentChange
const edit = (id: string, rest: { slug?: string; into?: string | null }): ContentChange => ({
  operation: "update_page",
  page: id,
  ...rest
})
const drop = (id: string): ContentChange => ({ operation: "delete_page", page: id })

const mainOf = Effect.fnUntraced(function* (space: SpaceId) {
  const row = (yield* (yield* Storage).repository(SpaceTable).get({ id: space }))!
  return ContentReader.make(yield* Objects, (yield* (yield* Revisions).get(row.revision)).content)
})

const resolve = Effect.fnUntraced(function* (space: SpaceId, path: string) {
  return yield* (yield* makePageAliases).resolve(space, yield* mainOf(space), path.split("/"))
})

/** The page that a path leads to: its id, with `moved` behind it where it has another path now. */
const at = Effect.fnUntraced(function* (space: SpaceId, path: string) {
  const found = yield* resolve(space, path)
  return found && `${found.page.id}${found.moved ? " moved" : ""}`
})

const rowsOf = Effect.fnUntraced(function* (space: SpaceId) {
  return yield* (yield* Storage).repository(PageAliasTable).list({ where: { space } })
})

/** Every path of the main content, folded, and the page it leads to. */
const pathsOf = Effect.fnUntraced(function* (space: SpaceId) {
  const paths = new Map<string, string>()
  const add = (nodes: ReadonlyArray<PageTree.PageNode>) => {
    for (const node of nodes) {
      paths.set(node.path.toLowerCase(), node.page.id)
      add(node.pages)
    }
  }
  add(yield* PageTree.tree(yield* mainOf(space)))
  return paths
})

for (const [name, services] of onEach(adapters)) {
  describe(`PageAliases (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("a renamed or moved page is found where it was, with all below it", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const [guides, setup, linux] = yield* publish(space, [
          page("guides"),
          page("Setup", { into: "guides" }),
          page("linux", { into: "Setup" })
        ])
        assert.strictEqual(yield* at(space, "guides/setup/linux"), linux)
        yield* publish(space, [edit(guides!, { slug: "docs" }), edit(setup!, { slug: "install", into: null })])
        assert.strictEqual(yield* at(space, "docs"), guides)
        assert.strictEqual(yield* at(space, "guides"), `${guides} moved`)
        assert.strictEqual(yield* at(space, "GUIDES/SETUP"), `${setup} moved`)
        assert.strictEqual(yield* at(space, "guides/setup/linux"), `${linux} moved`)
        assert.strictEqual(yield* at(space, "install/linux"), linux)
        yield* publish(space, [edit(linux!, { slug: "unix" })])
        assert.strictEqual(yield* at(space, "guides/setup/linux"), `${linux} moved`)
        assert.strictEqual(yield* at(space, "install/linux"), `${linux} moved`)
      }))

    test("a live page takes the path of one that left it, and gives it back", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const [old] = yield* publish(space, [page("start")])
        const [fresh] = yield* publish(space, [edit(old!, { slug: "welcome" }), page("start")])
        assert.strictEqual(yield* at(space, "start"), fresh)
        yield* publish(space, [edit(fresh!, { slug: "begin" })])
        assert.strictEqual(yield* at(space, "start"), `${fresh} moved`)
        yield* publish(space, [drop(fresh!)])
        assert.strictEqual(yield* at(space, "start"), `${old} moved`)
        yield* publish(space, [drop(old!)])
        assert.isUndefined(yield* at(space, "start"))
      }))

    test("the way leads over pages that changed places, and over some that are gone", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const [v1, v2, setup, deep, inner] = yield* publish(space, [
          page("v1"),
          page("v2"),
          page("setup", { into: "v1" }),
          page("deep", { into: "v2" }),
          page("inner", { into: "deep" })
        ])
        yield* publish(space, [edit(v1!, { slug: "v0" }), edit(v2!, { slug: "v1" }), edit(v1!, { slug: "v2" })])
        assert.strictEqual(yield* at(space, "v1"), v2)
        assert.strictEqual(yield* at(space, "v1/setup"), `${setup} moved`)
        assert.strictEqual(yield* at(space, "v2/deep/inner"), `${inner} moved`)
        // The page leaves its parent, which goes at once, and its parent goes later.
        yield* publish(space, [edit(inner!, { into: null }), drop(deep!)])
        yield* publish(space, [drop(v2!)])
        assert.strictEqual(yield* at(space, "v2/deep/inner"), `${inner} moved`)
        assert.strictEqual(yield* at(space, "v1/deep/inner"), `${inner} moved`)
        assert.isUndefined(yield* at(space, "v1/deep"))
        // So does all that is above it, together.
        const [, , kept] = yield* publish(space, [
          page("one"),
          page("two", { into: "one" }),
          page("three", { into: "two" }),
          page("four", { into: "one" })
        ])
        const one = yield* at(space, "one")
        yield* publish(space, [edit(kept!, { into: null }), drop(one!)])
        assert.strictEqual(yield* at(space, "one/two/three"), `${kept} moved`)
        assert.isUndefined(yield* at(space, "one/four"))
        // What went with nothing to find below it has left nothing.
        const left = (yield* rowsOf(space)).length
        yield* publish(space, [drop(setup!), drop(v1!)])
        assert.strictEqual((yield* rowsOf(space)).length, left)
      }))

    test("of several that were at a path the one counts that was there last", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const [a1, p1, a2, p2] = yield* publish(space, [
          page("a"),
          page("p", { into: "a" }),
          page("x"),
          { ...page("p", { into: "x" }), ref: "other" } as ContentChange
        ])
        yield* publish(space, [edit(p2!, { into: null, slug: "q" })])
        yield* publish(space, [edit(a1!, { slug: "b" })])
        yield* publish(space, [edit(a2!, { slug: "a" })])
        // Below what is at `a` now there was a `p` too, but never at `a/p`.
        assert.strictEqual(yield* at(space, "a/p"), `${p1} moved`)
        yield* publish(space, [edit(p2!, { into: a2!, slug: "p" })])
        assert.strictEqual(yield* at(space, "a/p"), p2)
        yield* publish(space, [edit(p2!, { into: null, slug: "q" })])
        assert.strictEqual(yield* at(space, "a/p"), `${p2} moved`)
      }))

    test("neither first content nor edits, order or links leave anything", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const [one] = yield* publish(space, [
          page("one"),
          page("two"),
          { operation: "insert_page", type: "link", title: "Link", target: { kind: "url", url: "https://example.org" } }
        ])
        const link = (yield* (yield* mainOf(space)).allPages).find(({ type }) => type === "link")!
        yield* publish(space, [
          { operation: "update_page", page: one!, title: "New title", at: 1, document: { markdown: "Text" } },
          { operation: "update_page", page: link.id, into: one! }
        ])
        yield* publish(space, [edit(one!, { slug: "ONE" }), drop(link.id)])
        assert.deepStrictEqual(yield* rowsOf(space), [])
        const copy = yield* (yield* Spaces).duplicate(space)
        assert.deepStrictEqual(yield* rowsOf(copy.id), [])
      }))

    test("no path is too long, too deep or too strange", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const [one] = yield* publish(space, [page("one")])
        yield* publish(space, [
          edit(one!, { slug: "two" }),
          { operation: "insert_page", type: "link", title: "Link", target: { kind: "url", url: "https://example.org" } }
        ])
        const link = (yield* (yield* mainOf(space)).allPages).find(({ type }) => type === "link")!
        const strange = ["", "/", "one/", "/one", "\ud800", "\u0000", `#${link.id}`, "..", "a".repeat(10_000), "%"]
        for (const path of strange) assert.isUndefined(yield* at(space, path), JSON.stringify(path))
        assert.isUndefined(yield* resolve(space, Array(500).fill("one").join("/")))
        const aliases = yield* makePageAliases
        assert.isUndefined(yield* aliases.resolve(space, yield* mainOf(space), []))
      }))

    test("a change that moves very many pages is noted by a job, once", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const edits = yield* LiveEdits
        const objects = yield* Objects
        const now = yield* Timestamps.now
        const write = Effect.fnUntraced(function* (
          change: (editor: ContentEditor.ContentEditor) => Effect.Effect<void, unknown>
        ) {
          yield* TestClock.adjust(1)
          const base = yield* edits.begin(space)
          const draft = objects.draft()
          const editor = ContentEditor.make(draft, base.content, now)
          yield* Effect.orDie(change(editor))
          return yield* edits.commit({ base, draft, content: yield* editor.finish })
        })
        const ids = Array.from({ length: 1_050 }, (_, i) => `page${i}` as PageId)
        yield* write((editor) =>
          Effect.forEach(ids, (id) => editor.insertPage({ id, title: id, slug: id }), { discard: true })
        )
        yield* write((editor) =>
          Effect.forEach(ids, (id) => editor.updatePage(id, { slug: `new-${id}` }), { discard: true })
        )
        assert.deepStrictEqual(yield* rowsOf(space), [])
        const worker = yield* JobWorker
        yield* worker.runDue
        assert.strictEqual((yield* rowsOf(space)).length, ids.length)
        assert.strictEqual(yield* at(space, "page1049"), "page1049 moved")
        const jobs = (yield* Storage).repository(JobTable)
        const job = (yield* jobs.list({ where: {} })).find(({ kind }) => kind === StorePagePositions.name)
        assert.strictEqual(job?.status, "done")
        yield* (yield* makePageAliases).storePositions(job!.payload as never)
        assert.strictEqual((yield* rowsOf(space)).length, ids.length)
      }))

    test("what is noted of a space goes with it", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const [one] = yield* publish(space, [page("one")])
        yield* publish(space, [edit(one!, { slug: "two" })])
        assert.strictEqual((yield* rowsOf(space)).length, 1)
        yield* (yield* Spaces).remove(space)
        yield* TestClock.adjust("7 days")
        yield* (yield* JobWorker).runDue
        assert.deepStrictEqual(yield* rowsOf(space), [])
      }))
  })
}

const slugs = ["a", "b", "c", "d"]
const move = fc.record({
  page: fc.nat(),
  slug: fc.constantFrom(...slugs),
  /** Into which page, or the top; undefined: it stays below the same. */
  into: fc.option(fc.nat({ max: 8 }), { nil: undefined })
})
const merges = fc.array(fc.array(move, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 10 })

/** Makes what of the moves can be made, in one change request each. */
const makeMoves = Effect.fnUntraced(function* (
  space: SpaceId,
  ids: ReadonlyArray<string>,
  moves: ReadonlyArray<typeof move extends fc.Arbitrary<infer A> ? A : never>
) {
  yield* TestClock.adjust(1)
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  const contents = yield* ChangeRequestContents
  for (const { page, slug, into } of moves) {
    const target = into === undefined ? undefined : (ids[into] ?? null)
    // Refused where the slug is taken, or the page would stand below itself.
    yield* Effect.result(
      contents.write(space, id, [
        edit(ids[page % ids.length]!, { slug, ...(target !== undefined && { into: target }) })
      ])
    )
  }
  yield* contents.merge(space, id)
})

describe("PageAliases", () => {
  it.effect("every earlier path leads to the page that had it last, unless a live page has it", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const property = fc.asyncProperty(merges, (rounds) =>
        Effect.gen(function* () {
          const space = yield* newSpace
          const ids = yield* publish(space, [
            ...slugs.map((slug) => page(slug)),
            page("a2", { slug: "a", into: "b", ref: "a2" } as Partial<ContentChange>),
            page("b2", { slug: "b", into: "a", ref: "b2" } as Partial<ContentChange>),
            page("c2", { slug: "c", into: "b2", ref: "c2" } as Partial<ContentChange>)
          ])
          const history = [yield* pathsOf(space)]
          for (const moves of rounds) {
            yield* makeMoves(space, ids, moves)
            history.unshift(yield* pathsOf(space))
          }
          const [now] = history
          for (const path of new Set(history.flatMap((paths) => [...paths.keys()]))) {
            const last = history.find((paths) => paths.has(path))!.get(path)!
            assert.strictEqual(yield* at(space, path), now!.has(path) ? last : `${last} moved`, path)
          }
        }).pipe(Effect.runPromiseWith(context))
      )
      yield* Effect.promise(() => fc.assert(property, runs(30, 120)))
    }).pipe(Effect.provide(Layer.fresh(adapters.memory)))
  )

  it.effect("a path of a page that is still there leads somewhere, whatever is made and removed", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const steps = fc.array(
        fc.oneof(
          { weight: 4, arbitrary: move },
          { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
          { weight: 1, arbitrary: fc.record({ make: fc.constantFrom(...slugs), under: fc.nat() }) }
        ),
        { minLength: 5, maxLength: 20 }
      )
      const property = fc.asyncProperty(steps, (steps) =>
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* publish(space, [page("a"), page("b", { into: "a" }), page("c", { into: "b" }), page("d")])
          const history = [yield* pathsOf(space)]
          for (const step of steps) {
            const ids = [...history[0]!.values()]
            if (ids.length === 0) break
            if ("remove" in step) {
              // Those below stay: they leave for the top under names that nobody has.
              const gone = ids[step.remove % ids.length]!
              const below = yield* (yield* mainOf(space)).children(gone)
              yield* publish(space, [
                ...below.map(({ id }) => edit(id, { into: null, slug: `kept-${id}` })),
                drop(gone)
              ])
            } else if ("make" in step) {
              yield* Effect.result(publish(space, [page(step.make, { into: ids[step.under % ids.length]! })]))
            } else yield* makeMoves(space, ids, [step])
            history.unshift(yield* pathsOf(space))
          }
          const [now] = history
          const there = new Set(now!.values())
          for (const paths of history) {
            for (const [path, id] of paths) {
              if (!there.has(id)) continue
              const found = yield* resolve(space, path)
              assert.isDefined(found, path)
              assert.strictEqual(found.moved, !now!.has(path), path)
              if (!found.moved) assert.strictEqual(found.page.id as string, now!.get(path), path)
            }
          }
        }).pipe(Effect.runPromiseWith(context))
      )
      yield* Effect.promise(() => fc.assert(property, runs(30, 120)))
    }).pipe(Effect.provide(Layer.fresh(adapters.memory)))
  )
})
