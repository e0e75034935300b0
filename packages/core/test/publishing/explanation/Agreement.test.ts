/** Explanations agree with the resolution of URLs, for random sites, visitors and paths. */
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import { Explanations } from "@lectern/core/publishing/explanation/Explanations"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { onEach } from "../../Adapters.ts"
import { adapters, organization } from "../../Instances.ts"
import { runs } from "../../Runs.ts"
import { edit } from "./Edits.ts"

/** Names that are used for sections, site spaces and pages alike. */
const names = ["one", "two", "three"] as const

const condition = fc.constantFrom(undefined, undefined, "visitor.claims.unsigned.pro", "!visitor.claims.unsigned.pro")
const name = fc.constantFrom(...names)
const page = fc.record({
  title: name,
  condition,
  isGroup: fc.boolean(),
  below: fc.option(fc.record({ title: name, condition }))
})
const siteSpace = fc.record({
  title: name,
  condition,
  isPrivate: fc.boolean(),
  pages: fc.uniqueArray(page, { maxLength: 3, selector: ({ title }) => title })
})
const section = fc.record({
  title: name,
  condition,
  siteSpaces: fc.uniqueArray(siteSpace, { minLength: 1, maxLength: 2, selector: ({ title }) => title })
})
const model = fc.record({
  sections: fc.uniqueArray(section, { minLength: 1, maxLength: 2, selector: ({ title }) => title }),
  renamed: fc.boolean(),
  paths: fc.array(fc.array(name, { maxLength: 4 }), { minLength: 3, maxLength: 8 })
})
type Model = typeof model extends fc.Arbitrary<infer A> ? A : never

const conditionOf = (text: string | undefined) => (text === undefined ? {} : { condition: text })

/** Creates the site of a model, and returns its URL. */
const siteOf = Effect.fnUntraced(function* (org: Effect.Success<typeof organization>, { sections, renamed }: Model) {
  const [spaces, sites, siteSections, siteSpaces] = [
    yield* Spaces,
    yield* Sites,
    yield* SiteSections,
    yield* SiteSpaces
  ]
  const site = (yield* sites.create(org, { title: "Site" })).id
  for (const each of sections) {
    let sectionId: Effect.Success<ReturnType<typeof siteSections.create>>["id"] | undefined
    for (const { title, pages, isPrivate, ...entry } of each.siteSpaces) {
      const space = (yield* spaces.create(org, { title })).id
      const changes = pages.flatMap(({ below, isGroup, ...top }): ReadonlyArray<ContentChange> => [
        {
          operation: "insert_page",
          title: top.title,
          ref: top.title,
          ...conditionOf(top.condition),
          ...(isGroup && { type: "group" })
        },
        ...(below === null
          ? []
          : [
              {
                operation: "insert_page",
                title: below.title,
                into: top.title,
                ...conditionOf(below.condition)
              } as const
            ])
      ])
      if (changes.length > 0) yield* edit(space, changes)
      if (isPrivate) yield* spaces.update(space, { visibility: "private" })
      sectionId ??= (yield* siteSections.create(org, site, { spaceId: space, title: each.title })).id
      const { items } = yield* siteSpaces.list(org, site, { limit: 1000 })
      const existing = items.find((item) => item.space.id === space)
      const added = existing ?? (yield* siteSpaces.add(org, site, { spaceId: space, sectionId }))
      if (entry.condition !== undefined) yield* siteSpaces.update(org, site, added.id, { condition: entry.condition })
    }
    if (each.condition !== undefined) yield* siteSections.update(org, site, sectionId!, { condition: each.condition })
    // A renamed section leaves an alias, which resolves paths that no current part has.
    if (renamed) yield* siteSections.update(org, site, sectionId!, { path: `${each.title}-now` })
  }
  return (yield* sites.publish(org, site)).urls.published!
})

for (const [adapter, services] of onEach(adapters)) {
  describe(`Explanations of random sites (${adapter})`, () => {
    it.live("agree with the response to the visitor", () =>
      Effect.gen(function* () {
        const org = yield* organization
        const explanations = yield* Explanations
        const urls = yield* PublishedUrls
        for (const sample of fc.sample(model, runs(40, 300))) {
          const base = yield* siteOf(org, sample)
          for (const path of [[], ...sample.paths]) {
            for (const query of ["", "?visitor.pro=true"]) {
              const url = `${base}${path.join("/")}${query}`
              const explanation = yield* explanations.explain(org, { url })
              const result = yield* urls
                .resolve({ url })
                .pipe(Effect.catchTag("PublishedUrlNotFound", () => Effect.undefined))
              const context = `${JSON.stringify(sample)}\n${url}\n${JSON.stringify(explanation, null, 1)}`
              if (result !== undefined && "redirect" in result) {
                assert.strictEqual(explanation.outcome, "redirect", context)
                assert.strictEqual(explanation.redirect, result.redirect, context)
                continue
              }
              const hasPage = result?.page !== undefined && explanation.decision.reason !== "group-empty"
              assert.strictEqual(explanation.visible, hasPage, context)
              assert.strictEqual(explanation.decision.passed, hasPage, context)
            }
          }
        }
      }).pipe(Effect.provide(Layer.fresh(services)))
    )
  })
}
