import { PublishingAuths } from "@lectern/core/publishing/PublishingAuths"
import { ShareLinks } from "@lectern/core/publishing/ShareLinks"
import type { PublishedUrlQuery } from "@lectern/core/publishing/PublishedUrl"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { Redirects } from "@lectern/core/redirect/Redirects"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { Spaces } from "@lectern/core/space/Spaces"
import { VisitorTokens } from "@lectern/core/visitor/VisitorTokens"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { publish } from "../../comment/Discussion.ts"
import { adapters } from "../../Instances.ts"
import { siteWithMembers } from "../../site/SiteMembers.ts"

const published = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site, guide, reference } = fixture
  for (const space of [guide, reference]) {
    yield* publish(space, [
      { operation: "insert_page", title: "Home" },
      { operation: "insert_page", title: "Page" }
    ])
  }
  const sites = yield* Sites
  const { urls } = yield* sites.publish(org, site)
  const all = yield* PublishedUrls
  const resolve = (path: string, query: Omit<PublishedUrlQuery, "url"> = {}) =>
    all.resolve({ url: path.startsWith("http") ? path : `${urls.published!}${path}`, ...query })
  return { ...fixture, url: urls.published!, sites, resolve }
})

for (const [name, services] of onEach(adapters)) {
  describe(`PublishedUrls (${name})`, () => {
    const rule = ruleOn(services)

    rule("lead to a page of a space on the site, with a token for its reader", () =>
      Effect.gen(function* () {
        const { org, site, guide, reference, resolve } = yield* published
        const at = Effect.fnUntraced(function* (path: string) {
          const found = yield* resolve(path)
          return "space" in found ? [found.space, found.pathname] : [found.redirect]
        })
        assert.deepStrictEqual(yield* at("page"), [guide, "/page"])
        assert.deepStrictEqual(yield* at("reference/page"), [reference, "/page"])
        const found = yield* resolve("page")
        const token = "apiToken" in found ? found.apiToken : ""
        const visitor = yield* (yield* VisitorTokens).visitor(token)
        assert.deepInclude(visitor, { type: "visitor", organization: org, site, claims: {} })
      })
    )

    rule("lead to pages below a page that has the name of the only site space", () =>
      Effect.gen(function* () {
        const { org, guide } = yield* published
        const sites = yield* Sites
        const { id: site } = yield* sites.create(org, { spaces: [guide] })
        const { urls } = yield* sites.publish(org, site)
        const [siteSpace] = (yield* (yield* SiteSpaces).list(org, site, {})).items
        const { path } = siteSpace!
        yield* publish(guide, [
          { operation: "insert_page", title: "Below", slug: path, type: "group", ref: "group" },
          { operation: "insert_page", title: "Page", into: "group" }
        ])
        const all = yield* PublishedUrls
        const at = Effect.fnUntraced(function* (path: string) {
          const found = yield* all.resolve({ url: `${urls.published!}${path}` })
          return "space" in found ? [found.pathname, found.canonicalUrl.slice(urls.published!.length)] : found.redirect
        })
        assert.deepStrictEqual(yield* at(`${path}/page`), [`/${path}/page`, `${path}/page`])
        assert.deepStrictEqual(yield* at("page"), ["/page", "page"])
        assert.deepStrictEqual(yield* at(`${path}/home`), ["/home", "home"])
      })
    )

    rule("lead nowhere if the site does not exist or is not published", () =>
      Effect.gen(function* () {
        const { org, site, sites, resolve } = yield* published
        for (const elsewhere of ["https://example.com/docs/", "http://localhost/missing"]) {
          assert.strictEqual(yield* outcome(resolve(elsewhere)), "PublishedUrlNotFound")
        }
        yield* sites.unpublish(org, site)
        assert.strictEqual(yield* outcome(resolve("page")), "PublishedUrlNotFound")
        yield* sites.publish(org, site)
        yield* sites.remove(org, site)
        assert.strictEqual(yield* outcome(resolve("page")), "PublishedUrlNotFound")
      })
    )

    rule("reject texts that are not http URLs, or too long", () =>
      Effect.gen(function* () {
        const { url } = yield* published
        const urls = yield* PublishedUrls
        for (const text of ["", "page", "ftp://example.com/", `${url}${"x".repeat(4097)}`]) {
          assert.strictEqual(yield* outcome(urls.resolve({ url: text })), "InvalidInput")
        }
      })
    )

    rule("redirect: configured redirects, former paths of pages, and former addresses of the site", () =>
      Effect.gen(function* () {
        const { org, site, guide, url, sites, resolve } = yield* published
        const target = Effect.fnUntraced(function* (path: string) {
          const found = yield* resolve(path)
          return "redirect" in found ? [found.target, found.redirect, found.permanent === true] : []
        })
        const destination = { kind: "external", url: "https://example.com/" } as const
        yield* (yield* Redirects).create(org, site, { source: "/away", destination, permanent: true })
        assert.deepStrictEqual(yield* target("away"), ["external", "https://example.com/", true])
        const { items } = { items: yield* publish(guide, [{ operation: "insert_page", title: "Moved", ref: "p" }]) }
        yield* publish(guide, [{ operation: "update_page", page: items.get("p")!, slug: "there" }])
        assert.deepStrictEqual(yield* target("moved"), ["content", `${url}there`, false])
        yield* sites.update(org, site, { basename: "renamed" })
        const [kind, redirect] = yield* target("page")
        assert.strictEqual(kind, "content")
        assert.match(redirect as string, /\/renamed\/page$/)
      })
    )

    rule("hide spaces that are not visible through the site", () =>
      Effect.gen(function* () {
        const { reference, resolve } = yield* published
        yield* (yield* Spaces).update(reference, { visibility: "private" })
        const found = yield* Effect.result(resolve("reference/page"))
        assert.isFalse(found._tag === "Success" && "space" in found.success && found.success.space === reference)
      })
    )

    rule("name the section of the space", () =>
      Effect.gen(function* () {
        const { org, site, blog, resolve } = yield* published
        const sections = yield* SiteSections
        yield* publish(blog, [{ operation: "insert_page", title: "Home" }])
        const first = yield* sections.create(org, site, { spaceId: blog, title: "Docs" })
        const second = yield* sections.create(org, site, { spaceId: blog, title: "News" })
        const sectionAt = Effect.fnUntraced(function* (path: string) {
          const found = yield* resolve(path)
          return "siteSection" in found ? found.siteSection : undefined
        })
        assert.strictEqual(yield* sectionAt("news/"), second.id)
        assert.strictEqual(yield* sectionAt("page"), first.id)
      })
    )

    rule("need the key of a share link if the site is shared", () =>
      Effect.gen(function* () {
        const { org, site, sites, resolve } = yield* published
        yield* sites.update(org, site, { visibility: "share-link" })
        const { urls } = yield* (yield* ShareLinks).create(org, site, { name: "Partners" })
        assert.strictEqual(yield* outcome(resolve("page")), "PublishedUrlNotFound")
        const found = yield* resolve(`${urls.published}page`)
        assert.strictEqual("shareKey" in found && found.shareKey, urls.published.split("/").at(-2))
      })
    )

    rule("send visitors to sign in, unless the site has no sign-in or the renderer asks not to", () =>
      Effect.gen(function* () {
        const { org, site, sites, resolve } = yield* published
        yield* sites.update(org, site, { visibility: "visitor-auth" })
        assert.strictEqual(yield* outcome(resolve("page")), "PublishedUrlNotFound")
        yield* (yield* PublishingAuths).update(org, site, { fallbackURL: "https://acme.example/login" })
        const found = yield* resolve("page")
        assert.deepInclude(found, { target: "external", site })
        assert.match("redirect" in found ? found.redirect : "", /^https:\/\/acme\.example\/login\?/)
        const quiet = resolve("page", { visitor: { jwtToken: "invalid" }, redirectOnError: false })
        assert.strictEqual(yield* outcome(quiet), "PublishedUrlNotFound")
      })
    )
  })
}
