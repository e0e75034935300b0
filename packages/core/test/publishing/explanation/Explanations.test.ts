import type { ExplanationParams } from "@lectern/core/publishing/explanation/Explanation"
import { Explanations } from "@lectern/core/publishing/explanation/Explanations"
import { PublishingAuths } from "@lectern/core/publishing/PublishingAuths"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { ShareLinks } from "@lectern/core/publishing/ShareLinks"
import { PublishingAuthTable } from "@lectern/core/publishing/PublishingAuth"
import { Redirects } from "@lectern/core/redirect/Redirects"
import type { SiteVisibility } from "@lectern/core/site/Site"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcomes, ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { as } from "../../comment/Discussion.ts"
import { adapters } from "../../Instances.ts"
import { edit } from "./Edits.ts"

const pro = 'visitor.claims.plan === "pro"'
const proClaims = { claims: JSON.stringify({ plan: "pro" }) }

const text = `# Open

{% if ${pro} %}

## Only pro

{% endif %}
`

const note = `## Always

{% if ${pro} %}

## Only paid

{% endif %}
`

const notes = `{% include "/reusable-contents/note" %}

{% if ${pro} %}

{% include "/reusable-contents/secret" %}

{% endif %}
`

/** A published site of two sections: "docs" with the spaces "guide" and "reference", and "internal". */
const published = Effect.gen(function* () {
  const { org, people, elsewhere } = yield* members
  const spaces = yield* Spaces
  const sites = yield* Sites
  const sections = yield* SiteSections
  const create = (title: string) => Effect.map(spaces.create(org, { title }), ({ id }) => id)
  const [guide, reference, internal] = [yield* create("Guide"), yield* create("Reference"), yield* create("Internal")]
  yield* edit(guide, [
    { operation: "insert_page", title: "Start", document: { markdown: text } },
    { operation: "insert_page", title: "Plans", condition: pro, ref: "plans" },
    { operation: "insert_page", title: "Prices", into: "plans" },
    { operation: "insert_page", title: "Group", type: "group", ref: "group" },
    { operation: "insert_page", title: "Member", condition: pro, into: "group" },
    { operation: "upsert_reusable_content", title: "Note", ref: "note", document: { markdown: note } },
    { operation: "upsert_reusable_content", title: "Secret", ref: "secret", document: { markdown: "## Secret" } },
    { operation: "insert_page", title: "Notes", document: { markdown: notes } }
  ])
  yield* edit(internal, [{ operation: "insert_page", title: "Wages" }])
  const site = (yield* sites.create(org, { title: "Docs" })).id
  const docs = (yield* sections.create(org, site, { spaceId: guide, title: "Docs" })).id
  yield* (yield* SiteSpaces).add(org, site, { spaceId: reference, sectionId: docs })
  const hidden = (yield* sections.create(org, site, { spaceId: internal, title: "Internal" })).id
  const base = (yield* sites.publish(org, site)).urls.published!
  const { items } = yield* (yield* SiteSpaces).list(org, site, {})
  return { org, elsewhere, people, guide, reference, internal, site, docs, hidden, base, siteSpaces: items }
})
type Published = Effect.Success<typeof published>

const update = ({ org, site }: Published, visibility: SiteVisibility) =>
  Effect.flatMap(Sites, (sites) => sites.update(org, site, { visibility }))

/** Creates a share link, and returns the path of its key. */
const shareLink = Effect.fnUntraced(function* (fixture: Published) {
  yield* update(fixture, "share-link")
  const { id, urls } = yield* (yield* ShareLinks).create(fixture.org, fixture.site, { name: "Partner" })
  return { id, path: urls.published.slice(fixture.base.length) }
})

interface Situation {
  readonly title: string
  /** Changes the site. Returns the path of the URL if it is not `path`. */
  readonly change?: (fixture: Published) => Effect.Effect<unknown, unknown, any>
  readonly path?: string
  readonly as?: Omit<ExplanationParams, "url">
  /** Outcome, the rule that decides, and its reason if the rule did not pass. */
  readonly expected: readonly [outcome: string, rule: string, reason?: string]
  /** Part of the message: the setting to change. */
  readonly names?: string
}

