/**
 * Published content, and where its URLs lead: each operation once, with its status and the shape of its answer.
 * Redirects: `RedirectOperations`.
 */
import { Explanation } from "@lectern/core/publishing/explanation/Explanation"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { SiteId } from "@lectern/core/site/Site"
import { SpaceId } from "@lectern/core/space/Space"
import { SiteStore } from "@lectern/core/site/store/SiteStore"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, refused, type Services, start } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import {
  addSection,
  ask,
  createSite,
  isNoPage,
  isNowhere,
  ledFrom,
  ofSite,
  patchSection,
  patchSite,
  patchSiteSpace,
  pathOfSite,
  publishedSite,
  publishSite,
  reading,
  siteSpacesOf,
  spaceOf
} from "../SiteSteps.ts"
import { createSpace, insertPage, publish } from "../Steps.ts"

const placeAt = (url: string) => ask(url).pipe(answers(200, Shapes.PublishedUrl))

export const publishingOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("hands out the files of what is published", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      yield* publish(space, [
        { operation: "insert_files", files: [{ name: "notes.txt", ref: "notes", base64: btoa("Some notes") }] },
        insertPage("Home", "[Notes](/files/notes)")
      ])
      const { id, urls } = yield* publishedSite([space])
      const { apiToken } = yield* placeAt(urls.published!)
      const { items } = yield* reading(apiToken, `/spaces/${space}/content/files`).pipe(
        answers(200, Shapes.listOf(Shapes.File))
      )
      const { downloadURL } = items[0]!
      assert.strictEqual((yield* call("nobody", "GET", downloadURL).pipe(has(200))).text, "Some notes")
      yield* ofSite(id, "POST", "/unpublish").pipe(has(200))
      yield* call("nobody", "GET", downloadURL).pipe(refused(404))
    })
  )

  it.effect("explains to administrators which rule decides what a visitor gets", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace()
      yield* publish(space, [{ ...insertPage("Plans", "Text"), condition: "visitor.claims.pro" }])
      const { urls } = yield* publishedSite([space])
      const path = (more: Record<string, string> = {}) =>
        `/v1/orgs/${organization}/explain?${new URLSearchParams({ url: `${urls.published!}plans`, ...more })}`
      const refusal = yield* call("admin", "GET", path()).pipe(answers(200, Explanation))
      assert.deepInclude(refusal, { visible: false, outcome: "not-found", visitor: { claims: {} } })
      assert.deepInclude(refusal.decision, { rule: "page", passed: false, reason: "page-condition" })
      assert.include(refusal.decision.message, "visitor.claims.pro")
      const shown = yield* call("admin", "GET", path({ claims: '{"pro":true}' })).pipe(answers(200, Explanation))
      assert.deepInclude(shown, { visible: true, outcome: "visible" })
      assert.strictEqual(shown.space, SpaceId.make(space))
      yield* call("read", "GET", path()).pipe(refused(403))
      yield* call("admin", "GET", path({ claims: "pro" })).pipe(refused(400))
      yield* call("admin", "GET", path({ as: "nobody" })).pipe(refused(400))
    })
  )

  it.effect("answers all of a site that is published, as a visitor sees it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [open, hidden] = [yield* spaceOf("Open", ["Start"]), yield* spaceOf("Hidden", ["Secret"])]
      const { id: site } = yield* createSite([open.id, hidden.id])
      const path = `${yield* pathOfSite(site)}/published`
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* publishSite(site)
      const [, second] = yield* siteSpacesOf(site)
      yield* patchSiteSpace(site, second!.id, { condition: "visitor.claims.staff" })
      const shown = yield* call("admin", "GET", path).pipe(answers(200, Shapes.PublishedSite))
      assert.deepInclude(shown.site, { id: site, published: true })
      if (shown.structure.type !== "siteSpaces") return assert.fail("It has no sections")
      assert.deepStrictEqual(
        shown.structure.structure.map(({ title, urls }) => [title, urls.published]),
        [["Open", shown.site.urls.published]]
      )
      const { apiToken } = yield* placeAt(shown.site.urls.published!)
      const read = yield* reading(apiToken, path.slice(3)).pipe(answers(200, Shapes.PublishedSite))
      assert.deepStrictEqual(read.structure, shown.structure)
      yield* ofSite(site, "POST", "/unpublish").pipe(has(200))
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* reading(apiToken, path.slice(3)).pipe(refused(404))
    })
  )

  it.effect("tells where a URL of a site leads: the place, or on to where that is now", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const docs = yield* spaceOf("Docs", ["Start", "Guide"])
      const { id: site, basename, urls } = yield* publishedSite([docs.id])
      const section = yield* addSection(site, docs.id, "Main")
      const other = yield* addSection(site, (yield* spaceOf("API", ["Calls"])).id, "Reference")
      const base = urls.published!
      const place = yield* placeAt(`${base}guide`)
      assert.deepInclude(place, {
        organization,
        site,
        siteSection: section.id,
        siteSpace: section.siteSpaces[0]!.id,
        space: docs.id,
        page: docs.idOf("Guide"),
        pathname: "/guide",
        canonicalUrl: `${base}guide`,
        complete: true
      })
      assert.strictEqual((yield* placeAt(`${base}Reference/calls`)).siteSection, other.id)
      const query = new URLSearchParams({ url: `${base}guide`, visitorAuthToken: "none" })
      const asked = yield* call("outsider", "GET", `/v1/urls/published?${query}`).pipe(
        answers(200, Shapes.PublishedUrl)
      )
      assert.deepStrictEqual(asked, place)
      yield* call("read", "GET", "/v1/urls/published?url=nowhere").pipe(refused(400))
      yield* isNoPage(`${base}nothing/here`)
      for (const wrong of [{}, { url: "" }, { url: "ftp://example.com/" }, { url: 1 }, { url: "x".repeat(5000) }]) {
        yield* call("read", "POST", "/v1/urls/published", wrong).pipe(refused(400))
      }

      yield* patchSection(site, other.id, { path: "api" })
      assert.strictEqual(yield* ledFrom(`${base}reference/calls`), `${base}api/calls`)

      const next = `next-${site.toLowerCase()}`
      const moved = yield* patchSite(site, { basename: next })
      assert.strictEqual(moved.urls.published, base.replace(`/${basename}/`, `/${next}/`))
      assert.strictEqual(yield* ledFrom(`${base}api/calls?a=b`), `${moved.urls.published}api/calls?a=b`)
      const second = yield* publishedSite([docs.id], {})
      yield* patchSite(second.id, { basename: basename.toUpperCase() })
      assert.strictEqual((yield* placeAt(`${base}guide`)).site, second.id)
    })
  )

  it.effect("gives each hostname, basename and proxy to one site, and shows and takes back a hostname", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const docs = yield* spaceOf("Docs", ["Start"])
      const [one, two] = [yield* publishedSite([docs.id]), yield* createSite([docs.id])]
      const name = one.id.toLowerCase()
      const hostname = `docs-${name}.example.com`
      const taken = { hostname, basename: `Own-${one.id}`, proxy: `www-${name}.example.com/docs` }
      yield* ofSite(one.id, "PATCH", "", taken).pipe(has(200))
      const same = { ...taken, basename: taken.basename.toLowerCase(), proxy: taken.proxy.toUpperCase() }
      for (const [field, value] of Object.entries(same)) {
        yield* ofSite(two.id, "PATCH", "", { [field]: value }).pipe(refused(409))
        yield* ofSite(one.id, "PATCH", "", { [field]: value }).pipe(has(200))
      }
      for (const wrong of [
        { hostname: "example.com" },
        { hostname: "Docs.example.com" },
        { hostname: "" },
        { proxy: "example.com" },
        { proxy: "https://example.com/docs" },
        { basename: null },
        { basename: "a/b" },
        { visibility: "private" }
      ]) {
        yield* ofSite(one.id, "PATCH", "", wrong).pipe(refused(400))
      }
      yield* ofSite(one.id, "PATCH", "", { proxy: null }).pipe(has(200))
      assert.strictEqual((yield* placeAt(`https://${hostname}/start`)).site, one.id)

      const path = `/v1/custom-hostnames/${hostname}`
      const shown = yield* call("read", "GET", path).pipe(answers(200, Shapes.CustomHostname))
      assert.deepInclude(shown, { hostname, target: { type: "site", site: one.id }, isActive: true })
      yield* call("read", "GET", "/v1/custom-hostnames/unknown.example.com").pipe(refused(404))
      const site = yield* pathOfSite(one.id)
      yield* call("admin", "POST", `${site}/permissions`, { users: [users.guest], role: "admin" }).pipe(has(204))
      yield* call("guest", "PATCH", site, { title: "Theirs" }).pipe(has(200))
      for (const value of [`new-${name}.example.com`, null]) {
        yield* call("guest", "PATCH", site, { hostname: value }).pipe(refused(403))
      }
      yield* call("guest", "DELETE", path).pipe(refused(403))
      yield* call("outsider", "DELETE", path).pipe(has(204))
      assert.strictEqual(
        (yield* call("read", "GET", path).pipe(answers(200, Shapes.CustomHostname))).hostname,
        hostname
      )
      for (let i = 0; i < 2; i++) yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("read", "GET", path).pipe(refused(404))
      const without = yield* call("read", "GET", site).pipe(answers(200, Shapes.Site))
      assert.isUndefined(without.hostname)
      assert.strictEqual(yield* ledFrom(`https://${hostname}/start`), `${without.urls.published}start`)
      yield* ofSite(two.id, "PATCH", "", { hostname }).pipe(has(200))
      yield* isNowhere(`https://${hostname}/start`)
      const long = `${`${"a".repeat(60)}.`.repeat(8)}example.com`
      yield* ofSite(two.id, "PATCH", "", { hostname: long }).pipe(has(200))
      const { hostname: told } = yield* call("read", "GET", `/v1/custom-hostnames/${long}`).pipe(
        answers(200, Shapes.CustomHostname)
      )
      assert.strictEqual(told, long)

      // What waited for a proof is there with the next look once none is wanted any more.
      const waited = `waited-${name}.example.com`
      const sites = yield* SiteStore
      const claims = { hostname: { name: waited, since: Timestamps.at(start), checks: 0 } }
      yield* (yield* Storage)
        .transaction(
          Effect.gen(function* () {
            const kept = yield* sites.get(SiteId.make(two.id))
            yield* sites.update(kept!.site, { claims })
          })
        )
        .pipe(Effect.orDie)
      yield* call("read", "PATCH", `/v1/custom-hostnames/${waited}`).pipe(refused(404))
      yield* call("admin", "PATCH", `/v1/custom-hostnames/${waited}`).pipe(has(204))
      const proved = yield* call("read", "GET", `/v1/custom-hostnames/${waited}`).pipe(
        answers(200, Shapes.CustomHostname)
      )
      assert.strictEqual(proved.status, "dns_passed")
    })
  )
}
