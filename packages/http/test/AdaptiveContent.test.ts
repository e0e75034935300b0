/**
 * Conditions show and hide sections, site spaces and pages for each visitor, wherever these are told of. A
 * visitor's claims come from its token, its URL and its cookie.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onEachAdapter, refused } from "./Harness.ts"
import {
  addSection,
  addSiteSpace,
  createSite,
  goodToken,
  isNoPage,
  isNowhere,
  json,
  leadsOn,
  ofSite,
  patchSection,
  patchSite,
  patchSiteSpace,
  pathOfSite,
  publishSite,
  reading,
  resolve,
  siteSpacesOf,
  spaceOf,
  type Visitor
} from "./SiteSteps.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"

const isPro = 'visitor.claims.plan == "pro"'
const isStaff = "visitor.claims.staff === true"
const isBeta = "visitor.claims.unsigned.beta === true"

/**
 * A site with the sections Guide (default), Internal (for the staff) and Lab (of which nothing is
 * there but for testers); Guide has a variant for those who pay. Of the pages of Guide some are for
 * some: Price with all below it, Preview, and one of the two below Open.
 */
const makeSite = Effect.gen(function* () {
  const guide = yield* createSpace({ title: "Guide" })
  const pixel = btoa("pixel")
  const { idOf, insertedFiles } = yield* publish(guide.id, [
    {
      operation: "insert_files",
      files: [
        { name: "price.txt", ref: "file", base64: pixel },
        { name: "both.txt", ref: "both", base64: btoa("both") }
      ]
    },
    insertPage("Open", "Findable text [both](/files/both)"),
    insertPage("Price", "Findable text [price](/files/file) [both](/files/both)", { condition: isPro }),
    insertPage("Below", "Findable text", { into: "Price" }),
    insertPage("Preview", "Findable text", { condition: isBeta }),
    insertPage("Old", "Findable text", { into: "Open" }),
    insertPage("New", "Findable text", { into: "Open", condition: isBeta })
  ])
  const variant = yield* spaceOf("Paid", ["Paid page"])
  const internal = yield* spaceOf("Internal", ["Inside"])
  const lab = yield* spaceOf("Lab", ["Experiment"])
  const { id } = yield* createSite([])
  const sections = {
    guide: yield* addSection(id, guide.id, "Guide"),
    internal: yield* addSection(id, internal.id, "Internal"),
    lab: yield* addSection(id, lab.id, "Lab")
  }
  const paid = yield* addSiteSpace(id, variant.id, sections.guide.id)
  yield* patchSiteSpace(id, paid.id, { condition: isPro })
  yield* patchSection(id, sections.internal.id, { condition: isStaff })
  yield* patchSiteSpace(id, sections.lab.siteSpaces[0]!.id, { condition: isBeta })
  const redirects = {
    "/r/price": { kind: "site-page", siteSpaceId: sections.guide.siteSpaces[0]!.id, pageId: idOf("Price") },
    "/r/below": { kind: "site-page", siteSpaceId: sections.guide.siteSpaces[0]!.id, pageId: idOf("Below") },
    "/r/paid": { kind: "site-space", siteSpaceId: paid.id },
    "/r/internal": { kind: "site-section", siteSectionId: sections.internal.id },
    "/r/lab": { kind: "site-section", siteSectionId: sections.lab.id },
    "/r/open": { kind: "site-page", siteSpaceId: sections.guide.siteSpaces[0]!.id, pageId: idOf("Open") }
  }
  for (const [source, destination] of Object.entries(redirects)) {
    yield* ofSite(id, "POST", "/redirects", { source, destination }).pipe(has(201))
  }
  const { basename } = yield* publishSite(id)
  return {
    id,
    base: `http://127.0.0.1:4000/sites/${basename}/`,
    spaces: { guide: guide.id, paid: variant.id, internal: internal.id, lab: lab.id },
    pages: ["Open", "Price", "Below", "Preview", "Old", "New"].map((title) => [title, idOf(title)] as const),
    files: insertedFiles!.map(({ id }) => id),
    sources: Object.keys(redirects)
  }
})
type Made = Effect.Success<typeof makeSite>

