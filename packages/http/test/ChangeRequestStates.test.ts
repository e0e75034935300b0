/** The states of a change request: every event in every state, and what the space counts meanwhile. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, getChangeRequest, getSpace, insertPage, merge, openChangeRequest, write } from "./Steps.ts"

const states = ["draft", "open", "archived", "merged"] as const
type State = (typeof states)[number]

interface Event {
  readonly name: string
  readonly method: "PATCH" | "POST"
  readonly at: string
  readonly body?: unknown
  /** The state after it, by the state before; null where it is refused. */
  readonly after: Readonly<Record<State, State | null>>
}

const stays = { draft: "draft", open: "open", archived: "archived", merged: null } as const
const takesContent = { draft: "draft", open: "open", archived: null, merged: null } as const
const set = (status: "draft" | "open" | "archived"): Event => ({
  name: `set to ${status}`,
  method: "PATCH",
  at: "",
  body: { status },
  after: { draft: status, open: status, archived: status, merged: null }
})

const events: ReadonlyArray<Event> = [
  set("draft"),
  set("open"),
  set("archived"),
  { name: "given a subject", method: "PATCH", at: "", body: { subject: "New" }, after: stays },
  { name: "given nothing", method: "PATCH", at: "", body: {}, after: stays },
  {
    name: "written to",
    method: "POST",
    at: "/content",
    body: { changes: [insertPage("Another")] },
    after: takesContent
  },
  { name: "updated", method: "POST", at: "/update", after: takesContent },
  {
    name: "merged",
    method: "POST",
    at: "/merge",
    after: { draft: "merged", open: "merged", archived: null, merged: null }
  }
]

const cases = states.flatMap((state) => events.map((event) => ({ state, event })))

const counted = (all: number, open: number, draft: number) => ({
  changeRequests: all,
  changeRequestsOpen: open,
  changeRequestsDraft: draft
})

const inState = Effect.fnUntraced(function* (state: State) {
  const { call } = yield* Harness
  const space = yield* createSpace()
  const { id } = yield* openChangeRequest(space.id)
  if (state === "merged") yield* merge(space.id, id)
  else if (state !== "draft")
    yield* call("admin", "PATCH", `/v1/spaces/${space.id}/change-requests/${id}`, { status: state })
  return { space: space.id, id }
})

