/**
 * Nothing unpublished reaches visitors: a space, its site and what is around them hold a mark in every
 * field that there is, and whatever a visitor can read is searched for them, headers and all. What it may
 * read is found by asking for every operation that reads (see `AuthorityTable`), so that a new one is
 * asked for as well.
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import { Contents } from "@lectern/core/content/Contents"
import { SpaceId } from "@lectern/core/space/Space"
import { Tokens } from "@lectern/core/token/Tokens"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { audiences } from "./AudienceSites.ts"
import { operations } from "./AuthorityTable.ts"
import { type Answer, Harness, has, onMemory } from "./Harness.ts"
import { type MadeSite, makeSite, makeSpace } from "./SiteWithSecrets.ts"
import { json, ofSite, pathOfSite, reading } from "./SiteSteps.ts"
import { createSpace } from "./Steps.ts"
import { makeThings, type Things } from "./Things.ts"

/** Finds pages on the whole of a site, as a visitor. */
const searchSite = Effect.fnUntraced(function* ({ id, apiToken }: MadeSite, query: string) {
  const { call } = yield* Harness
  const asked = { query, scope: { mode: "all" } }
  return (yield* call({ token: apiToken }, "POST", `${yield* pathOfSite(id)}/search`, asked).pipe(has(200))).text
})

const variants = [
  "",
  "limit=1000",
  "metadata=false",
  "computed=false",
  "format=document",
  "evaluated=true",
  "evaluated=deterministic-only&format=document",
  "dereferenced=reusable-contents",
  "query=secretlyHiddenText",
  "query=plainly",
  "source=/old",
  "default=false"
]

const told = ({ status, headers, text }: Answer) => `${status} ${JSON.stringify([...headers])} ${text}`

/** Everything that the token reads by any operation that reads, in all its forms, below `/v1`. */
const readAll = Effect.fnUntraced(function* (apiToken: string, worlds: ReadonlyArray<Things>) {
  const read: Array<{ readonly name: string; readonly path: string; readonly told: string }> = []
  const asked = new Set<string>()
  for (const { name, method, path } of operations) {
    if (method !== "GET") continue
    for (const things of worlds) {
      const [address = "", query] = path(things).split("?")
      if (asked.has(address)) continue
      asked.add(address)
      for (const variant of variants) {
        const asking = `${address}?${[query, variant].filter(Boolean).join("&")}`
        const answer = yield* reading(apiToken, asking.slice("/v1".length))
        read.push({ name, path: asking, told: told(answer) })
        // What it may not read at all it may not read in another form.
        if (answer.status === 401 || answer.status === 403 || (answer.status === 404 && variant === "")) break
      }
    }
  }
  return read
})

/** Reads pages as sites render them: in Lectern's own vocabulary. */
const readForSites = Effect.fnUntraced(function* (apiToken: string, space: string, pages: ReadonlyArray<string>) {
  const contents = yield* Contents
  const actor = yield* (yield* Tokens).authenticate(apiToken)
  const read = pages.flatMap((page) =>
    ([false, true, "deterministic-only"] as const).map((evaluated) =>
      Effect.gen(function* () {
        const at = yield* contents.locate({ space: SpaceId.make(space) })
        const found = yield* contents.page(at, page, { format: "document", vocabulary: "lectern", evaluated })
        return { name: "Contents.page", path: `${page} ${evaluated}`, told: `200 ${JSON.stringify(found)}` }
      }).pipe(Effect.catchTag("ContentPageNotFound", () => Effect.succeed({ name: "none", path: page, told: "404" })))
    )
  )
  return yield* Effect.all(read).pipe(Effect.provideService(CurrentActor, actor), Effect.orDie)
})

const marksIn = (text: string): ReadonlyArray<string> => text.match(/secretly\w*/gi) ?? []

/** Secrets in a text, with some of the text around them. */
const around = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/secretly/gi), ({ index }) => text.slice(Math.max(0, index - 80), index + 50))