const situations: ReadonlyArray<Situation> = [
  { title: "a page of an open site", path: "start", expected: ["visible", "page"] },
  { title: "the front page", expected: ["visible", "page"] },
  { title: "a file of the site", path: "robots.txt", expected: ["visible", "page"] },
  {
    title: "an unlisted site",
    change: (fixture) => update(fixture, "unlisted"),
    path: "start",
    expected: ["visible", "page"]
  },
  {
    title: "an unpublished site",
    change: ({ org, site }) => Effect.flatMap(Sites, (sites) => sites.unpublish(org, site)),
    path: "start",
    expected: ["not-found", "published", "site-unpublished"],
    names: "`published`"
  },
  {
    title: "a site of share links without a key",
    change: (fixture) => Effect.asVoid(shareLink(fixture)),
    path: "start",
    expected: ["not-found", "share-link", "share-link-missing"],
    names: "`visibility`"
  },
  {
    title: "a share link",
    change: (fixture) => Effect.map(shareLink(fixture), ({ path }) => `${path}start`),
    expected: ["visible", "page"]
  },
  {
    title: "an inactive share link",
    change: Effect.fnUntraced(function* (fixture: Published) {
      const { id, path } = yield* shareLink(fixture)
      yield* (yield* ShareLinks).update(fixture.org, fixture.site, id, { active: false })
      return `${path}start`
    }),
    expected: ["not-found", "share-link", "share-link-inactive"],
    names: "`active`"
  },
  {
    title: "a visitor who is not signed in",
    change: (fixture) => update(fixture, "visitor-auth"),
    path: "start",
    expected: ["not-found", "sign-in", "sign-in-required"],
    names: "`fallbackURL`"
  },
  {
    title: "a visitor who is sent to sign in",
    change: Effect.fnUntraced(function* (fixture: Published) {
      yield* update(fixture, "visitor-auth")
      const auths = yield* PublishingAuths
      yield* auths.update(fixture.org, fixture.site, { fallbackURL: "https://example.com/login" })
    }),
    path: "start",
    expected: ["sign-in", "sign-in", "sign-in-required"]
  },
  {
    title: "a visitor with a token of another key",
    change: (fixture) => Effect.as(update(fixture, "visitor-auth"), "start?jwt_token=a.b.c"),
    expected: ["not-found", "sign-in", "sign-in-invalid"],
    names: "`privateKey`"
  },
  {
    title: "a site whose integration for signing in is not active",
    change: Effect.fnUntraced(function* (fixture: Published) {
      yield* update(fixture, "visitor-auth")
      const auths = (yield* Storage).repository(PublishingAuthTable)
      yield* auths.update({ site: fixture.site }, { backend: "integration" })
    }),
    path: "start",
    as: { as: "ada@example.com" },
    expected: ["not-found", "sign-in", "sign-in-off"],
    names: "`backend`"
  },
  {
    title: "a signed-in visitor",
    change: (fixture) => update(fixture, "visitor-auth"),
    path: "start",
    as: { as: "ada@example.com" },
    expected: ["visible", "page"]
  },
  {
    title: "a section with a condition",
    change: ({ org, site, hidden }) =>
      Effect.flatMap(SiteSections, (sections) => sections.update(org, site, hidden, { condition: pro })),
    path: "internal/wages",
    expected: ["not-found", "section", "section-condition"],
    names: pro
  },
  {
    title: "a section with a condition that holds",
    change: ({ org, site, hidden }) =>
      Effect.flatMap(SiteSections, (sections) => sections.update(org, site, hidden, { condition: pro })),
    path: "internal/wages",
    as: proClaims,
    expected: ["visible", "page"]
  },
  {
    title: "a site space with a condition",
    change: ({ org, site, siteSpaces }) =>
      Effect.flatMap(SiteSpaces, (all) => all.update(org, site, siteSpaces[2]!.id, { condition: pro })),
    path: "internal/wages",
    expected: ["not-found", "site-space", "site-space-condition"],
    names: pro
  },
  {
    title: "a site without spaces",
    change: Effect.fnUntraced(function* ({ org, site, siteSpaces }: Published) {
      const all = yield* SiteSpaces
      yield* Effect.forEach(siteSpaces, ({ id }) => all.remove(org, site, id))
    }),
    path: "start",
    expected: ["not-found", "site-space", "site-empty"]
  },
  {
    title: "a private space",
    change: ({ internal }) => Effect.flatMap(Spaces, (all) => all.update(internal, { visibility: "private" })),
    path: "internal/wages",
    expected: ["not-found", "space", "space-visibility"],
    names: "`private`"
  },
  {
    title: "a space of another audience",
    change: ({ internal }) => Effect.flatMap(Spaces, (all) => all.update(internal, { visibility: "visitor-auth" })),
    path: "internal/wages",
    expected: ["not-found", "space", "space-visibility"]
  },
  { title: "a page with a condition", path: "plans", expected: ["not-found", "page", "page-condition"], names: pro },
  { title: "a page with a condition that holds", path: "plans", as: proClaims, expected: ["visible", "page"] },
  {
    title: "a page below a page with a condition",
    path: "plans/prices",
    expected: ["not-found", "page", "page-condition"],
    names: '"Plans"'
  },
  {
    title: "the Markdown of a page with a condition",
    path: "plans.md",
    expected: ["not-found", "page", "page-condition"]
  },
  {
    title: "adaptive content that is off",
    change: ({ org, site }) =>
      Effect.flatMap(Sites, (sites) => sites.update(org, site, { adaptiveContent: { enabled: false } })),
    path: "plans",
    as: proClaims,
    expected: ["not-found", "page", "page-condition"]
  },
  { title: "a path without a page", path: "missing", expected: ["not-found", "page", "page-not-found"] },
  { title: "a path below a section", path: "internal/missing", expected: ["not-found", "page", "page-not-found"] },
  {
    title: "a space without pages",
    path: "docs/reference",
    expected: ["not-found", "page", "space-empty"],
    names: '"Reference"'
  },
  { title: "a group without a visible page", path: "group", expected: ["not-found", "page", "group-empty"] },
  { title: "a group with a visible page", path: "group", as: proClaims, expected: ["visible", "page"] },
  {
    title: "the source of a redirect",
    change: ({ org, site }) =>
      Effect.flatMap(Redirects, (redirects) =>
        redirects.create(org, site, { source: "/old", destination: { kind: "external", url: "https://example.com/" } })
      ),
    path: "old",
    expected: ["redirect", "redirect"],
    names: '"/old"'
  },
  {
    title: "a former path of a section",
    change: ({ org, site, hidden }) =>
      Effect.flatMap(SiteSections, (sections) => sections.update(org, site, hidden, { path: "inside" })),
    path: "internal/wages",
    expected: ["redirect", "redirect"]
  },
  {
    title: "a preview without its token",
    path: "~/preview/start",
    expected: ["not-found", "preview", "preview-not-open"]
  },
  {
    title: "a preview of a member",
    change: ({ org, site }) => Effect.flatMap(Sites, (sites) => sites.unpublish(org, site)),
    path: "~/preview/start",
    as: { as: "read@example.com" },
    expected: ["visible", "page"]
  },
  {
    title: "a preview of a member without a role on the space",
    change: ({ internal }) => Effect.flatMap(Spaces, (all) => all.update(internal, { defaultLevel: null })),
    path: "~/preview/internal/wages",
    as: { as: "read@example.com" },
    expected: ["not-found", "space", "space-no-access"]
  },
  { title: "a block", path: "start#open", expected: ["visible", "block"] },
  {
    title: "a block with a condition",
    path: "start#only-pro",
    expected: ["hidden", "block", "block-condition"],
    names: pro
  },
  {
    title: "a block with a condition that holds",
    path: "start#only-pro",
    as: proClaims,
    expected: ["visible", "block"]
  },
  { title: "a block of reusable content", path: "notes#always", expected: ["visible", "block"] },
  {
    title: "a block with a condition in reusable content",
    path: "notes#only-paid",
    expected: ["hidden", "block", "block-condition"],
    names: pro
  },
  {
    title: "a block of reusable content that is included on a condition",
    path: "notes#secret",
    expected: ["hidden", "block", "block-condition"],
    names: pro
  },
  { title: "an anchor without a block", path: "start#missing", expected: ["hidden", "block", "anchor-not-found"] }
]