interface Kind {
  readonly query?: string
  readonly visitor?: Visitor
}

interface Tree {
  readonly title: string
  readonly pages?: ReadonlyArray<Tree>
}

const titlesIn = (pages: ReadonlyArray<Tree> = []): ReadonlyArray<string> =>
  pages.flatMap(({ title, pages }) => [title, ...titlesIn(pages)])

/** All that a visitor comes to know of the site, asked in every way there is. */
const seen = Effect.fnUntraced(function* (site: Made, { query = "", visitor }: Kind) {
  const { organization } = yield* Harness
  const { apiToken } = yield* resolve(site.base + query, visitor)
  const get = (path: string) => reading(apiToken, path)
  const ofSite = `/orgs/${organization}/sites/${site.id}`
  const structure = yield* get(`${ofSite}/structure`).pipe(json(200))
  const published = yield* get(`${ofSite}/published`).pipe(json(200))
  const sections = yield* get(`${ofSite}/sections`).pipe(json(200))
  const siteSpaces = yield* get(`${ofSite}/site-spaces`).pipe(json(200))
  assert.deepStrictEqual(published.structure, structure)
  assert.deepStrictEqual(structure.structure, sections.items)
  assert.strictEqual(sections.count, sections.items.length)
  assert.strictEqual(siteSpaces.count, siteSpaces.items.length)
  assert.deepStrictEqual(
    sections.items.flatMap((section: any) => section.siteSpaces),
    siteSpaces.items
  )

  const spaces = yield* Effect.filter(Object.keys(site.spaces), (name) =>
    Effect.map(get(`/spaces/${site.spaces[name as keyof Made["spaces"]]}`), ({ status }) => status === 200)
  )
  assert.sameMembers(
    siteSpaces.items.map(({ space }: any) => space.id),
    spaces.map((name) => site.spaces[name as keyof Made["spaces"]])
  )

  const content = `/spaces/${site.spaces.guide}/content`
  const tree = titlesIn((yield* get(`${content}/pages`).pipe(json(200))).pages)
  const revision = yield* get(content).pipe(json(200))
  assert.deepStrictEqual(titlesIn(revision.pages), tree)
  const found = yield* get(`/spaces/${site.spaces.guide}/search?query=findable&limit=1000`).pipe(json(200))
  assert.strictEqual(found.count, found.items.length)
  assert.sameMembers(
    found.items.map(({ title }: Tree) => title),
    [...tree]
  )
  const first = yield* get(`/spaces/${site.spaces.guide}/search?query=findable&limit=1`).pipe(json(200))
  assert.strictEqual(first.count, found.count)
  const byId = yield* Effect.filter(site.pages, ([, id]) =>
    Effect.map(get(`${content}/page/${id}`), ({ status }) => status === 200)
  )
  assert.sameMembers(
    byId.map(([title]) => title),
    [...tree]
  )
  const [, open] = site.pages[0]!
  const page = yield* get(`${content}/page/${open}`).pipe(json(200))
  const files = yield* get(`${content}/files`).pipe(json(200))
  assert.deepStrictEqual(
    revision.files.map(({ name }: any) => name).sort(),
    files.items.map(({ name }: any) => name).sort()
  )
  const filesById = yield* Effect.filter(site.files, (id) =>
    Effect.map(get(`${content}/files/${id}`), ({ status }) => status === 200)
  )
  assert.sameMembers(
    files.items.map(({ id }: any) => id),
    filesById
  )

  const urls: Array<string> = []
  for (const path of [
    "",
    "price",
    "price/below",
    "preview",
    "open/new",
    "paid",
    "paid/paid-page",
    "internal",
    "internal/inside",
    "lab"
  ]) {
    const url = site.base + path + query
    const answer = yield* (yield* Harness).call("outsider", "POST", "/v1/urls/published", { url, visitor })
    const { page, redirect } = JSON.parse(answer.text)
    if (page !== undefined || redirect !== undefined) urls.push(path)
    else yield* (answer.status === 200 ? isNoPage : isNowhere)(url, visitor)
  }
  const redirects = yield* Effect.filter(site.sources, (source) =>
    Effect.gen(function* () {
      const { status } = yield* get(`${ofSite}/redirect?source=${source}`)
      const { text: asUrl } = yield* (yield* Harness).call("outsider", "POST", "/v1/urls/published", {
        url: site.base + source.slice(1) + query,
        visitor
      })
      assert.strictEqual(status === 200, "redirect" in JSON.parse(asUrl), source)
      return status === 200
    })
  )
  return {
    sections: sections.items.map(({ title }: Tree) => title),
    spaces,
    tree,
    below: titlesIn(page.pages),
    files: files.items.map(({ name }: any) => name).sort(),
    urls,
    redirects: redirects.map((source) => source.slice(3))
  }
})

