/** Paging: bounds, cursors that nobody can edit, and order that stands while rows come and go. */
import { assert } from "@effect/vitest"
import { Review } from "@lectern/core/review/Review"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSite, ofSite, pathOfSite, siteSpacesOf } from "./SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish } from "./Steps.ts"

const ask = Effect.fnUntraced(function* (path: string, cursor?: string) {
  const { call } = yield* Harness
  const query = cursor === undefined ? "" : `&page=${encodeURIComponent(cursor)}`
  return yield* call("admin", "GET", path + query)
})

const page = (path: string, cursor?: string) =>
  ask(path, cursor).pipe(answers(200, Shapes.listOf(Shapes.ChangeRequest)))

const spaceWithChangeRequests = Effect.fnUntraced(function* (count: number) {
  const { id } = yield* createSpace()
  for (let i = 0; i < count; i++) yield* openChangeRequest(id)
  return { id, path: `/v1/spaces/${id}/change-requests?status=all` }
})

onEachAdapter("Lists", (it) => {
  it.effect("gives every item once, in order, with a next page only where there is more", () =>
    Effect.gen(function* () {
      const { path } = yield* spaceWithChangeRequests(7)
      for (const limit of [1, 2, 3, 6, 7, 8, 1000]) {
        const numbers: Array<number> = []
        let cursor: string | undefined
        let pages = 0
        do {
          const { items, count, next } = yield* page(`${path}&limit=${limit}`, cursor)
          assert.strictEqual(count, 7)
          assert.isAtMost(items.length, limit)
          numbers.push(...items.map(({ number }) => number))
          cursor = next?.page
          pages++
        } while (cursor !== undefined)
        assert.deepStrictEqual(numbers, [7, 6, 5, 4, 3, 2, 1])
        assert.strictEqual(pages, Math.ceil(7 / limit))
      }
    })
  )

  it.effect("holds 50 items to a page by default", () =>
    Effect.gen(function* () {
      const { path } = yield* spaceWithChangeRequests(51)
      const first = yield* page(path)
      assert.strictEqual(first.items.length, 50)
      assert.strictEqual(first.count, 51)
      assert.strictEqual((yield* page(path, first.next?.page)).items.length, 1)
    })
  )

  it.effect("ends a page where its items are large, and goes on behind it", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id, path } = yield* spaceWithChangeRequests(6)
      const leaves = [{ object: "leaf", text: "Why. ".repeat(200_000), marks: [] }]
      const nodes = [{ object: "block", type: "paragraph", key: "first", nodes: [{ object: "text", leaves }] }]
      const description = { object: "document", data: {}, nodes }
      for (const number of [1, 2, 3, 4, 5]) {
        yield* call("admin", "PATCH", `/v1/spaces/${id}/change-requests/${number}`, { description }).pipe(has(200))
      }
      // Four of them are 4 MB.
      const first = yield* page(`${path}&limit=1000`)
      assert.deepStrictEqual(
        first.items.map(({ number }) => number),
        [6, 5, 4, 3, 2]
      )
      assert.strictEqual(first.items[1]?.description?.nodes[0]?.key, "first")
      const rest = yield* page(`${path}&limit=1000`, first.next?.page)
      assert.deepStrictEqual([rest.items.map(({ number }) => number), rest.next, rest.count], [[1], undefined, 6])
      const ofAll = yield* page(`/v1/orgs/${organization}/change-requests?status=all&limit=1000`)
      assert.strictEqual(ofAll.items.filter((item) => item.description !== undefined).length, 4)
    })
  )

  it.effect("ends a page of reviews where their comments are large", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* spaceWithChangeRequests(1)
      const reviews = `/v1/spaces/${id}/change-requests/1/reviews`
      const leaves = [{ object: "leaf", text: "Why. ".repeat(25_000), marks: [] }]
      const nodes = [{ object: "block", type: "paragraph", key: "first", nodes: [{ object: "text", leaves }] }]
      const comment = { document: { object: "document", data: {}, nodes } }
      const said = 35
      for (let n = 0; n < said; n++) {
        yield* call("create", "POST", reviews, { status: "approved", comment }).pipe(has(201))
      }
      // Every review but the last is outdated by the next.
      for (const [query, count] of [
        ["", said],
        ["&outdated=true", said - 1]
      ] as const) {
        const listed = (cursor?: string) =>
          ask(`${reviews}?limit=1000&format=document${query}`, cursor).pipe(answers(200, Shapes.listOf(Review)))
        const first = yield* listed()
        assert.strictEqual(first.count, count)
        assert.strictEqual(first.items.length, 33)
        const rest = yield* listed(first.next?.page)
        assert.deepStrictEqual([rest.items.length, rest.next], [count - 33, undefined])
        assert.strictEqual(new Set([...first.items, ...rest.items].map(({ id }) => id)).size, count)
      }
    })
  )

  it.effect("says so where a parameter that takes one value is given twice", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const list = `/v1/orgs/${organization}/collections`
      for (const [query, path] of [
        ["limit=10&limit=20", "query.limit"],
        ["page=a&page=a", "query.page"],
        ["nested=true&nested=true", "query.nested"]
      ] as const) {
        const { message, issues } = yield* call("admin", "GET", `${list}?${query}`).pipe(refused(400))
        assert.deepStrictEqual(issues, [{ path, message: "Expected it once" }])
        assert.strictEqual(message, `The query parameters of the request can't be accepted: ${path}: Expected it once`)
      }
      // Those that take several take one that is none as such.
      const statuses = `/v1/orgs/${organization}/change-requests?status=open&status=closed`
      const { issues } = yield* call("admin", "GET", statuses).pipe(refused(400))
      assert.include(issues?.[0]?.message, "merged")
    })
  )

  it.effect("refuses limits that are none", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id } = yield* createSpace()
      const site = yield* pathOfSite((yield* createSite([id])).id)
      const lists = [
        "/v1/orgs",
        `/v1/orgs/${organization}/spaces`,
        `/v1/orgs/${organization}/change-requests`,
        `/v1/spaces/${id}/change-requests`,
        `/v1/spaces/${id}/content/files`,
        `/v1/orgs/${organization}/teams`,
        `/v1/spaces/${id}/comments`,
        `/v1/spaces/${id}/commenters`,
        `/v1/orgs/${organization}/sites`,
        ...["sections", "section-groups", "site-spaces", "share-links", "redirects"].map((part) => `${site}/${part}`)
      ]
      for (const list of lists) {
        for (const limit of ["0", "-1", "1001", "1.5", "ten", "", "NaN", "Infinity", "1e9", "1&limit=2"]) {
          const { issues } = yield* call("admin", "GET", `${list}?limit=${limit}`).pipe(refused(400))
          assert.match(issues?.[0]?.path ?? "", /^query\.limit/)
        }
        for (const limit of [1, 1000]) yield* call("admin", "GET", `${list}?limit=${limit}`).pipe(has(200))
      }
    })
  )

  it.effect("neither skips nor repeats what stays while others come and go", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/spaces?limit=2`
      const list = (cursor?: string) =>
        call("admin", "GET", cursor === undefined ? path : `${path}&page=${encodeURIComponent(cursor)}`).pipe(
          answers(200, Shapes.listOf(Shapes.Space))
        )
      const stay: Array<string> = []
      const go: Array<string> = []
      for (let i = 0; i < 6; i++) {
        stay.push((yield* createSpace({ title: `Stays ${i}` })).id)
        go.push((yield* createSpace({ title: `Goes ${i}` })).id)
      }
      const seen: Array<string> = []
      let cursor: string | undefined
      for (let round = 0; round < 200; round++) {
        const { items, next } = yield* list(cursor)
        seen.push(...items.map(({ id }) => id))
        if (next === undefined) break
        cursor = next.page
        // The last item of this page goes too, if it is one of those: the cursor outlives its row.
        const last = items.at(-1)?.id ?? ""
        const gone = go.includes(last) ? last : go.find((id) => !seen.includes(id))
        if (gone !== undefined) yield* call("admin", "DELETE", `/v1/spaces/${gone}`).pipe(has(204))
        if (round < 3) yield* createSpace({ title: "Comes" })
      }
      assert.strictEqual(new Set(seen).size, seen.length)
      assert.deepStrictEqual(
        seen.filter((id) => stay.includes(id)),
        stay
      )
    })
  )

  it.effect("finds its place among things that somebody sorts, whatever is gone around it", () =>
    Effect.gen(function* () {
      const spaces: Array<string> = []
      for (let i = 0; i < 9; i++) spaces.push((yield* createSpace({ title: `Space ${i}` })).id)
      // How many of a page of three are taken off from its end, and how many of what follows it.
      for (const [seen, coming] of [
        [1, 0],
        [2, 0],
        [3, 0],
        [0, 1],
        [1, 1],
        [2, 2],
        [3, 1],
        [3, 2]
      ] as const) {
        const { id } = yield* createSite(spaces)
        const list = (cursor?: string) =>
          ofSite(id, "GET", `/site-spaces?limit=3${cursor === undefined ? "" : `&page=${cursor}`}`).pipe(
            answers(200, Shapes.listOf(Shapes.SiteSpace))
          )
        const wanted = (yield* siteSpacesOf(id)).map((item) => item.id)
        const found: Array<string> = []
        let cursor: string | undefined
        do {
          const { items, next } = yield* list(cursor)
          found.push(...items.map((item) => item.id))
          cursor = next?.page
          if (found.length > 3) continue
          const gone = [...wanted.slice(3 - seen, 3), ...wanted.slice(3, 3 + coming)]
          for (const one of gone) yield* ofSite(id, "DELETE", `/site-spaces/${one}`).pipe(has(204))
        } while (cursor !== undefined)
        assert.deepStrictEqual(found, [...wanted.slice(0, 3), ...wanted.slice(3 + coming)], `${seen} and ${coming}`)
      }
    })
  )

  it.effect("goes on behind what was newest when newer ones come", () =>
    Effect.gen(function* () {
      const { id, path } = yield* spaceWithChangeRequests(4)
      const first = yield* page(`${path}&limit=2`)
      yield* openChangeRequest(id)
      const second = yield* page(`${path}&limit=2`, first.next?.page)
      assert.deepStrictEqual(
        [...first.items, ...second.items].map(({ number }) => number),
        [4, 3, 2, 1]
      )
      assert.strictEqual(second.count, 5)
    })
  )

  it.effect("lists an organization's change requests from the newest on", () =>
    Effect.gen(function* () {
      const { organization } = yield* Harness
      const spaces = [yield* createSpace(), yield* createSpace()]
      const made: Array<string> = []
      for (let i = 0; i < 6; i++) {
        yield* TestClock.adjust(i < 3 ? "1 second" : "1 millis")
        made.unshift((yield* openChangeRequest(spaces[i % 2]?.id ?? "")).id)
      }
      const path = `/v1/orgs/${organization}/change-requests?status=draft&limit=4`
      const first = yield* page(path)
      const second = yield* page(path, first.next?.page)
      assert.deepStrictEqual(
        [...first.items, ...second.items].slice(0, 6).map(({ id }) => id),
        made
      )
    })
  )

  it.effect("refuses cursors that were edited, made up, or given out by another list", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { path } = yield* spaceWithChangeRequests(3)
      const other = yield* spaceWithChangeRequests(3)
      const cursor = (yield* page(`${path}&limit=1`)).next?.page ?? ""
      const [payload = "", signature = ""] = cursor.split(".")
      const forged = [
        "",
        "x",
        ".",
        "null",
        payload,
        `.${signature}`,
        `${payload}.${signature}x`,
        `${payload}.${signature.slice(0, -1)}`,
        `${payload}x.${signature}`,
        `${payload.slice(1)}.${signature}`,
        `${btoa(`[1]`)}.${signature}`,
        "A".repeat(5000),
        `${cursor}.${cursor}`,
        "%00",
        "🎉"
      ]
      for (const wrong of forged) {
        yield* call("admin", "GET", `${path}&page=${encodeURIComponent(wrong)}`).pipe(refused(400))
      }
      const given = encodeURIComponent(cursor)
      for (const list of [
        other.path,
        path.replace("status=all", "status=draft"),
        `${path}&contributor=x`,
        `${path}&reviewer=x`,
        `/v1/orgs/${organization}/change-requests?status=all`,
        `/v1/orgs/${organization}/spaces?x=1`,
        "/v1/orgs?x=1"
      ]) {
        yield* call("admin", "GET", `${list}&page=${given}`).pipe(refused(400))
      }
      yield* call("admin", "GET", `${path}&page=${given}&page=${given}`).pipe(refused(400))
      yield* call("review", "GET", `${path}&page=${given}&limit=7`).pipe(
        answers(200, Shapes.listOf(Shapes.ChangeRequest))
      )
    })
  )

  it.effect("pages through files, and keeps its place while revisions come", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const files = Array.from({ length: 5 }, (_, i) => ({ name: `${i}.txt`, base64: btoa(String(i)) }))
      yield* publish(id, [{ operation: "insert_files", files }])
      const path = `/v1/spaces/${id}/content/files?limit=2`
      const list = (cursor?: string) =>
        call("admin", "GET", cursor === undefined ? path : `${path}&page=${cursor}`).pipe(
          answers(200, Shapes.listOf(Shapes.File))
        )
      const first = yield* list()
      yield* publish(id, [insertPage("New")])
      const second = yield* list(first.next?.page)
      const third = yield* list(second.next?.page)
      assert.isUndefined(third.next)
      const names = [first, second, third].flatMap(({ items }) => items.map(({ name }) => name))
      assert.sameMembers(
        names,
        files.map(({ name }) => name)
      )
      assert.strictEqual(third.count, 5)
    })
  )

  it.effect("refuses filters that are none", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id } = yield* createSpace()
      for (const list of [`/v1/spaces/${id}/change-requests`, `/v1/orgs/${organization}/change-requests`]) {
        for (const status of ["closed", "", "open,draft", "OPEN", "open&status=closed"]) {
          yield* call("admin", "GET", `${list}?status=${status}`).pipe(refused(400))
        }
        yield* call("admin", "GET", `${list}?${"status=open&".repeat(11)}`).pipe(refused(400))
      }
      const sites = `/v1/orgs/${organization}/sites`
      for (const value of ["yes", "", "1", "TRUE", "true&published=true"]) {
        yield* call("admin", "GET", `${sites}?published=${value}`).pipe(refused(400))
      }
      const { id: site } = yield* createSite([id])
      for (const value of ["yes", "", "1", "true&default=false"]) {
        yield* ofSite(site, "GET", `/site-spaces?default=${value}`).pipe(refused(400))
      }
    })
  )
})
