/** ETags of content: they name the revision, and who has it already is told so. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onEachAdapter, refused } from "./Harness.ts"
import { publishedSite, reading, resolve, spaceOf } from "./SiteSteps.ts"
import { insertPage, openChangeRequest, publish, spaceWith, write } from "./Steps.ts"

onEachAdapter("Conditional requests", (it) => {
  const get = Effect.fnUntraced(function* (path: string, etag?: string) {
    const { call } = yield* Harness
    return yield* call("read", "GET", path, undefined, etag === undefined ? {} : { "if-none-match": etag })
  })

  it.effect("answers 304 to who has the revision already", () =>
    Effect.gen(function* () {
      const { space, revision, idOf } = yield* spaceWith({ Page: "Text" })
      const { number } = yield* openChangeRequest(space)
      for (const address of ["content", `change-requests/${number}/content`, `revisions/${revision}`]) {
        for (const path of [
          "",
          "/pages",
          "/files",
          "/files?limit=1",
          `/page/${idOf("Page")}`,
          `/page/${idOf("Page")}?format=document`
        ]) {
          const full = yield* get(`/v1/spaces/${space}/${address}${path}`).pipe(has(200))
          const etag = full.headers.get("etag") ?? ""
          assert.include(etag, revision)
          assert.match(etag, /^"[\x21\x23-\x7e]+"$/)
          for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `"a",W/"b" ,  W/${etag}  `, "*", " * "]) {
            const same = yield* get(`/v1/spaces/${space}/${address}${path}`, known).pipe(has(304))
            assert.strictEqual(same.headers.get("etag"), etag)
          }
          for (const other of [`"other"`, etag.slice(1, -1), `"${etag}"`, "", ",", `"x${etag.slice(1)}`, "W/*"]) {
            const again = yield* get(`/v1/spaces/${space}/${address}${path}`, other).pipe(has(200))
            assert.strictEqual(again.text, full.text)
          }
        }
      }
    })
  )

  it.effect("answers the same tag for HEAD, and 304 to it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space } = yield* spaceWith({ Page: "Text" })
      const path = `/v1/spaces/${space}/content/pages`
      const etag = (yield* call("read", "HEAD", path).pipe(has(200))).headers.get("etag") ?? ""
      yield* call("read", "HEAD", path, undefined, { "if-none-match": etag }).pipe(has(304))
    })
  )

  it.effect("has a new tag once the content is another", () =>
    Effect.gen(function* () {
      const { space, idOf } = yield* spaceWith({ Page: "Text" })
      const { id } = yield* openChangeRequest(space)
      const [main, theirs] = [`/v1/spaces/${space}/content`, `/v1/spaces/${space}/change-requests/${id}/content`]
      const tagOf = (path: string) => Effect.map(get(path), ({ headers }) => headers.get("etag") ?? "")
      const before = yield* tagOf(`${main}/pages`)
      assert.strictEqual(yield* tagOf(`${theirs}/pages`), before)
      yield* write(space, id, [insertPage("New")])
      yield* get(`${theirs}/pages`, before).pipe(has(200))
      yield* get(`${main}/pages`, before).pipe(has(304))
      yield* publish(space, [{ operation: "update_page", page: idOf("Page"), title: "Renamed" }])
      const after = yield* get(`${main}/pages`, before).pipe(has(200))
      assert.notStrictEqual(after.headers.get("etag"), before)
    })
  )

  it.effect("tells nobody anything by a tag who may not see it, or of what is not there", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space } = yield* spaceWith({ Page: "Text" })
      const path = `/v1/spaces/${space}/content/pages`
      const etag = (yield* get(path)).headers.get("etag") ?? ""
      for (const known of [etag, "*"]) {
        const headers = { "if-none-match": known }
        yield* call("outsider", "GET", path, undefined, headers).pipe(refused(404))
        yield* call("guest", "GET", path, undefined, headers).pipe(refused(404))
        yield* call("nobody", "GET", path, undefined, headers).pipe(refused(401))
        yield* call("read", "GET", `/v1/spaces/${space}/revisions/unknown/pages`, undefined, headers).pipe(refused(404))
      }
      yield* get(`/v1/spaces/${space}/content/page/unknown`, "*").pipe(refused(404))
      yield* get(`/v1/spaces/${space}/content/files?page=unknown`, "*").pipe(refused(400))
      yield* get(`/v1/spaces/${space}/content/page/unknown`, etag).pipe(refused(404))
    })
  )

  it.effect("has another tag for who sees another part of the content", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const condition = 'visitor.claims.unsigned.plan == "pro"'
      const { id: space, idOf } = yield* spaceOf("Docs", ["Start", "Pro"], { Pro: { condition } })
      const site = yield* publishedSite([space], { visibility: "public" })
      const tokenOf = (plan: string) =>
        Effect.map(resolve(site.urls.published!, { unsignedClaims: { plan } }), ({ apiToken }) => apiToken)
      const pro = yield* tokenOf("pro")
      const free = yield* tokenOf("free")
      for (const path of ["content", "content/pages", "content/files", `content/page/${idOf("Start")}`]) {
        const seen = yield* reading(pro, `/spaces/${space}/${path}`).pipe(has(200))
        const etag = seen.headers.get("etag") ?? ""
        const again = (token: string) =>
          call({ token }, "GET", `/v1/spaces/${space}/${path}`, undefined, { "if-none-match": etag })
        yield* again(pro).pipe(has(304))
        assert.notStrictEqual((yield* again(free).pipe(has(200))).headers.get("etag"), etag)
        yield* get(`/v1/spaces/${space}/${path}`, etag).pipe(has(200))
      }
      yield* reading(pro, `/spaces/${space}/content/page/${idOf("Pro")}`).pipe(has(200))
      yield* reading(free, `/spaces/${space}/content/page/${idOf("Pro")}`).pipe(refused(404))
    })
  )

  it.effect("lets no cache keep an answer without asking again", () =>
    Effect.gen(function* () {
      const { space } = yield* spaceWith({ Page: "Text" })
      const { headers } = yield* get(`/v1/spaces/${space}/content`)
      assert.match(headers.get("cache-control") ?? "", /private/)
      assert.match(headers.get("cache-control") ?? "", /no-cache/)
    })
  )

  it.effect("changes a change request only while it is as the caller has seen it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Page: "Text" })
      const { id } = yield* openChangeRequest(space)
      const at = `/v1/spaces/${space}/change-requests/${id}`
      const seen = (yield* get(`${at}/content/page/${idOf("Page")}`)).headers.get("etag") ?? ""
      const edit = (markdown: string, etag: string) =>
        call(
          "admin",
          "POST",
          `${at}/content`,
          { changes: [{ operation: "update_page", page: idOf("Page"), document: { markdown } }] },
          { "if-match": etag }
        )
      yield* edit("First", `"other", ${seen}`).pipe(has(200))
      yield* edit("Second", seen).pipe(refused(412))
      for (const operation of ["merge", "update"]) {
        yield* call("admin", "POST", `${at}/${operation}`, undefined, { "if-match": seen }).pipe(refused(412))
      }
      const now = (yield* get(`${at}/content/pages`)).headers.get("etag") ?? ""
      yield* edit("Third", "*").pipe(has(200))
      yield* call("admin", "POST", `${at}/merge`, undefined, { "if-match": now }).pipe(refused(412))
      yield* call("admin", "POST", `${at}/merge`).pipe(has(200))
    })
  )
})