const everyone = {
  sections: ["Guide"],
  spaces: ["guide"],
  tree: ["Open", "Old"],
  below: ["Old"],
  files: ["both.txt"],
  urls: [""],
  redirects: ["open"]
}

const pro = {
  sections: ["Guide"],
  spaces: ["guide", "paid"],
  tree: ["Open", "Old", "Price", "Below"],
  below: ["Old"],
  files: ["both.txt", "price.txt"],
  urls: ["", "price", "price/below", "paid", "paid/paid-page"],
  redirects: ["price", "below", "paid", "open"]
}

const staff = {
  ...everyone,
  sections: ["Guide", "Internal"],
  spaces: ["guide", "internal"],
  urls: ["", "internal", "internal/inside"],
  redirects: ["internal", "open"]
}

const beta = {
  sections: ["Guide", "Lab"],
  spaces: ["guide", "lab"],
  tree: ["Open", "Old", "New", "Preview"],
  below: ["Old", "New"],
  files: ["both.txt"],
  urls: ["", "preview", "open/new", "lab"],
  redirects: ["lab", "open"]
}

onEachAdapter("Adaptive content", (it) => {
  const withClaims = (site: Made, claims: Record<string, unknown>) =>
    Effect.map(goodToken(site.id, claims), (jwtToken) => ({ visitor: { jwtToken } }))

  it.effect("shows each visitor what is for it, in turn", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const kinds = [
        [{}, everyone],
        [yield* withClaims(site, { plan: "pro" }), pro],
        [{ query: "?visitor.beta=true" }, beta],
        [yield* withClaims(site, { staff: true }), staff],
        [{ visitor: { unsignedClaims: { beta: true } } }, beta],
        [yield* withClaims(site, { plan: "free", staff: "true" }), everyone],
        // What anyone may say stands where nothing signed does.
        [{ query: "?visitor.plan=pro&visitor.staff=true" }, everyone],
        [{ visitor: { unsignedClaims: { plan: "pro", staff: true } } }, everyone],
        [yield* withClaims(site, { unsigned: { beta: true } }), everyone],
        // The URL counts before the cookie.
        [{ query: "?visitor.beta=false", visitor: { unsignedClaims: { beta: true } } }, everyone]
      ] as const
      for (const turn of ["first", "again"]) {
        for (const [kind, expected] of kinds) {
          assert.deepStrictEqual(yield* seen(site, kind), expected, `${turn}: ${JSON.stringify(kind)}`)
        }
      }
      const all = yield* seen(site, {
        ...(yield* withClaims(site, { plan: "pro", staff: true })),
        query: "?visitor.beta=true"
      })
      assert.deepStrictEqual(all.sections, ["Guide", "Internal", "Lab"])
      assert.deepStrictEqual(all.tree, ["Open", "Old", "New", "Price", "Below", "Preview"])
    })
  )

  it.effect("shows members all there is to work on, and what is published as nobody sees it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const site = yield* makeSite
      const path = yield* pathOfSite(site.id)
      for (const person of ["admin", "read"] as const) {
        const structure = yield* call(person, "GET", `${path}/structure`).pipe(json(200))
        assert.deepStrictEqual(
          structure.structure.map(({ title }: Tree) => title),
          ["Guide", "Internal", "Lab"]
        )
        assert.strictEqual((yield* call(person, "GET", `${path}/site-spaces`).pipe(json(200))).count, 4)
        const tree = yield* call(person, "GET", `/v1/spaces/${site.spaces.guide}/content/pages`).pipe(json(200))
        assert.lengthOf(titlesIn(tree.pages), 6)
        const { structure: published } = yield* call(person, "GET", `${path}/published`).pipe(json(200))
        const anonymous = yield* resolve(site.base)
        const theirs = yield* reading(anonymous.apiToken, `${path.slice(3)}/published`).pipe(json(200))
        assert.deepStrictEqual(
          published.structure.map(({ title }: Tree) => title),
          ["Guide"]
        )
        assert.deepStrictEqual(
          published.structure[0].siteSpaces.map(({ id }: { id: string }) => id),
          theirs.structure.structure[0].siteSpaces.map(({ id }: { id: string }) => id)
        )
      }
    })
  )

  it.effect("tags what differs apart, and tells nobody that it has what another has", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const site = yield* makeSite
      const tokens = [
        (yield* resolve(site.base)).apiToken,
        (yield* resolve(site.base, { jwtToken: yield* goodToken(site.id, { plan: "pro" }) })).apiToken,
        (yield* resolve(`${site.base}?visitor.beta=true`)).apiToken
      ]
      const [, open] = site.pages[0]!
      for (const path of ["", "/pages", `/page/${open}`, "/files"]) {
        const url = `/v1/spaces/${site.spaces.guide}/content${path}`
        const tags = new Map<string, string>()
        for (const token of tokens) {
          const answer = yield* call({ token }, "GET", url).pipe(has(200))
          tags.set(token, answer.headers.get("etag") ?? "")
          assert.strictEqual(answer.headers.get("cache-control"), "private, no-cache")
        }
        const member = (yield* call("read", "GET", url).pipe(has(200))).headers.get("etag") ?? ""
        assert.strictEqual(new Set([...tags.values(), member]).size, tokens.length + 1)
        for (const token of tokens) {
          for (const [holder, tag] of [...tags, ["member", member] as const]) {
            yield* call({ token }, "GET", url, undefined, { "if-none-match": tag }).pipe(
              has(holder === token ? 304 : 200)
            )
          }
        }
      }
    })
  )

  it.effect("takes the next for the default where that is hidden", () =>
    Effect.gen(function* () {
      const [first, second, third] = [
        yield* spaceOf("First", ["One"]),
        yield* spaceOf("Second", ["Two"]),
        yield* spaceOf("Third", ["Three"])
      ] as const
      const site = yield* createSite([first.id, second.id, third.id])
      const base = `http://127.0.0.1:4000/sites/${site.basename}/`
      yield* publishSite(site.id)
      const [root] = yield* siteSpacesOf(site.id)
      const defaults = Effect.fnUntraced(function* (visitor?: Visitor) {
        const place = yield* resolve(base, visitor)
        const list = (query: string) =>
          Effect.flatMap(pathOfSite(site.id), (path) =>
            reading(place.apiToken, `${path.slice(3)}/site-spaces${query}`).pipe(json(200))
          )
        const [shown, others] = [yield* list("?default=true"), yield* list("?default=false")]
        assert.lengthOf(shown.items, 1)
        assert.strictEqual(shown.count + others.count, (yield* list("")).count)
        assert.strictEqual(shown.items[0].space.id, place.space)
        assert.strictEqual(shown.items[0].urls.published, base)
        assert.strictEqual(place.canonicalUrl, base)
        return place.space
      })
      const proToken = { jwtToken: yield* goodToken(site.id, { plan: "pro" }) }
      assert.strictEqual(yield* defaults(), first.id)
      yield* patchSiteSpace(site.id, root!.id, { condition: isPro })
      assert.strictEqual(yield* defaults(), second.id)
      assert.strictEqual(yield* defaults(proToken), first.id)
      // The path of what is first is left out for whom it is first, and leads there for everyone.
      assert.strictEqual((yield* resolve(`${base}two`)).space, second.id)
      assert.strictEqual((yield* resolve(`${base}second/two`)).canonicalUrl, `${base}two`)
      assert.strictEqual((yield* resolve(`${base}second/two`, proToken)).canonicalUrl, `${base}second/two`)
      yield* isNoPage(`${base}two`, proToken)
      yield* isNoPage(`${base}one`)
      yield* isNoPage(`${base}first/one`)

      // The same for sections: the first takes in what stood at the root.
      const section = yield* addSection(site.id, first.id, "Start")
      const next = yield* addSection(site.id, third.id, "Next")
      assert.strictEqual(yield* defaults(), second.id)
      yield* patchSection(site.id, section.id, { condition: isPro })
      assert.strictEqual(yield* defaults(), third.id)
      assert.strictEqual(yield* defaults(proToken), first.id)
      assert.strictEqual((yield* resolve(`${base}next/three`)).canonicalUrl, `${base}three`)
      yield* patchSection(site.id, next.id, { condition: "false" })
      yield* isNowhere(base)
      assert.strictEqual(yield* defaults(proToken), first.id)
      // With nothing behind its condition a section is not there, whatever it is called by.
      yield* patchSection(site.id, section.id, { condition: null })
      yield* patchSection(site.id, next.id, { condition: null })
      for (const { id } of section.siteSpaces) yield* patchSiteSpace(site.id, id, { condition: "false" })
      assert.strictEqual(yield* defaults(), third.id)
      yield* isNoPage(`${base}start`)
    })
  )

  it.effect("opens with the next page where the first is hidden", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* spaceOf("Pages", ["First", "Second"], { First: { condition: isPro } })
      const site = yield* createSite([space.id])
      yield* publishSite(site.id)
      const base = `http://127.0.0.1:4000/sites/${site.basename}/`
      const proToken = { jwtToken: yield* goodToken(site.id, { plan: "pro" }) }
      assert.strictEqual((yield* resolve(base)).page, space.idOf("Second"))
      assert.strictEqual((yield* resolve(base, proToken)).page, space.idOf("First"))
      // A condition is part of the content: it comes and goes with it.
      const set = (page: string, condition: string | null) =>
        publish(space.id, [{ operation: "update_page", page: space.idOf(page), condition }])
      yield* set("First", null)
      assert.strictEqual((yield* resolve(base)).page, space.idOf("First"))
      // One that can't be read comes with Markdown alone, and never holds.
      const unreadable = { markdown: "---\nif: this can't be read\n---\n\nFindable text" }
      yield* publish(space.id, [{ operation: "update_page", page: space.idOf("First"), document: unreadable }])
      assert.strictEqual((yield* resolve(base, proToken)).page, space.idOf("Second"))
      yield* set("First", "!visitor.claims.plan")
      assert.strictEqual((yield* resolve(base, proToken)).page, space.idOf("Second"))
      assert.strictEqual((yield* resolve(base)).page, space.idOf("First"))
      yield* set("First", isPro)
      yield* set("Second", isStaff)
      const place = yield* resolve(base)
      assert.isUndefined(place.page)
      assert.deepStrictEqual(yield* reading(place.apiToken, `/spaces/${space.id}/content/pages`).pipe(json(200)), {
        pages: []
      })
      const nothing = yield* reading(place.apiToken, `/spaces/${space.id}/search?query=findable`).pipe(json(200))
      assert.deepStrictEqual(nothing, { items: [], count: 0 })
      yield* call("read", "GET", `/v1/spaces/${space.id}/content/page/${space.idOf("First")}`).pipe(has(200))
    })
  )

  it.effect("says nothing of a hidden page where another refers to it", () =>
    Effect.gen(function* () {
      const space = yield* createSpace({ title: "Links" })
      const { idOf } = yield* publish(space.id, [
        insertPage("Xylophone", "Hidden text", { condition: isPro }),
        insertPage("Open", "Findable [](/pages/Xylophone) and [there](/pages/Xylophone)")
      ])
      const target = { kind: "page", page: idOf("Xylophone") }
      yield* publish(space.id, [{ operation: "insert_page", type: "link", title: "Leads on", target }])
      const site = yield* createSite([space.id])
      yield* publishSite(site.id)
      const base = `http://127.0.0.1:4000/sites/${site.basename}/`
      const { apiToken } = yield* resolve(`${base}open`)
      const content = `/spaces/${space.id}/content`
      for (const path of [
        content,
        `${content}/pages`,
        `${content}/page/${idOf("Open")}`,
        `${content}/page/${idOf("Open")}?format=document`,
        `/spaces/${space.id}/search?query=findable`
      ]) {
        const { text } = yield* reading(apiToken, path).pipe(has(200))
        assert.notMatch(text, /xylophone|hidden text/i, path)
      }
      yield* reading(apiToken, `${content}/page/${idOf("Xylophone")}`).pipe(refused(404))
    })
  )

  const schema = {
    type: "object",
    properties: {
      plan: { type: "string", description: "Plan", enum: ["free", "pro"] },
      staff: { type: "boolean", description: "Staff" },
      unsigned: {
        type: "object",
        description: "Unsigned claims of the site visitor.",
        properties: { beta: { type: "boolean", description: "Beta" }, level: { type: "number", description: "Level" } },
        additionalProperties: false
      }
    },
    additionalProperties: false
  }

  it.effect("counts of the claims what the schema declares, where there is one", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const idOf = (kind: Kind) =>
        Effect.map(resolve(site.base + (kind.query ?? ""), kind.visitor), ({ contextId }) => contextId)
      const undeclared = yield* withClaims(site, { other: 1 })
      assert.isString(yield* idOf(undeclared))
      yield* ofSite(site.id, "PUT", "/adaptive-schema", { jsonSchema: schema }).pipe(has(200))
      assert.isUndefined(yield* idOf(undeclared))
      assert.isUndefined(yield* idOf({ query: "?visitor.other=1&visitor.beta=perhaps&visitor.level=x" }))
      const proId = yield* idOf(yield* withClaims(site, { plan: "pro" }))
      assert.strictEqual(yield* idOf(yield* withClaims(site, { plan: "pro", staff: "yes", other: [1] })), proId)
      assert.isUndefined(yield* idOf(yield* withClaims(site, { plan: "gold" })))
      assert.isUndefined(yield* idOf(yield* withClaims(site, { plan: ["pro"] })))
      assert.deepStrictEqual(yield* seen(site, yield* withClaims(site, { plan: "pro", staff: "true" })), pro)
      assert.deepStrictEqual(yield* seen(site, { query: "?visitor.beta=true&visitor.other=1" }), beta)
      assert.strictEqual(
        yield* idOf({ query: "?visitor.level=1" }),
        yield* idOf({ visitor: { unsignedClaims: { level: 1 } } })
      )
      yield* ofSite(site.id, "PUT", "/adaptive-schema", {
        jsonSchema: { ...schema, properties: { staff: schema.properties.staff } }
      }).pipe(has(200))
      assert.deepStrictEqual(yield* seen(site, yield* withClaims(site, { plan: "pro" })), everyone)
      assert.deepStrictEqual(yield* seen(site, { query: "?visitor.beta=true" }), everyone)
      assert.deepStrictEqual(yield* seen(site, yield* withClaims(site, { staff: true, plan: "pro" })), staff)
    })
  )

  it.effect("reads no claims where adaptive content is off", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const enabled = Effect.map(
        ofSite(site.id, "GET", "").pipe(json(200)),
        ({ adaptiveContent }) => adaptiveContent.enabled
      )
      assert.isTrue(yield* enabled)
      const before = (yield* resolve(site.base, { jwtToken: yield* goodToken(site.id, { plan: "pro" }) })).apiToken
      yield* patchSite(site.id, { adaptiveContent: { enabled: false } })
      const proKind = yield* withClaims(site, { plan: "pro", staff: true })
      assert.deepStrictEqual(yield* seen(site, proKind), everyone)
      assert.deepStrictEqual(yield* seen(site, { query: "?visitor.beta=true" }), everyone)
      assert.isUndefined((yield* resolve(site.base, proKind.visitor)).contextId)
      // Who came before is told no more than who comes now.
      const tree = yield* reading(before, `/spaces/${site.spaces.guide}/content/pages`).pipe(json(200))
      assert.deepStrictEqual(titlesIn(tree.pages), everyone.tree)
      yield* ofSite(site.id, "PUT", "/adaptive-schema", { jsonSchema: schema }).pipe(has(200))
      assert.isFalse(yield* enabled)
      yield* patchSite(site.id, { adaptiveContent: { enabled: true } })
      assert.deepStrictEqual(yield* seen(site, { query: "?visitor.beta=true" }), beta)
    })
  )

  it.effect("is on once there is something to adapt, unless it was said that it is not", () =>
    Effect.gen(function* () {
      const space = yield* spaceOf("Plain", ["Page"])
      const [plain, conditional] = [yield* createSite([space.id]), yield* createSite([space.id])]
      const enabled = (site: string) =>
        Effect.map(ofSite(site, "GET", "").pipe(json(200)), ({ adaptiveContent }) => adaptiveContent.enabled)
      assert.isFalse(yield* enabled(plain.id))
      yield* ofSite(plain.id, "PUT", "/adaptive-schema", { jsonSchema: schema }).pipe(has(200))
      assert.isTrue(yield* enabled(plain.id))
      const [entry] = yield* siteSpacesOf(conditional.id)
      yield* patchSiteSpace(conditional.id, entry!.id, { condition: "true" })
      assert.isTrue(yield* enabled(conditional.id))
    })
  )

  it.effect("takes claims of any shape and size, and keeps what may be kept", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const much = "x".repeat(3000)
      assert.deepStrictEqual(yield* seen(site, yield* withClaims(site, { plan: "pro", much, more: much })), pro)
      // No visitor can push out what is signed by what is not.
      const crowd = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`c${i}`, "y".repeat(20)]))
      const { visitor } = yield* withClaims(site, { plan: "pro", much })
      const crowded = yield* resolve(`${site.base}price`, { ...visitor, unsignedClaims: { ...crowd, plan: "free" } })
      assert.strictEqual(crowded.space, site.spaces.guide)
      for (const claims of [
        { __proto__: { plan: "pro" } },
        { constructor: 1 },
        { plan: { toString: "pro" } },
        { a: [[[[]]]] }
      ]) {
        assert.deepStrictEqual((yield* seen(site, yield* withClaims(site, claims))).tree, everyone.tree)
      }
      for (const query of [
        "?visitor.=1",
        "?visitor",
        "?visitor..a=1",
        "?visitor.__proto__.beta=true",
        "?visitor.beta=TRUE",
        "?visitor.beta"
      ]) {
        assert.deepStrictEqual((yield* seen(site, { query })).tree, everyone.tree, query)
      }
      const { call } = yield* Harness
      for (const unsignedClaims of [null, "x", [1], 1]) {
        yield* call("outsider", "POST", "/v1/urls/published", { url: site.base, visitor: { unsignedClaims } }).pipe(
          refused(400)
        )
      }
    })
  )

  it.effect("leads to a page where redirects go, for those who see it", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const visitor = { jwtToken: yield* goodToken(site.id, { plan: "pro" }) }
      const expected = { target: "content", redirect: `${site.base}price/below` }
      assert.deepStrictEqual(yield* leadsOn(`${site.base}r/below`, visitor), expected)
      assert.deepStrictEqual(yield* leadsOn(`${site.base}R/BELOW/`, visitor), expected)
      yield* isNoPage(`${site.base}r/below`)
    })
  )
})
