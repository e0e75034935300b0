import { AppPaths } from "@lectern/core/identity/AppUrls"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { makeInstanceUrls } from "@lectern/core/link/InstanceUrls"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { siteWithMembers } from "../site/SiteMembers.ts"

/** A published site whose first space has the page Home. */
const published = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site, guide, reference } = fixture
  const pages = yield* publish(guide, [{ operation: "insert_page", title: "Home", ref: "home" }])
  yield* publish(reference, [{ operation: "insert_page", title: "Start" }])
  const { urls } = yield* (yield* Sites).publish(org, site)
  return { ...fixture, home: pages.get("home")!, url: urls.published!, instanceUrls: yield* makeInstanceUrls }
})

for (const [name, services] of onEach(adapters)) {
  describe(`InstanceUrls (${name})`, () => {
    const rule = ruleOn(services)

    rule("are references to pages of published sites, without the space within the same space", () =>
      Effect.gen(function* () {
        const { guide, reference, home, url, instanceUrls } = yield* published
        const address = `${url}home`
        for (const [space, expected] of [
          [guide, { kind: "page", page: home }],
          [reference, { kind: "page", page: home, space: guide }]
        ] as const) {
          const refs = yield* instanceUrls.refs(space, [address])
          assert.deepStrictEqual(refs.get(address), { ...expected })
        }
        const refs = yield* instanceUrls.refs(guide, [`${address}#part`])
        assert.deepStrictEqual(refs.get(`${address}#part`), { kind: "anchor", anchor: "part", page: home })
      })
    )

    rule("are references to spaces and pages in the app, which has paths of its own", () =>
      Effect.gen(function* () {
        const { guide, reference, home } = yield* published
        const instanceUrls = yield* makeInstanceUrls.pipe(
          Effect.provideService(AppPaths, {
            ...(yield* AppPaths),
            content: /^\/s\/(?<space>[\w-]+)(?:\/c\/(?<changeRequest>\d+))?(?:\/p\/(?<page>[\w-]+))?$/
          })
        )
        const url = `${yield* PublicUrl}/s/${guide}`
        const refs = yield* instanceUrls.refs(reference, [
          url,
          `${url}/p/${home}`,
          `${url}/c/1/p/${home}`,
          `${url}/c/1`,
          `${url}/q/${home}`
        ])
        assert.deepStrictEqual(
          [...refs.values()],
          [
            { kind: "space", space: guide },
            { kind: "page", page: home, space: guide },
            { kind: "page", page: home, space: guide }
          ]
        )
      })
    )

    rule("stay unchanged with a query, at other hosts, and without content", () =>
      Effect.gen(function* () {
        const { guide, url, instanceUrls } = yield* published
        const urls = [`${url}home?a=b`, "https://example.com/home", "mailto:a@example.com", "not a URL", ""]
        assert.strictEqual((yield* instanceUrls.refs(guide, urls)).size, 0)
      })
    )

    rule("stay unchanged if the actor does not see the space", () =>
      Effect.gen(function* () {
        const { people, guide, reference, url, instanceUrls } = yield* published
        yield* (yield* Spaces).update(guide, { defaultLevel: null })
        const refs = instanceUrls.refs(reference, [`${url}home`])
        assert.strictEqual((yield* refs.pipe(as(people.read))).size, 0)
        assert.strictEqual((yield* refs.pipe(as(people.admin))).size, 1)
      })
    )
  })
}
