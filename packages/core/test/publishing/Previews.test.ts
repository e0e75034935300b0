import { type Actor, CurrentActor } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Previews } from "@lectern/core/publishing/Previews"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { VisitorTokens } from "@lectern/core/visitor/VisitorTokens"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { readers, siteWithMembers } from "../site/SiteMembers.ts"

/** A site that is not published, and a change request of its first space. */
const unpublished = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { id: changeRequest, number } = yield* (yield* ChangeRequests).create(fixture.guide, {})
  const contents = yield* ChangeRequestContents
  yield* contents.write(fixture.guide, changeRequest, [{ operation: "insert_page", title: "New" }])
  return { ...fixture, changeRequest, number, previews: yield* Previews }
})

const resolve = (url: string) => Effect.flatMap(PublishedUrls, (urls) => urls.resolve({ url }))

/** The visitor of a preview's URL. */
const visitorAt = Effect.fnUntraced(function* (url: string) {
  const found = yield* resolve(url)
  const tokens = yield* VisitorTokens
  return (yield* tokens.visitor("apiToken" in found ? found.apiToken : ""))!
})

for (const [name, services] of onEach(adapters)) {
  describe(`Previews (${name})`, () => {
    const rule = ruleOn(services)

    rule("are opened by everyone who sees the site, published or not", () =>
      Effect.gen(function* () {
        const { org, people, site, previews } = yield* unpublished
        assert.deepStrictEqual(yield* outcomes(people, previews.url(org, site, {})), readers)
        const { url } = yield* previews.url(org, site, {})
        assert.deepInclude(yield* resolve(url), { object: "published-url", site, preview: true })
        const without = new URL(url)
        without.searchParams.delete("token")
        assert.strictEqual(yield* outcome(resolve(without.href)), "PublishedUrlNotFound")
      })
    )

    rule("end after an hour", () =>
      Effect.gen(function* () {
        const { org, site, previews } = yield* unpublished
        const { url } = yield* previews.url(org, site, {})
        yield* TestClock.adjust("59 minutes")
        assert.strictEqual(yield* outcome(resolve(url)), "ok")
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(yield* outcome(resolve(url)), "PublishedUrlNotFound")
      })
    )

    rule("have the permissions that their creator has at the time", () =>
      Effect.gen(function* () {
        const { org, people, site, guide, previews } = yield* unpublished
        const { url } = yield* previews.url(org, site, {}).pipe(as(people.read))
        const first = yield* resolve(url)
        assert.strictEqual("space" in first && first.space, guide)
        yield* (yield* Spaces).update(guide, { defaultLevel: null })
        const second = yield* Effect.result(resolve(url))
        assert.isFalse(second._tag === "Success" && "space" in second.success && second.success.space === guide)
      })
    )

    rule("start at a site space, a page or a change request of the site", () =>
      Effect.gen(function* () {
        const { org, site, reference, guide, number, changeRequest, previews } = yield* unpublished
        const { items } = yield* (yield* SiteSpaces).list(org, site, {})
        const at = Effect.fnUntraced(function* (params: Parameters<typeof previews.url>[2]) {
          const found = yield* resolve((yield* previews.url(org, site, params)).url)
          return "space" in found ? [found.space, found.changeRequest] : []
        })
        assert.deepStrictEqual(yield* at({ siteSpace: items[1]!.id }), [reference, undefined])
        assert.deepStrictEqual(yield* at({ target: `/~/changes/${number}/new` }), [guide, changeRequest])
      })
    )

    rule("reject targets elsewhere, invalid claims, and parts that do not exist", () =>
      Effect.gen(function* () {
        const { org, site, previews } = yield* unpublished
        for (const [params, error] of [
          [{ target: "https://example.com/" }, "InvalidInput"],
          [{ target: "guide" }, "InvalidInput"],
          [{ target: "" }, "InvalidInput"],
          [{ claims: "(" }, "InvalidInput"],
          [{ claims: "!(a)" }, "InvalidInput"],
          [{ siteSpace: "missing" }, "SiteSpaceNotFound"],
          [{ target: "/~/changes/99/" }, "ChangeRequestNotFound"]
        ] as const) {
          assert.strictEqual(yield* outcome(previews.url(org, site, params)), error, JSON.stringify(params))
        }
      })
    )

    rule("show claims as a visitor would have them", () =>
      Effect.gen(function* () {
        const { org, site, previews } = yield* unpublished
        const { url } = yield* previews.url(org, site, { claims: "(plan:pro,unsigned:(lang:de))" })
        assert.deepInclude((yield* visitorAt(url)).claims, { plan: "pro", unsigned: { lang: "de" } })
      })
    )

    rule("describe themselves to their visitor, and to nobody else", () =>
      Effect.gen(function* () {
        const { org, people, site, number, previews } = yield* unpublished
        const { url } = yield* previews.url(org, site, { target: `/~/changes/${number}/new` })
        const visitor: Actor = yield* visitorAt(url)
        const current = previews.current().pipe(Effect.provideService(CurrentActor, visitor))
        assert.deepInclude((yield* current)?.changeRequest, { number, status: "draft" })
        assert.notProperty(yield* current, "published")
        yield* (yield* Sites).publish(org, site)
        assert.property(yield* current, "published")
        for (const id of ["host", people.admin] as const) {
          assert.isUndefined(yield* previews.current().pipe(as(id)))
        }
        yield* (yield* Sites).remove(org, site)
        assert.isUndefined(yield* current)
      })
    )
  })
}
