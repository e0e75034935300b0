import { CurrentActor } from "@lectern/core/access/Actor"
import { Grants } from "@lectern/core/grant/Grants"
import { CustomizationTable, defaultCustomization } from "@lectern/core/customization/Customization"
import { Customizations } from "@lectern/core/customization/Customizations"
import { Invitations } from "@lectern/core/organization/Invitations"
import { Members } from "@lectern/core/organization/Members"
import type { SiteId } from "@lectern/core/site/Site"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { SiteStore } from "@lectern/core/site/store/SiteStore"
import { SiteSpaceId } from "@lectern/core/site/SiteStructure"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { emitted } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters, organization, type Services } from "../Instances.ts"
import * as Hosted from "./HostedSettings.ts"
import { full } from "./Settings.ts"

/** A site of two spaces. */
const made = Effect.gen(function* () {
  const here = yield* organization
  const spaces = yield* Spaces
  const ids = [(yield* spaces.create(here, {})).id, (yield* spaces.create(here, {})).id]
  const site = yield* (yield* Sites).create(here, { title: "The site", spaces: ids })
  const { items } = yield* (yield* SiteSpaces).list(here, site.id, {})
  const [first, second] = items.map(({ id }) => id)
  return { here, site: site.id, first: first!, second: second! }
})

const rowOf = (id: SiteId) => SiteStore.use((store) => Effect.map(store.get(id), (kept) => kept!.site))

const kept = Effect.gen(function* () {
  return yield* (yield* Storage).repository(CustomizationTable).count({})
})