onMemory("What visitors read", (it) => {
  it.effect("holds nothing that is not published, in any field of any answer, for any audience", () =>
    Effect.gen(function* () {
      const things = yield* makeThings
      const space = yield* makeSpace
      const sites: Array<MadeSite> = []
      for (const audience of audiences) sites.push(yield* makeSite(audience, space.id))
      const names = new Set<string>()
      const seenByAdmin = new Set<string>()
      for (const site of sites) {
        const world: Things = {
          ...things,
          space: space.id,
          revision: space.revision,
          cr: space.changeRequest,
          comment: space.comment,
          spec: "secretly-private-spec",
          site: site.id,
          section: site.section,
          group: site.group,
          siteSpace: site.siteSpaces.at(-1)!.id,
          link: site.link.id,
          redirect: site.redirect
        }
        const worlds = [
          ...space.pages.map((page) => ({ ...world, page })),
          ...space.files.map((file) => ({ ...world, file })),
          ...site.siteSpaces.map(({ id }) => ({ ...world, siteSpace: id }))
        ]
        const secrets = sites
          .flatMap(({ id, key, link, visibility }) =>
            id === site.id ? [key] : [id, key, link.key, `own-${visibility}`]
          )
          .concat('"oid"', "javascript:", "vbscript:", "<script", "onclick", "example.com/secretly")
          .map((secret) => secret.toLowerCase())
        const read = [
          ...(yield* readAll(site.apiToken, worlds)),
          ...(yield* readForSites(site.apiToken, space.id, space.pages))
        ]
        for (const { name, path, told } of read) {
          if (!told.startsWith("200")) continue
          names.add(name)
          // What was asked for is told again in what a list of nothing says of itself, and nowhere else.
          assert.deepStrictEqual(around(told), [], `${site.visibility}: ${path}`)
          const small = told.toLowerCase()
          assert.deepStrictEqual(
            secrets.filter((secret) => small.includes(secret)),
            [],
            `${site.visibility}: ${path}`
          )
          for (const field of ["comments", "changeRequests", "changeRequestsOpen", "changeRequestsDraft"]) {
            for (const [, count] of told.matchAll(new RegExp(`"${field}":(\\d+)`, "g"))) assert.strictEqual(count, "0")
          }
        }
        const plainly = yield* searchSite(site, "plainly")
        assert.include(plainly, '"type":"space"')
        assert.deepStrictEqual(around(plainly), [])
        // What is not shown is not found either. (In small letters, since the words within are found.)
        for (const word of [
          "Comment",
          "Inner",
          "Script",
          "Block",
          "Remark",
          "HiddenText",
          "Conditional",
          "Below",
          "Unused",
          "FootnoteText"
        ]) {
          const found = yield* reading(
            site.apiToken,
            `/spaces/${space.id}/search?query=secretly${word.toLowerCase()}`
          ).pipe(json(200))
          assert.deepStrictEqual(found, { count: 0, items: [] }, word)
          const onSite = yield* searchSite(site, `secretly${word.toLowerCase()}`)
          assert.deepStrictEqual(JSON.parse(onSite), { count: 0, items: [] }, word)
        }
        // Refusals tell nothing but what they were asked for.
        for (const { told, path } of read) {
          if (told.startsWith("200")) continue
          const asked = new Set(marksIn(decodeURIComponent(path)).map((each) => each.toLowerCase()))
          for (const each of marksIn(told)) assert.isTrue(asked.has(each.toLowerCase()), `${path}: ${told}`)
        }
        const published = read
          .filter(({ told }) => told.startsWith("200"))
          .map(({ told }) => told)
          .join("\n")
        for (const word of [
          "published text",
          "raw text",
          "linked",
          "otherwise",
          "flagged",
          "shared",
          "noted",
          "footnoted",
          "defined",
          "hidden",
          "shown",
          "Space",
          "Page"
        ]) {
          assert.match(published, new RegExp(`plainly ?${word}`, "i"), `${site.visibility}: ${word}`)
        }
        for (const field of ['"used":"plainlySpace"', '"used":"plainlyPage"', "shown.txt", '"siteSpaces":1']) {
          assert.include(published, field)
        }
      }
      for (const name of [
        "spaces.get",
        "Contents.page",
        "spaceContent.revision",
        "spaceContent.page",
        "spaceContent.document",
        "revisions.revision",
        "revisions.page",
        "revisions.document",
        "search.space",
        "published.site",
        "siteSpaces.list"
      ]) {
        assert.isTrue(names.has(name), name)
      }
      // The marks are there: a member reads them by the same operations.
      const { call } = yield* Harness
      for (const path of [
        `/v1/spaces/${space.id}`,
        `/v1/spaces/${space.id}/content`,
        `/v1/spaces/${space.id}/content/page/${space.pages[0]}`,
        `/v1/spaces/${space.id}/content/page/${space.pages[0]}?format=document`,
        `/v1/spaces/${space.id}/change-requests`,
        `/v1/spaces/${space.id}/comments`,
        `/v1/orgs/${things.org}/sites/${sites[0]!.id}/structure`,
        `/v1/orgs/${things.org}/sites/${sites[0]!.id}/customization`
      ]) {
        const answer = yield* call("admin", "GET", path).pipe(has(200))
        for (const each of marksIn(answer.text)) seenByAdmin.add(each)
      }
      const planted = [
        "secretlyComment",
        "secretlyRaw",
        "secretlyInner",
        "secretlyScript",
        "secretlyBlock",
        "secretlyRun",
        "secretlyData",
        "secretlyRemark",
        "secretlyFootnoteRaw",
        "secretlyFootnoteComment",
        "secretlyFootnoteText",
        "secretlyStyle",
        "secretlyHiddenText",
        "secretlyEmbed",
        "secretlyIntegration",
        "secretlyUnusedInclude",
        "secretlyOfPage",
        "secretlyUnusedValue",
        "secretlyConditionalValue",
        "secretlyFlagValue",
        "secretlyConditionalPage",
        "secretlyBelow",
        "secretlyTarget",
        "secretlyFile",
        "secretlySubject",
        "secretlyMerged",
        "secretlySaid",
        "secretlyName",
        "secretlyRepository",
        "secretlyOtherSpace",
        "secretlySection",
        "secretlyDescription",
        "secretlyGroup",
        "secretlyLink",
        "secretlyClaim",
        "secretlyValue"
      ]
      assert.deepStrictEqual(
        planted.filter((each) => !seenByAdmin.has(each)),
        []
      )
      assert.isAbove(names.size, 10)
      // Where the site leads to where pages are edited, it is told where that is, and no more.
      const [open] = sites
      const tree = `/spaces/${space.id}/content/pages`
      const before = yield* reading(open!.apiToken, tree).pipe(has(200))
      yield* ofSite(open!.id, "PUT", "/customization", { git: { showEditLink: true } }).pipe(has(200))
      const after = yield* reading(open!.apiToken, tree).pipe(has(200))
      assert.notStrictEqual(after.headers.get("etag"), before.headers.get("etag"))
      assert.include(after.text, '"git":{"oid"')
      assert.include((yield* reading(open!.apiToken, `/spaces/${space.id}`).pipe(has(200))).text, "secretlyRepository")
      assert.notInclude(
        (yield* reading(open!.apiToken, `/spaces/${space.id}/content`).pipe(has(200))).text,
        "secretlyMessage"
      )
    })
  )

  it.effect("says of a space for visitors that have signed on who signs their tokens, and of no other", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const patched = (visibility: string) => call("admin", "PATCH", `/v1/spaces/${id}`, { visibility }).pipe(json(200))
      assert.deepStrictEqual((yield* patched("visitor-auth")).visitorAuth, { backend: "custom" })
      assert.notProperty(yield* patched("public"), "visitorAuth")
    })
  )
})
