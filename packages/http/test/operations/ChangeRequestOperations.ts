/** Change requests and what is written in them: each operation once, with its status and shape. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace, insertPage, openChangeRequest, pageOf, publish, spaceWith, write } from "../Steps.ts"

export const changeRequestOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("opens a change request that returns a space to a revision", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* createSpace()
      yield* publish(space.id, [insertPage("Later")])
      const path = `/v1/spaces/${space.id}/revisions/${space.revision}/revert`
      const draft = yield* call("edit", "POST", path, { subject: "Undo" }).pipe(answers(201, Shapes.ChangeRequest))
      assert.deepInclude(draft, { subject: "Undo", status: "draft", outdated: false })
      yield* call("edit", "POST", `/v1/spaces/${space.id}/revisions/gone/revert`).pipe(refused(404))
      const current = JSON.parse((yield* call("edit", "GET", `/v1/spaces/${space.id}`)).text)
      yield* call("edit", "POST", `/v1/spaces/${space.id}/revisions/${current.revision}/revert`).pipe(refused(409))
    })
  )

  it.effect("opens, shows and changes a change request", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const space = yield* createSpace()
      const path = `/v1/spaces/${space.id}/change-requests`
      const bare = yield* call("edit", "POST", path).pipe(answers(201, Shapes.ChangeRequest))
      assert.deepInclude(bare, {
        number: 1,
        status: "draft",
        subject: "",
        space: space.id,
        revision: space.revision,
        revisionInitial: space.revision,
        comments: 0,
        outdated: false
      })
      assert.strictEqual(bare.createdBy.id, users.edit)
      const input = { subject: "Better words", agentTaskId: "task-1" }
      const second = yield* call("edit", "POST", path, input).pipe(answers(201, Shapes.ChangeRequest))
      assert.deepInclude(second, { ...input, number: 2 })
      for (const name of [second.id, "2"]) {
        assert.deepStrictEqual(
          yield* call("read", "GET", `${path}/${name}`).pipe(answers(200, Shapes.ChangeRequest)),
          second
        )
      }
      const description = {
        object: "document",
        data: { schemaVersion: 8 },
        nodes: [
          {
            object: "block",
            type: "paragraph",
            key: "first",
            nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Why", marks: [] }] }]
          }
        ]
      }
      const patch = { subject: "Best words", status: "open", description }
      const changed = yield* call("edit", "PATCH", `${path}/2`, patch).pipe(answers(200, Shapes.ChangeRequest))
      assert.deepInclude(changed, { subject: "Best words", status: "open", agentTaskId: "task-1" })
      assert.strictEqual(changed.description?.nodes[0]?.type, "paragraph")
      const kept = yield* call("edit", "PATCH", `${path}/2`, {}).pipe(answers(200, Shapes.ChangeRequest))
      assert.deepStrictEqual(kept.description, changed.description)
      for (const body of [{ markdown: "Because" }, { document: description }]) {
        const { description: shown } = yield* call("edit", "PATCH", `${path}/2`, { description: body }).pipe(
          answers(200, Shapes.ChangeRequest)
        )
        assert.include(JSON.stringify(shown), "markdown" in body ? "Because" : "Why")
      }
      for (const body of [{ markdown: 5 }, { markdown: "x", document: description }]) {
        yield* call("edit", "PATCH", `${path}/2`, { description: body }).pipe(refused(400))
      }
    })
  )

  it.effect("lists those of a space by status and contributor, newest first", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const space = yield* createSpace()
      const path = `/v1/spaces/${space.id}/change-requests`
      for (const by of ["edit", "admin", "edit", "admin"] as const) yield* openChangeRequest(space.id, {}, by)
      for (const [number, status] of [
        [2, "open"],
        [3, "open"],
        [4, "archived"]
      ] as const) {
        yield* call("admin", "PATCH", `${path}/${number}`, { status }).pipe(answers(200, Shapes.ChangeRequest))
      }
      const numbers = (query: string) =>
        call("read", "GET", `${path}${query}`).pipe(
          answers(200, Shapes.listOf(Shapes.ChangeRequest)),
          Effect.map(({ items, count }) => {
            assert.strictEqual(count, items.length)
            return items.map(({ number }) => number)
          })
        )
      assert.deepStrictEqual(yield* numbers(""), [3, 2])
      assert.deepStrictEqual(yield* numbers("?status=draft"), [1])
      assert.deepStrictEqual(yield* numbers("?status=archived&status=draft"), [4, 1])
      assert.deepStrictEqual(yield* numbers("?status=all"), [4, 3, 2, 1])
      assert.deepStrictEqual(yield* numbers("?status=merged"), [])
      assert.deepStrictEqual(yield* numbers(`?status=all&contributor=${users.edit}`), [3, 1])
      // To change its subject or status is to write nothing in it.
      yield* call("review", "PATCH", `${path}/2`, { subject: "Named by someone else" }).pipe(
        answers(200, Shapes.ChangeRequest)
      )
      assert.deepStrictEqual(yield* numbers(`?contributor=${users.review}`), [])
      yield* write(space.id, 2, [insertPage("By someone else")], "review")
      assert.deepStrictEqual(yield* numbers(`?contributor=${users.review}`), [2])
      yield* call("review", "POST", `${path}/3/merge`).pipe(answers(200, Shapes.MergeResult))
      assert.deepStrictEqual(yield* numbers(`?status=merged&contributor=${users.review}`), [])
    })
  )

  it.effect("lists those of an organization, only where the caller may read", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [seen, hidden] = [yield* createSpace(), yield* createSpace()]
      yield* openChangeRequest(seen.id, { subject: "Seen" })
      yield* openChangeRequest(hidden.id, { subject: "Hidden" })
      yield* call("admin", "PATCH", `/v1/spaces/${hidden.id}`, { defaultLevel: null }).pipe(answers(200, Shapes.Space))
      const spacesOf = (by: "admin" | "read" | "guest") =>
        call(by, "GET", `/v1/orgs/${organization}/change-requests?status=all&limit=1000`).pipe(
          answers(200, Shapes.listOf(Shapes.ChangeRequest)),
          Effect.map(({ items }) => new Set(items.map(({ space }) => space)))
        )
      const administrator = yield* spacesOf("admin")
      assert.isTrue(administrator.has(seen.id) && administrator.has(hidden.id))
      const reader = yield* spacesOf("read")
      assert.isTrue(reader.has(seen.id))
      assert.isFalse(reader.has(hidden.id))
      assert.strictEqual((yield* spacesOf("guest")).size, 0)
      const open = yield* call("admin", "GET", `/v1/orgs/${organization}/change-requests`).pipe(
        answers(200, Shapes.listOf(Shapes.ChangeRequest))
      )
      assert.isTrue(open.items.every(({ status }) => status === "open"))
    })
  )

  it.effect("writes content, answering the change request alone by default", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* createSpace()
      const { id } = yield* openChangeRequest(space.id)
      const path = `/v1/spaces/${space.id}/change-requests/${id}/content`
      const body = { changes: [insertPage("Hello", "Hello **world**")] }
      for (const query of ["", "?compat=true"]) {
        const alone = yield* call("admin", "POST", path + query, body).pipe(answers(200, Shapes.ChangeRequest))
        assert.notStrictEqual(alone.revision, space.revision)
      }
      const full = yield* call("admin", "POST", `${path}?compat=false`, body).pipe(answers(200, Shapes.ContentUpdate))
      assert.strictEqual(full.changes[0]?.object, "created_page")
      assert.strictEqual(full.changes[0]?.ref, "Hello")
      const { pages } = yield* call("admin", "GET", `${path}/pages`).pipe(answers(200, Shapes.Pages))
      assert.strictEqual(pages.length, 3)
      assert.strictEqual(new Set(pages.map(({ slug }) => slug)).size, 3)
    })
  )

  it.effect("tells created, updated and deleted pages, and where to read them", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Keep: "Keep", Drop: "Drop" })
      const { id } = yield* openChangeRequest(space)
      const update = yield* write(space, id, [
        { operation: "update_page", page: idOf("Keep"), title: "Kept" },
        { operation: "delete_page", page: idOf("Drop") },
        insertPage("New", "", { into: idOf("Keep") })
      ])
      assert.deepStrictEqual(
        update.changes.map(({ object }) => object),
        ["updated_page", "deleted_page", "created_page"]
      )
      const created = update.changes[2]?.page
      assert.isObject(created)
      const location = typeof created === "object" ? created.urls.location : ""
      const page = yield* call("admin", "GET", location).pipe(answers(200, Shapes.Page))
      assert.deepInclude(page, { title: "New", path: "keep/new" })

      const changes = yield* call("admin", "GET", `/v1/spaces/${space}/change-requests/${id}/changes`).pipe(
        answers(200, Shapes.ChangeRequestChanges)
      )
      assert.sameMembers(
        changes.changes.map(({ type }) => type),
        ["page_edited", "page_deleted", "page_created"]
      )
      assert.deepStrictEqual(changes.conflicts, [])
      const some = yield* call("admin", "GET", `/v1/spaces/${space}/change-requests/${id}/changes?limit=1`).pipe(
        answers(200, Shapes.ChangeRequestChanges)
      )
      assert.strictEqual(some.changes.length, 1)
      assert.strictEqual(some.more, 2)
      const ofPage = yield* call(
        "admin",
        "GET",
        `/v1/spaces/${space}/change-requests/${id}/changes/page/${idOf("Drop")}`
      ).pipe(answers(200, Shapes.PageChanges))
      assert.deepStrictEqual([ofPage.title, ofPage.changes[0]?.type], ["Drop", "block_removed"])
    })
  )

  it.effect("pulls main in, resolves what conflicts and merges", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Page: "Text" })
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}/change-requests/${id}`
      const upToDate = yield* call("admin", "POST", `${path}/update`).pipe(answers(200, Shapes.UpdateResult))
      assert.strictEqual(upToDate.result, "update")
      yield* write(space, id, [{ operation: "update_page", page: idOf("Page"), title: "Ours" }])
      yield* publish(space, [{ operation: "update_page", page: idOf("Page"), title: "Main" }])
      const pulled = yield* call("admin", "POST", `${path}/update`).pipe(answers(200, Shapes.UpdateResult))
      assert.strictEqual(pulled.result, "conflicts")
      const { conflicts } = yield* call("admin", "GET", `${path}/changes`).pipe(
        answers(200, Shapes.ChangeRequestChanges)
      )
      assert.strictEqual(conflicts.length, 1)
      assert.deepInclude(conflicts[0], { page: idOf("Page"), field: "title", base: "Page", main: "Main", ours: "Ours" })
      yield* call("admin", "POST", `${path}/conflicts/${conflicts[0]?.id}`, { keep: "ours" }).pipe(
        answers(200, Shapes.ChangeRequest)
      )
      const merged = yield* call("admin", "POST", `${path}/merge`).pipe(answers(200, Shapes.MergeResult))
      assert.strictEqual(merged.result, "merge")
      assert.strictEqual((yield* pageOf(`/v1/spaces/${space}/content`, idOf("Page"))).title, "Ours")
    })
  )

  it.effect("takes back what a change request did to a page", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf, revision } = yield* spaceWith({ Page: "Before" })
      const page = idOf("Page")
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}/change-requests/${id}`
      const change = { operation: "update_page", page, title: "Other", document: { markdown: "After" } }
      for (const revert of [{}, { revision }]) {
        yield* write(space, id, [change])
        assert.strictEqual((yield* pageOf(`${path}/content`, page)).title, "Other")
        yield* write(space, id, [{ operation: "revert_page", page, ...revert }])
        const reverted = yield* pageOf(`${path}/content`, page)
        assert.deepEqual([reverted.title, reverted.markdown?.trim()], ["Page", "Before"])
        const { changes } = yield* call("admin", "GET", `${path}/changes`).pipe(
          answers(200, Shapes.ChangeRequestChanges)
        )
        assert.deepStrictEqual(changes, [])
      }
    })
  )
}
