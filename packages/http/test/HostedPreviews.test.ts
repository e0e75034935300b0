/**
 * Tests previews as the hosted service's renderer requests them: at `…/preview/{site}` of any host, with the token of
 * the preview. For a change request, the renderer reads the revision that the change request names.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onMemory, refused } from "./Harness.ts"
import { createSite, json, ofSite, publishSite, reading } from "./SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish, write } from "./Steps.ts"

const at = (site: string, rest = "") => `https://previews.example.com/preview/${site}${rest}`

const resolveAs = Effect.fnUntraced(function* (token: string | undefined, url: string, visitor?: unknown) {
  const { call } = yield* Harness
  return yield* call(token === undefined ? "nobody" : { token }, "POST", "/v1/urls/published", {
    url,
    ...(visitor !== undefined && { visitor })
  })
})

const previewToken = (site: string, target = "") =>
  Effect.map(ofSite(site, "GET", `/publishing/preview${target}`).pipe(json(200)), ({ url }) => {
    const token = new URL(url).searchParams.get("token")!
    return { url, token }
  })

onMemory("A preview at the hosted service's kind of address", (it) => {
  it.effect("shows a site that is not published to who has its token, and to nobody else", () =>
    Effect.gen(function* () {
      const { id: space } = yield* createSpace({ title: "Docs" })
      const { idOf } = yield* publish(space, [insertPage("Home", "Text"), insertPage("Guide", "More text")])
      const site = yield* createSite([space])
      const other = yield* createSite([space])
      const { preview } = (yield* ofSite(site.id, "GET", "").pipe(json(200))).urls
      assert.match(preview, /\/~\/preview\/$/)
      const { url, token } = yield* previewToken(site.id)
      assert.isTrue(url.startsWith(preview), url)
      const found = yield* resolveAs(token, at(site.id)).pipe(json(200))
      assert.deepInclude(found, { preview: true, site: site.id, space, page: idOf("Home"), pathname: "/" })
      assert.strictEqual(found.basePath, `/preview/${site.id}/`)
      assert.strictEqual(found.canonicalUrl, at(site.id, "/"))
      const guide = yield* resolveAs(token, at(site.id, "/guide")).pipe(json(200))
      assert.deepInclude(guide, { page: idOf("Guide"), canonicalUrl: at(site.id, "/guide") })
      // The token is also accepted as a query parameter, as a visitor token, and on the site's own preview address.
      for (const [address, visitor] of [
        [`${at(site.id)}?token=${token}`],
        [at(site.id), { jwtToken: token }],
        [`http://127.0.0.1:4000/sites/preview/${site.id}`, { jwtToken: token }]
      ] as const) {
        assert.propertyVal(yield* resolveAs(undefined, address, visitor).pipe(json(200)), "preview", true)
      }
      yield* reading(found.apiToken, `/spaces/${space}/content/pages`).pipe(has(200))
      for (const [by, address] of [
        [undefined, at(site.id)],
        [token, at(other.id)],
        [token, at("none")],
        [token, "https://previews.example.com/"],
        [(yield* previewToken(other.id)).token, at(site.id)]
      ] as const) {
        yield* resolveAs(by, address).pipe(refused(404))
      }
      // After publishing, tokens of readers open no preview of the site.
      const { urls } = yield* publishSite(site.id)
      const reader = yield* resolveAs(undefined, urls.published!).pipe(json(200))
      yield* resolveAs(reader.apiToken, at(site.id)).pipe(refused(404))
    })
  )

  it.effect("shows a change request by the revision that it names, and nothing of another", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace({ title: "Docs" })
      const { idOf } = yield* publish(space, [insertPage("Home", "Text")])
      const site = yield* createSite([space])
      const page = idOf("Home")
      const { id, number } = yield* openChangeRequest(space)
      yield* write(space, id, [{ operation: "update_page", page, document: { markdown: "Draft text" } }])
      const { token } = yield* previewToken(site.id, `?target=/~/changes/${number}/`)
      const found = yield* resolveAs(token, at(site.id)).pipe(json(200))
      assert.deepInclude(found, { preview: true, changeRequest: id, page })
      const named = yield* resolveAs(token, at(site.id, `/~/changes/${number}/home`)).pipe(json(200))
      assert.deepInclude(named, { preview: true, changeRequest: id, page })
      for (const name of [id, String(number)]) {
        const changeRequest = yield* reading(found.apiToken, `/spaces/${space}/change-requests/${name}`).pipe(json(200))
        assert.deepInclude(changeRequest, { id, number })
        assert.isString(changeRequest.createdBy.displayName)
        assert.notProperty(changeRequest.createdBy, "email")
        const revision = `/spaces/${space}/revisions/${changeRequest.revision}`
        const document = yield* reading(
          found.apiToken,
          `${revision}/page/${page}/document?evaluated=deterministic-only&dereferenced=reusable-contents`
        ).pipe(has(200))
        assert.include(document.text, "Draft text")
      }
      const another = yield* openChangeRequest(space)
      yield* reading(found.apiToken, `/spaces/${space}/change-requests/${another.id}`).pipe(refused(404))
      yield* reading(found.apiToken, `/spaces/${space}/revisions/${another.revision}`).pipe(refused(404))
      yield* resolveAs(token, at(site.id, `/~/changes/${another.number}/`)).pipe(refused(404))
      yield* call({ token: found.apiToken }, "POST", `/v1/spaces/${space}/change-requests/${id}/merge`).pipe(
        refused(404)
      )
      // The preview token of the site itself shows no change request.
      const plain = (yield* previewToken(site.id)).token
      yield* reading(plain, `/spaces/${space}/change-requests/${id}`).pipe(refused(404))
    })
  )
})
