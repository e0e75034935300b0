/** Merging through the interface: falling behind main, conflicts, and how they are settled. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import {
  getChangeRequest,
  getSpace,
  insertPage,
  merge,
  openChangeRequest,
  pageOf,
  publish,
  spaceWith,
  write
} from "./Steps.ts"

const update = (page: string, change: Record<string, unknown>) => ({ operation: "update_page", page, ...change })
const text = (markdown: string) => ({ document: { markdown } })

/** A page of three paragraphs whose second was changed on both sides. */
const conflicted = Effect.gen(function* () {
  const { call } = yield* Harness
  const { space, idOf } = yield* spaceWith({ Page: "First.\n\nSecond.\n\nThird." })
  const page = idOf("Page")
  const { id } = yield* openChangeRequest(space)
  yield* write(space, id, [update(page, text("First.\n\nSecond of ours.\n\nThird."))])
  yield* publish(space, [update(page, text("First.\n\nSecond of main.\n\nThird."))])
  const path = `/v1/spaces/${space}/change-requests/${id}`
  const conflictsOf = call("admin", "GET", `${path}/changes`).pipe(
    answers(200, Shapes.ChangeRequestChanges),
    Effect.map(({ conflicts }) => conflicts)
  )
  const mainText = Effect.map(pageOf(`/v1/spaces/${space}/content`, page), ({ markdown }) => markdown?.trim())
  return { space, page, id, path, conflictsOf, mainText }
})