onEachAdapter("States of a change request", (it) => {
  for (const { state, event } of cases) {
    const after = event.after[state]
    it.effect(`${state}, ${event.name}: ${after ?? "refused"}`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, id } = yield* inState(state)
        const before = yield* getChangeRequest(space, id)
        assert.strictEqual(before.status, state)
        const path = `/v1/spaces/${space}/change-requests/${id}`
        yield* call("admin", event.method, path + event.at, event.body).pipe(has(after === null ? 409 : 200))
        const now = yield* getChangeRequest(space, id)
        if (after === null) assert.deepStrictEqual(now, before)
        else assert.strictEqual(now.status, after)
        assert.deepInclude(
          yield* getSpace(space),
          counted(1, now.status === "open" ? 1 : 0, now.status === "draft" ? 1 : 0)
        )
      })
    )
  }

  it.effect("counts change requests exactly, whatever becomes of them", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const path = `/v1/spaces/${space}/change-requests`
      const is = (all: number, open: number, draft: number) =>
        Effect.map(getSpace(space), (shown) => assert.deepInclude(shown, counted(all, open, draft)))
      yield* is(0, 0, 0)
      for (let i = 1; i <= 4; i++) {
        yield* openChangeRequest(space)
        yield* is(i, 0, i)
      }
      yield* call("admin", "PATCH", `${path}/1`, { status: "open" }).pipe(has(200))
      yield* is(4, 1, 3)
      yield* call("admin", "PATCH", `${path}/1`, { status: "open" }).pipe(has(200))
      yield* is(4, 1, 3)
      yield* call("admin", "PATCH", `${path}/2`, { status: "archived" }).pipe(has(200))
      yield* is(4, 1, 2)
      yield* merge(space, 1)
      yield* is(4, 0, 2)
      yield* merge(space, 3)
      yield* is(4, 0, 1)
      yield* call("admin", "PATCH", `${path}/2`, { status: "draft" }).pipe(has(200))
      yield* is(4, 0, 2)
      yield* call("admin", "POST", `${path}/3/merge`).pipe(has(409))
      yield* is(4, 0, 2)
    })
  )

  it.effect("says who merged it and when, and which revision came of it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id } = yield* openChangeRequest(space, {}, "edit")
      yield* TestClock.adjust("1 minute")
      const { revision } = yield* call("review", "POST", `/v1/spaces/${space}/change-requests/${id}/merge`).pipe(
        answers(200, Shapes.MergeResult)
      )
      const merged = yield* getChangeRequest(space, id)
      assert.strictEqual(merged.revisionMerged, revision)
      assert.isFalse(merged.outdated)
      assert.isAbove(Date.parse(merged.updatedAt), Date.parse(merged.createdAt))
      assert.strictEqual((yield* getSpace(space)).revision, revision)
    })
  )

  it.effect("makes a revision of a merge without changes", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const before = yield* createSpace()
      const { id } = yield* openChangeRequest(before.id)
      const { revision, result } = yield* merge(before.id, id)
      assert.strictEqual(result, "merge")
      assert.notStrictEqual(revision, before.revision)
      const shown = yield* call("admin", "GET", `/v1/spaces/${before.id}/content`).pipe(answers(200, Shapes.Revision))
      assert.deepInclude(shown, { id: revision, type: "merge", parents: [before.revision] })
    })
  )

  it.effect("numbers without a gap when many are opened at once", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const made = yield* Effect.all(
        Array.from({ length: 50 }, () => openChangeRequest(space)),
        { concurrency: "unbounded" }
      )
      const numbers = made.map(({ number }) => number).sort((a, b) => a - b)
      assert.deepStrictEqual(
        numbers,
        Array.from({ length: 50 }, (_, i) => i + 1)
      )
      assert.deepInclude(yield* getSpace(space), counted(50, 0, 50))
      const refused = yield* call("read", "POST", `/v1/spaces/${space}/change-requests`).pipe(has(403))
      assert.strictEqual(refused.status, 403)
      assert.strictEqual((yield* openChangeRequest(space)).number, 51)
    })
  )

  it.effect("merges once when it is merged twice at once", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id } = yield* openChangeRequest(space)
      yield* write(space, id, [insertPage("Page")])
      const path = `/v1/spaces/${space}/change-requests/${id}/merge`
      const both = yield* Effect.all([call("admin", "POST", path), call("admin", "POST", path)], { concurrency: 2 })
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [200, 409])
      const { pages } = yield* call("admin", "GET", `/v1/spaces/${space}/content/pages`).pipe(
        answers(200, Shapes.Pages)
      )
      assert.strictEqual(pages.length, 1)
      assert.deepInclude(yield* getSpace(space), counted(1, 0, 0))
    })
  )

  it.effect("keeps what each of many brings when all are merged at once", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const titles = ["A", "B", "C", "D", "E"]
      for (const [i, title] of titles.entries()) {
        yield* openChangeRequest(space)
        yield* write(space, i + 1, [insertPage(title)])
      }
      const results = yield* Effect.forEach(titles, (_, i) => merge(space, i + 1), { concurrency: "unbounded" })
      assert.isTrue(results.every(({ result }) => result === "merge"))
      const { pages } = yield* call("admin", "GET", `/v1/spaces/${space}/content/pages`).pipe(
        answers(200, Shapes.Pages)
      )
      assert.sameMembers(
        pages.map(({ title }) => title),
        titles
      )
      assert.deepInclude(yield* getSpace(space), counted(5, 0, 0))
    })
  )

  it.effect("loses nothing that it said it took when many write at once", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}/change-requests/${id}/content`
      const results = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => insertPage(`Page ${i}`)),
        (change) => call("admin", "POST", path, { changes: [change] }),
        { concurrency: "unbounded" }
      )
      const taken = results.filter(({ status }) => status === 200).length
      assert.isAbove(taken, 0)
      assert.isTrue(results.every(({ status }) => status === 200 || status === 409))
      const { pages } = yield* call("admin", "GET", `${path}/pages`).pipe(answers(200, Shapes.Pages))
      assert.strictEqual(pages.length, taken)
    })
  )

  it.effect("counts exactly what there is after everything has happened at once", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const path = `/v1/spaces/${space}/change-requests`
      for (let i = 0; i < 8; i++) yield* openChangeRequest(space)
      const storm = Array.from({ length: 8 }, (_, i) => i + 1).flatMap((number) => [
        call("admin", "PATCH", `${path}/${number}`, { status: "open" }),
        call("admin", "PATCH", `${path}/${number}`, { status: "archived" }),
        call("admin", "POST", `${path}/${number}/merge`),
        call("admin", "PATCH", `${path}/${number}`, { status: "draft" }),
        call("admin", "POST", path)
      ])
      const results = yield* Effect.all(storm, { concurrency: "unbounded" })
      assert.isTrue(results.every(({ status }) => [200, 201, 409].includes(status)))
      const all = yield* call("admin", "GET", `${path}?status=all`).pipe(
        answers(200, Shapes.listOf(Shapes.ChangeRequest))
      )
      const having = (status: State) => all.items.filter((item) => item.status === status).length
      assert.strictEqual(all.count, 16)
      assert.deepInclude(yield* getSpace(space), counted(16, having("open"), having("draft")))
    })
  )
})