for (const [name, services] of onEach(adapters)) {
  describe(`Explanations (${name})`, () => {
    const rule = ruleOn(services)

    for (const { title, change, path = "", as: visitor = {}, expected, names = "" } of situations) {
      rule(
        `explain ${title}`,
        () =>
          Effect.gen(function* () {
            const fixture = yield* published
            const changedPath = change && (yield* change(fixture))
            const url = fixture.base + (typeof changedPath === "string" ? changedPath : path)
            const explanation = yield* (yield* Explanations).explain(fixture.org, { url, ...visitor })
            const { decision, outcome, redirect, rules, visible } = explanation
            const reason = decision.reason === undefined ? [] : [decision.reason]
            assert.deepStrictEqual<ReadonlyArray<unknown>>([outcome, decision.rule, ...reason], expected)
            assert.include(decision.message, names)
            assert.strictEqual(visible, outcome === "visible")
            assert.deepStrictEqual(decision, rules.find(({ passed }) => !passed) ?? rules.at(-1))
            if (visitor.as !== undefined || visitor.claims !== undefined) return
            // Visitors without a token get this URL without an explanation.
            const result = yield* (yield* PublishedUrls)
              .resolve({ url: url.replace(/#.*/, "") })
              .pipe(Effect.catchTag("PublishedUrlNotFound", () => Effect.undefined))
            const led = result !== undefined && "redirect" in result ? result.redirect : undefined
            assert.strictEqual(led, redirect)
            const isGroup = decision.reason === "group-empty"
            const page = result === undefined || "redirect" in result ? undefined : result.page
            if (path !== "robots.txt")
              assert.strictEqual(page !== undefined, visible || outcome === "hidden" || isGroup)
          }) as Effect.Effect<void, unknown, any>
      )
    }

    rule("name all rules in the order in which they are checked", () =>
      Effect.gen(function* () {
        const { org, base } = yield* published
        const { rules, visitor } = yield* (yield* Explanations).explain(org, {
          url: `${base}plans/prices`,
          ...proClaims
        })
        assert.deepStrictEqual(
          rules.map(({ rule }) => rule),
          ["site", "published", "audience", "section", "site-space", "space", "page", "page"]
        )
        assert.deepStrictEqual(visitor, { claims: { plan: "pro" } })
      })
    )

    rule("name the member of an e-mail address", () =>
      Effect.gen(function* () {
        const { org, people, base } = yield* published
        const explain = (address: string) =>
          Effect.flatMap(Explanations, (all) => all.explain(org, { url: base, as: address }))
        assert.deepStrictEqual((yield* explain("read@example.com")).visitor, {
          claims: { email: "read@example.com" },
          member: people.read
        })
        assert.deepStrictEqual((yield* explain("outsider@example.com")).visitor, {
          claims: { email: "outsider@example.com" }
        })
      })
    )

    rule("are for administrators of the organization", () =>
      Effect.gen(function* () {
        const { org, people, base } = yield* published
        assert.deepStrictEqual(yield* outcomes(people, (yield* Explanations).explain(org, { url: base })), {
          ok: "host admin",
          Forbidden: "create review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
      })
    )

    rule("do not know sites of other organizations", () =>
      Effect.gen(function* () {
        const { elsewhere, people, base } = yield* published
        const explain = (url: string) =>
          Effect.flatMap(Explanations, (all) => all.explain(elsewhere, { url })).pipe(as(people.outsider))
        const { rules: missing } = yield* explain(base.replace(/[^/]+\/$/, "no-such-site/"))
        const { rules, site } = yield* explain(base)
        assert.deepStrictEqual(
          [missing, rules].map((all) => all.map(({ reason }) => reason)),
          [["site-not-found"], ["site-not-found"]]
        )
        assert.isUndefined(site)
      })
    )

    rule("reject claims that are no object, and two visitors", () =>
      Effect.gen(function* () {
        const { org, base: url } = yield* published
        const explanations = yield* Explanations
        for (const params of [{ claims: "[1]" }, { claims: "{" }, { ...proClaims, as: "ada@example.com" }]) {
          const failure = yield* Effect.flip(explanations.explain(org, { url, ...params }))
          assert.strictEqual(failure._tag, "InvalidInput")
        }
      })
    )
  })
}