onEachAdapter("Merging", (it) => {
  it.effect("tells that a change request has fallen behind, until it has caught up", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ One: "1", Two: "2" })
      const { id, revisionInitial } = yield* openChangeRequest(space)
      yield* write(space, id, [update(idOf("One"), text("ours"))])
      assert.isFalse((yield* getChangeRequest(space, id)).outdated)
      const { revision } = yield* publish(space, [update(idOf("Two"), text("main"))])
      const behind = yield* getChangeRequest(space, id)
      assert.isTrue(behind.outdated)
      assert.isUndefined(behind.revisionMergedAncestor)

      const path = `/v1/spaces/${space}/change-requests/${id}`
      const pulled = yield* call("admin", "POST", `${path}/update`).pipe(answers(200, Shapes.UpdateResult))
      const caughtUp = yield* getChangeRequest(space, id)
      assert.deepInclude(caughtUp, {
        outdated: false,
        revisionInitial,
        revisionMergedAncestor: revision,
        revision: pulled.revision
      })
      assert.deepStrictEqual(
        yield* call("admin", "POST", `${path}/update`).pipe(answers(200, Shapes.UpdateResult)),
        pulled
      )
      assert.strictEqual((yield* pageOf(`${path}/content`, idOf("Two"))).markdown?.trim(), "main")
      assert.strictEqual((yield* pageOf(`${path}/content`, idOf("One"))).markdown?.trim(), "ours")
      // What came from main is none of its changes.
      const { changes } = yield* call("admin", "GET", `${path}/changes`).pipe(answers(200, Shapes.ChangeRequestChanges))
      assert.deepStrictEqual(
        changes.map(({ page }) => page?.id),
        [idOf("One")]
      )
    })
  )

  it.effect("is outdated in draft and open alone", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space } = yield* spaceWith({ Page: "" })
      const { id } = yield* openChangeRequest(space)
      yield* publish(space, [insertPage("New")])
      for (const [status, outdated] of [
        ["draft", true],
        ["open", true],
        ["archived", false],
        ["draft", true]
      ] as const) {
        yield* call("admin", "PATCH", `/v1/spaces/${space}/change-requests/${id}`, { status }).pipe(has(200))
        assert.strictEqual((yield* getChangeRequest(space, id)).outdated, outdated)
      }
      yield* merge(space, id)
      yield* publish(space, [insertPage("Newer")])
      assert.isFalse((yield* getChangeRequest(space, id)).outdated)
    })
  )

  it.effect("pulls main in first when an outdated one is merged", () =>
    Effect.gen(function* () {
      const { space, idOf } = yield* spaceWith({ One: "1", Two: "2" })
      const { id } = yield* openChangeRequest(space)
      yield* write(space, id, [update(idOf("One"), text("ours")), insertPage("Three", "3")])
      yield* publish(space, [update(idOf("Two"), text("main"))])
      const { result, revision } = yield* merge(space, id)
      assert.strictEqual(result, "merge")
      assert.strictEqual((yield* getSpace(space)).revision, revision)
      const content = `/v1/spaces/${space}/content`
      assert.strictEqual((yield* pageOf(content, idOf("One"))).markdown?.trim(), "ours")
      assert.strictEqual((yield* pageOf(content, idOf("Two"))).markdown?.trim(), "main")
    })
  )

  it.effect("leaves main untouched where it conflicts, and stays as it was", () =>
    Effect.gen(function* () {
      const { space, id, mainText, conflictsOf } = yield* conflicted
      const before = yield* getSpace(space)
      const first = yield* merge(space, id)
      assert.strictEqual(first.result, "conflicts")
      const after = yield* getChangeRequest(space, id)
      assert.deepInclude(after, { status: "draft", revision: first.revision, outdated: false })
      assert.isUndefined(after.revisionMerged)
      assert.strictEqual(yield* mainText, "First.\n\nSecond of main.\n\nThird.")
      assert.deepStrictEqual(yield* getSpace(space), before)
      assert.strictEqual((yield* conflictsOf).length, 1)
      assert.deepStrictEqual(yield* merge(space, id), first)
    })
  )

  const settled = {
    main: "First.\n\nSecond of main.\n\nThird.",
    ours: "First.\n\nSecond of ours.\n\nThird.",
    both: "First.\n\nSecond of main.\n\nSecond of ours.\n\nThird."
  }
  for (const [keep, expected] of Object.entries(settled)) {
    it.effect(`settles a conflict by keeping ${keep}`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, page, id, path, conflictsOf, mainText } = yield* conflicted
        yield* call("admin", "POST", `${path}/update`).pipe(answers(200, Shapes.UpdateResult))
        const [conflict] = yield* conflictsOf
        assert.strictEqual(conflict?.page, page)
        assert.isString(conflict?.block)
        yield* call("admin", "POST", `${path}/conflicts/${conflict?.id}`, { keep }).pipe(
          answers(200, Shapes.ChangeRequest)
        )
        assert.deepStrictEqual(yield* conflictsOf, [])
        assert.strictEqual((yield* merge(space, id)).result, "merge")
        assert.strictEqual(yield* mainText, expected)
      })
    )
  }

  it.effect("says what may be kept, and refuses to keep both where there is room for one", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, page, id, path, conflictsOf } = yield* conflicted
      const set = (variable: string) => ({ operation: "set_variables", variables: { variable } })
      yield* write(space, id, [update(page, { title: "Of ours" }), set("ours")])
      yield* publish(space, [update(page, { title: "Of main" }), set("main")])
      yield* call("admin", "POST", `${path}/update`).pipe(answers(200, Shapes.UpdateResult))
      const conflicts = yield* conflictsOf
      const about = conflicts.map(({ block, field, keep }) => [
        field ?? (block === undefined ? "variable" : "block"),
        keep
      ])
      assert.sameDeepMembers(about, [
        ["block", ["main", "ours", "both"]],
        ["title", ["main", "ours"]],
        ["variable", ["main", "ours"]]
      ])
      for (const { id: conflict, keep } of conflicts) {
        if (keep.includes("both")) continue
        yield* call("admin", "POST", `${path}/conflicts/${conflict}`, { keep: "both" }).pipe(refused(409))
      }
      assert.strictEqual((yield* conflictsOf).length, 3)
      for (const { id: conflict, keep } of conflicts) {
        yield* call("admin", "POST", `${path}/conflicts/${conflict}`, { keep: keep.at(-1) }).pipe(has(200))
      }
      assert.strictEqual((yield* merge(space, id)).result, "merge")
    })
  )

  it.effect("settles a conflict by writing the page", () =>
    Effect.gen(function* () {
      const { space, page, id, conflictsOf, mainText } = yield* conflicted
      yield* merge(space, id)
      yield* write(space, id, [update(page, { title: "Of another field" })])
      assert.strictEqual((yield* conflictsOf).length, 1)
      yield* write(space, id, [update(page, text("First.\n\nSecond of both.\n\nThird."))])
      assert.deepStrictEqual(yield* conflictsOf, [])
      assert.strictEqual((yield* merge(space, id)).result, "merge")
      assert.strictEqual(yield* mainText, "First.\n\nSecond of both.\n\nThird.")
    })
  )

  it.effect("settles a conflict by writing what the page says already", () =>
    Effect.gen(function* () {
      const { space, page, id, conflictsOf, mainText } = yield* conflicted
      yield* merge(space, id)
      yield* write(space, id, [update(page, text("First.\n\nSecond of ours.\n\nThird."))])
      assert.deepStrictEqual(yield* conflictsOf, [])
      assert.strictEqual((yield* merge(space, id)).result, "merge")
      assert.strictEqual(yield* mainText, "First.\n\nSecond of ours.\n\nThird.")
    })
  )

  it.effect("settles the conflicts of pages that go with the one they stand under", () =>
    Effect.gen(function* () {
      const { space, page, id, conflictsOf } = yield* conflicted
      const { idOf } = yield* write(space, id, [insertPage("Above"), update(page, { into: "Above" })])
      assert.strictEqual((yield* merge(space, id)).result, "conflicts")
      yield* write(space, id, [{ operation: "delete_page", page: idOf("Above") }])
      assert.deepStrictEqual(yield* conflictsOf, [])
      assert.strictEqual((yield* merge(space, id)).result, "merge")
    })
  )

  it.effect("refuses what does not settle a conflict", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, id, path, conflictsOf } = yield* conflicted
      yield* merge(space, id)
      const [conflict] = yield* conflictsOf
      const at = `${path}/conflicts/${conflict?.id}`
      yield* call("admin", "POST", `${path}/conflicts/unknown`, { keep: "main" }).pipe(refused(404))
      for (const body of [{}, { keep: "neither" }, { keep: null }]) {
        const { issues } = yield* call("admin", "POST", at, body).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.keep")
      }
      yield* call("admin", "POST", at, { keep: "main" }).pipe(has(200))
      yield* call("admin", "POST", at, { keep: "main" }).pipe(refused(404))
    })
  )

  it.effect("keeps a page that one side changed and the other deleted, until someone decides", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Page: "Text" })
      const page = idOf("Page")
      const { id } = yield* openChangeRequest(space)
      yield* write(space, id, [{ operation: "delete_page", page }])
      yield* publish(space, [update(page, text("Changed"))])
      assert.strictEqual((yield* merge(space, id)).result, "conflicts")
      const path = `/v1/spaces/${space}/change-requests/${id}`
      const { conflicts } = yield* call("admin", "GET", `${path}/changes`).pipe(
        answers(200, Shapes.ChangeRequestChanges)
      )
      assert.strictEqual(conflicts.length, 1)
      assert.strictEqual(conflicts[0]?.field, "page")
      assert.strictEqual((yield* pageOf(`${path}/content`, page)).markdown?.trim(), "Changed")
      yield* call("admin", "POST", `${path}/conflicts/${conflicts[0]?.id}`, { keep: "both" }).pipe(refused(409))
      yield* call("admin", "POST", `${path}/conflicts/${conflicts[0]?.id}`, { keep: "ours" }).pipe(has(200))
      assert.strictEqual((yield* merge(space, id)).result, "merge")
      yield* call("admin", "GET", `/v1/spaces/${space}/content/page/${page}`).pipe(refused(404))
    })
  )
})
