import { maxRedirects, type RedirectCreate, RedirectTable } from "@lectern/core/redirect/Redirect"
import { Redirects } from "@lectern/core/redirect/Redirects"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, readers, siteWithMembers } from "../site/SiteMembers.ts"

const external = (url: string) => ({ kind: "external", url }) as const
const away = external("https://example.com/")

const sited = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site } = fixture
  const { items } = yield* (yield* SiteSpaces).list(org, site, {})
  const redirects = yield* Redirects
  const create = (source: string, destination: RedirectCreate["destination"] = away, draft = false) =>
    redirects.create(org, site, { source, destination, draft })
  const toSpace = { kind: "site-space", siteSpaceId: items[0]!.id } as const
  return { ...fixture, redirects, create, toSpace }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Redirects (${name})`, () => {
    const rule = ruleOn(services)

    rule("are live, temporary and without a wildcard by default", () =>
      Effect.gen(function* () {
        const { create } = yield* sited
        const { id: _, createdAt: __, ...created } = yield* create("/old")
        assert.deepStrictEqual(created, {
          object: "site-redirect",
          source: "/old",
          destination: away,
          draft: false,
          permanent: false,
          captureWildcard: false
        })
        assert.strictEqual((yield* create("/über-uns")).source, "/%C3%BCber-uns")
      })
    )

    rule("are written by administrators of the site, and listed for everyone who sees it", () =>
      Effect.gen(function* () {
        const { org, people, site, redirects, create } = yield* sited
        const { id } = yield* create("/old")
        assert.deepStrictEqual(yield* outcomes(people, (actor) => create(`/${actor}`)), administratorsOnly)
        for (const write of [
          redirects.update(org, site, id, { permanent: true }),
          redirects.writeAll(org, site, { redirects: [{ source: "/batch", destination: away }] }),
          redirects.remove(org, site, id)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, write), administratorsOnly)
        }
        assert.deepStrictEqual(yield* outcomes(people, redirects.list(org, site, {})), readers)
      })
    )

    rule("are unique by source regardless of case and encoding, and drafts separately", () =>
      Effect.gen(function* () {
        const { org, site, redirects, create } = yield* sited
        const { id } = yield* create("/Old/%C3%BC")
        assert.strictEqual(yield* outcome(create("/old/ü")), "RedirectConflict")
        yield* create("/old/ü", away, true)
        const { id: other } = yield* create("/other")
        const take = redirects.update(org, site, other, { source: "/OLD/%c3%bc" })
        assert.strictEqual(yield* outcome(take), "RedirectConflict")
        yield* redirects.remove(org, site, id)
        assert.strictEqual(yield* outcome(take), "ok")
      })
    )

    rule("reject invalid sources and URLs", () =>
      Effect.gen(function* () {
        const { create } = yield* sited
        for (const source of [
          "old",
          "/",
          "/old/",
          "/a//b",
          "/a?b",
          "/a#b",
          "/*/a",
          `/${"x".repeat(512)}`,
          "/robots.txt"
        ]) {
          assert.strictEqual(yield* outcome(create(source)), "InvalidInput", source)
        }
        for (const url of ["javascript:alert(1)", "/relative", `https://example.com/${"x".repeat(2048)}`]) {
          assert.strictEqual(yield* outcome(create("/old", external(url))), "InvalidInput", url)
        }
        for (const source of ["/old/*", "/old*", `/${"x".repeat(511)}`]) {
          assert.strictEqual(yield* outcome(create(source)), "ok", source)
        }
      })
    )

    rule("lead to parts of the site, which have to exist, or elsewhere", () =>
      Effect.gen(function* () {
        const { org, site, redirects, create, toSpace } = yield* sited
        const { id } = yield* create("/space", toSpace)
        yield* create("/page", { ...toSpace, kind: "site-page", pageId: "missing" as never })
        for (const destination of [
          { kind: "site-space", siteSpaceId: "missing" as typeof toSpace.siteSpaceId } as const,
          { kind: "site-section", siteSectionId: "missing" as never } as const
        ]) {
          assert.strictEqual(yield* outcome(create("/new", destination)), "InvalidDestination")
          assert.strictEqual(yield* outcome(redirects.update(org, site, id, { destination })), "InvalidDestination")
        }
      })
    )

    rule("form no loop, unless they are drafts", () =>
      Effect.gen(function* () {
        const { org, site, create } = yield* sited
        const { urls } = yield* (yield* Sites).publish(org, site)
        const at = (path: string) => external(`${urls.published!}${path}`)
        assert.strictEqual(yield* outcome(create("/a", at("a"))), "RedirectRing")
        yield* create("/a", at("b"))
        yield* create("/b", at("c"))
        assert.strictEqual(yield* outcome(create("/c", at("a"))), "RedirectRing")
        assert.strictEqual(yield* outcome(create("/c", at("a"), true)), "ok")
        assert.strictEqual(yield* outcome(create("/c", at("d"))), "ok")
      })
    )

    rule("are changed field by field", () =>
      Effect.gen(function* () {
        const { org, site, redirects, create, toSpace } = yield* sited
        const { id } = yield* create("/old")
        const changed = yield* redirects.update(org, site, id, { permanent: true, destination: toSpace })
        assert.deepInclude(changed, { source: "/old", permanent: true, destination: toSpace })
        assert.strictEqual(yield* outcome(redirects.update(org, site, "missing", {})), "RedirectNotFound")
      })
    )

    rule("emit one event for each change, and none without a change", () =>
      Effect.gen(function* () {
        const { org, site, redirects, create } = yield* sited
        assert.deepStrictEqual(yield* emitted(create("/old")), ["site_updated"])
        const { id } = (yield* redirects.list(org, site, {})).items[0]!
        const update = redirects.update(org, site, id, { permanent: true })
        assert.deepStrictEqual(yield* emitted(update), ["site_updated"])
        assert.deepStrictEqual(yield* emitted(update), [])
        const remove = redirects.remove(org, site, id)
        assert.deepStrictEqual(yield* emitted(remove), ["site_updated"])
        assert.deepStrictEqual(yield* emitted(remove), [])
      })
    )

    rule("are written in a batch, each independently", () =>
      Effect.gen(function* () {
        const { org, site, redirects, create, toSpace } = yield* sited
        yield* create("/live")
        yield* create("/draft", toSpace, true)
        const missing = { kind: "site-space", siteSpaceId: "missing" as typeof toSpace.siteSpaceId } as const
        const { results } = yield* redirects.writeAll(org, site, {
          redirects: [
            { source: "/new", destination: away },
            { source: "/live", destination: toSpace },
            { source: "/draft", intent: "publish" },
            { source: "/astray", destination: missing },
            { source: "/none", intent: "publish" },
            { source: "/new", destination: null }
          ]
        })
        assert.deepStrictEqual(
          results.map(({ status }) => status),
          ["created", "updated", "published", "error", "error", "deleted"]
        )
        const { items } = yield* redirects.list(org, site, {})
        assert.deepStrictEqual(
          items.map(({ source, draft }) => [source, draft]),
          [
            ["/draft", false],
            ["/live", false]
          ]
        )
        assert.strictEqual(yield* outcome(redirects.writeAll(org, site, { redirects: [] })), "InvalidInput")
      })
    )

    rule("are listed by source, filtered by text and draft", () =>
      Effect.gen(function* () {
        const { org, site, redirects, create } = yield* sited
        yield* create("/b/%C3%9Cber")
        yield* create("/a")
        yield* create("/c", away, true)
        const sources = (filter: Parameters<typeof redirects.list>[2]) =>
          Effect.map(redirects.list(org, site, filter), ({ items }) => items.map(({ source }) => source))
        assert.deepStrictEqual(yield* sources({}), ["/a", "/b/%C3%9Cber", "/c"])
        assert.deepStrictEqual(yield* sources({ search: "über" }), ["/b/%C3%9Cber"])
        assert.deepStrictEqual(yield* sources({ draft: true }), ["/c"])
        const first = yield* redirects.list(org, site, { limit: 2 })
        assert.deepStrictEqual(yield* sources({ limit: 2, page: first.next!.page }), ["/c"])
        assert.strictEqual(yield* outcome(redirects.list(org, site, { page: "invalid" })), "InvalidCursor")
      })
    )

    rule("to parts that the actor does not see are left out of its list", () =>
      Effect.gen(function* () {
        const { org, people, site, guide, redirects, create, toSpace } = yield* sited
        yield* create("/space", toSpace)
        yield* create("/away")
        yield* (yield* Spaces).update(guide, { defaultLevel: null })
        const { items } = yield* redirects.list(org, site, {}).pipe(as(people.read))
        assert.deepStrictEqual(
          items.map(({ source }) => source),
          ["/away"]
        )
      })
    )

    rule("are at most 1,000, and are removed with their site", () =>
      Effect.gen(function* () {
        const { org, site, create } = yield* sited
        const { object: _, ...row } = yield* create("/0")
        const table = (yield* Storage).repository(RedirectTable)
        for (let i = 1; i < maxRedirects; i++) yield* table.insert({ ...row, site, id: `x${i}`, source: `/${i}` })
        assert.strictEqual(yield* outcome(create("/late")), "RedirectConflict")
        yield* (yield* Sites).remove(org, site)
        assert.strictEqual(yield* table.count({ site }), 0)
      })
    )
  })
}