for (const [name, services] of onEach(adapters)) {
  describe(`Customizations (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("are the defaults until they are put, and again for what the next one leaves out", () =>
      Effect.gen(function* () {
        const { here, site } = yield* made
        const customizations = yield* Customizations
        assert.deepStrictEqual(yield* customizations.get(here, site), defaultCustomization)
        assert.deepStrictEqual(yield* customizations.put(here, site, full), full)
        assert.deepStrictEqual(yield* customizations.get(here, site), full)
        const title = { ...defaultCustomization, title: "Other" }
        assert.deepStrictEqual(yield* customizations.put(here, site, { title: "Other" }), title)
        assert.deepStrictEqual(yield* customizations.get(here, site), title)
        assert.deepStrictEqual(yield* customizations.put(here, site, {}), defaultCustomization)
        assert.strictEqual(yield* kept, 0)
      }))

    test("of a site space follow the site but for what was set for it", () =>
      Effect.gen(function* () {
        const { here, site, first, second } = yield* made
        const customizations = yield* Customizations
        const own = yield* customizations.patchOfSiteSpace(here, site, first, {
          title: "First",
          styling: { sidebar: { list: "pill" } }
        })
        assert.strictEqual(own.hasOverrides, true)
        yield* customizations.put(here, site, { title: "Site", styling: { theme: "bold", sidebar: { list: "line" } } })
        const seen = yield* customizations.getOfSiteSpace(here, site, first)
        assert.deepStrictEqual(
          [seen.title, seen.styling.theme, seen.styling.sidebar, seen.hasOverrides],
          ["First", "bold", { background: "default", list: "pill" }, true]
        )
        const site_ = yield* customizations.get(here, site)
        const other = yield* customizations.getOfSiteSpace(here, site, second)
        assert.deepStrictEqual(other, { ...site_, hasOverrides: false })
        for (const answer of [seen, other]) {
          assert.deepStrictEqual(Hosted.against(Hosted.siteSpaceSettings)(answer), [])
        }

        const back = yield* customizations.patchOfSiteSpace(here, site, first, { styling: { sidebar: { list: null } } })
        assert.deepStrictEqual([back.styling.sidebar.list, back.title, back.hasOverrides], ["line", "First", true])
        const none = yield* customizations.patchOfSiteSpace(here, site, first, { title: null })
        assert.deepStrictEqual(none, { ...site_, hasOverrides: false })
        assert.strictEqual(yield* kept, 1)
      }))

    test("of a site space are taken back all at once, those of the site stay", () =>
      Effect.gen(function* () {
        const { here, site, first } = yield* made
        const customizations = yield* Customizations
        yield* customizations.put(here, site, { title: "Site" })
        yield* customizations.patchOfSiteSpace(here, site, first, full)
        for (const id of [first, first, "", "nowhere"]) {
          yield* customizations.removeOfSiteSpace(here, site, SiteSpaceId.make(id))
        }
        const seen = yield* customizations.getOfSiteSpace(here, site, first)
        assert.deepStrictEqual([seen.title, seen.ai.mode, seen.hasOverrides], ["Site", "none", false])
      }))

    test("are all there for who sees the site, as far as that one does", () =>
      Effect.gen(function* () {
        const { here, site, first, second } = yield* made
        const customizations = yield* Customizations
        yield* customizations.put(here, site, full)
        yield* customizations.patchOfSiteSpace(here, site, first, { title: "First" })
        yield* customizations.patchOfSiteSpace(here, site, second, { header: { links: [] } })
        const row = yield* rowOf(site)
        assert.deepStrictEqual(yield* customizations.of(row), {
          site: full,
          siteSpaces: {
            [first]: { ...full, title: "First" },
            [second]: { ...full, header: { ...full.header, links: [] } }
          }
        })
        const some = yield* customizations.of(row, {
          siteSpaces: new Set([first]),
          isVisible: ({ condition }) => condition === undefined
        })
        assert.deepStrictEqual(Object.keys(some.siteSpaces), [first])
        for (const { header } of [some.site, some.siteSpaces[first]!]) {
          assert.deepStrictEqual(
            header.links.map(({ title }) => title),
            ["Docs"]
          )
        }
        yield* (yield* SiteSpaces).remove(here, site, second)
        assert.deepStrictEqual(Object.keys((yield* customizations.of(yield* rowOf(site))).siteSpaces), [first])
        yield* (yield* Sites).remove(here, site)
        assert.strictEqual(yield* kept, 0)
      }))

    test("are refused before anything is written", () =>
      Effect.gen(function* () {
        const { here, site, first } = yield* made
        const customizations = yield* Customizations
        const links = Array.from({ length: 60 }, () => ({
          title: "x",
          to: { kind: "url" as const, url: `https://example.com/${"x".repeat(1000)}` },
          links: []
        }))
        const groups = [{ title: "x", links: links.map(({ title, to }) => ({ title, to })) }]
        yield* customizations.patchOfSiteSpace(here, site, first, { header: { links } })
        for (const refused of [
          customizations.put(here, site, { title: "" }),
          customizations.patchOfSiteSpace(here, site, first, { footer: { groups } }),
          customizations.patchOfSiteSpace(here, site, first, { title: "x" })
        ]) {
          assert.strictEqual((yield* Effect.flip(refused))._tag, "InvalidInput")
        }
        assert.deepStrictEqual(yield* customizations.get(here, site), defaultCustomization)
        const { header, footer } = yield* customizations.getOfSiteSpace(here, site, first)
        assert.deepStrictEqual([header.links.length, footer.groups.length], [60, 0])
      }))

    test("are there for who may see the site, and changed by who may change it", () =>
      Effect.gen(function* () {
        const { here, site, first } = yield* made
        const customizations = yield* Customizations
        const { id: user } = yield* (yield* Users).create({ displayName: "Ada", email: "ada@example.com" })
        const asAda = Effect.provideService(CurrentActor, { type: "user", user })
        const tag = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
          effect.pipe(
            asAda,
            Effect.map(() => "done"),
            Effect.catch(({ _tag }) => Effect.succeed(_tag))
          )
        const all = Effect.all([
          tag(customizations.get(here, site)),
          tag(customizations.getOfSiteSpace(here, site, first)),
          tag(customizations.put(here, site, {})),
          tag(customizations.patchOfSiteSpace(here, site, first, {})),
          tag(customizations.removeOfSiteSpace(here, site, first))
        ])
        assert.deepStrictEqual(
          yield* all,
          Array.from({ length: 5 }, () => "SiteNotFound")
        )
        yield* (yield* Invitations).invite(here, { emails: ["ada@example.com"], role: "create" })
        assert.deepStrictEqual(yield* all, ["done", "done", "Forbidden", "Forbidden", "Forbidden"])
        yield* (yield* Members).changeRole(here, user, "admin")
        assert.deepStrictEqual(
          yield* all,
          Array.from({ length: 5 }, () => "done")
        )
        const elsewhere = yield* organization
        assert.strictEqual((yield* Effect.flip(customizations.get(elsewhere, site)))._tag, "SiteNotFound")
        for (const id of ["", "nowhere"]) {
          const missing = customizations.patchOfSiteSpace(here, site, SiteSpaceId.make(id), {})
          assert.strictEqual((yield* Effect.flip(missing))._tag, "SiteSpaceNotFound")
        }
      }))

    test("of a site space are for who may see its space", () =>
      Effect.gen(function* () {
        const { here, site, first } = yield* made
        const customizations = yield* Customizations
        const { id: user } = yield* (yield* Users).create({ email: "eve@example.com" })
        yield* (yield* Invitations).invite(here, { emails: ["eve@example.com"], role: "read" })
        yield* (yield* Grants).grant({ kind: "site", id: site, organization: here }, { users: [user], role: "admin" })
        const asEve = Effect.provideService(CurrentActor, { type: "user", user })
        const shown = { title: "Ours" }
        yield* asEve(customizations.patchOfSiteSpace(here, site, first, shown))
        const { items } = yield* (yield* SiteSpaces).list(here, site, {})
        yield* (yield* Spaces).update(items[0]!.space.id, { defaultLevel: null })
        for (const hidden of [
          customizations.getOfSiteSpace(here, site, first),
          customizations.patchOfSiteSpace(here, site, first, { title: "Other" })
        ]) {
          assert.strictEqual((yield* Effect.flip(asEve(hidden)))._tag, "SiteSpaceNotFound")
        }
        yield* asEve(customizations.removeOfSiteSpace(here, site, first))
        assert.deepInclude(yield* customizations.getOfSiteSpace(here, site, first), { ...shown, hasOverrides: true })
      }))

    test("emit an event for each change, and none without a change", () =>
      Effect.gen(function* () {
        const { here, site, first } = yield* made
        const customizations = yield* Customizations
        for (const change of [
          customizations.put(here, site, { title: "First" }),
          customizations.patchOfSiteSpace(here, site, first, { title: "Second" }),
          customizations.removeOfSiteSpace(here, site, first),
          customizations.put(here, site, {})
        ]) {
          assert.deepStrictEqual(yield* emitted(change), ["site_updated"])
          assert.deepStrictEqual(yield* emitted(change), [])
        }
      }))
  })
}
