/**
 * A renderer of the hosted service's kind draws a site: it knows nothing but the calls that such a renderer
 * makes, in their order, and the fields that it fails without. It has no token of its own, asks for
 * every prefix of a URL at once, reads revisions by their ids, and finds pages in their trees.
 */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { type Answer, Harness, has, onMemory } from "./Harness.ts"
import { createSpec, processed, specText } from "./OpenApiSteps.ts"
import {
  addSection,
  addSiteSpace,
  createShareLink,
  createSite,
  goodToken,
  ofSite,
  patchSite,
  publishSite,
  type Visitor
} from "./SiteSteps.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"

const Text = Schema.String
const maybe = Schema.optionalKey
const some = Schema.Record(Schema.String, Schema.Unknown)
const list = Schema.Array(Schema.Unknown)
const Colors = Schema.Struct({ light: Text, dark: Text })
/** Fit for `querySelector("#" + id)`. */
const Id = Text.check(Schema.isPattern(/^[A-Za-z][\w-]*$/))

const Place = Schema.Struct({
  organization: Id,
  site: Id,
  siteSection: maybe(Id),
  siteSpace: Id,
  space: Id,
  apiToken: Text.check(Schema.isPattern(/^[\w-]+\.[\w-]+\.[\w-]+$/)),
  pathname: Text,
  canonicalUrl: Text,
  basePath: Text,
  siteBasePath: Text,
  complete: Schema.Boolean,
  shareKey: maybe(Text)
})
type Place = typeof Place.Type
const Redirect = Schema.Struct({ target: Schema.Literals(["content", "application", "external"]), redirect: Text })

const SiteSpace = Schema.Struct({
  id: Id,
  title: Text,
  path: Text,
  default: Schema.Boolean,
  urls: Schema.Struct({ published: Text }),
  space: Schema.Struct({ id: Id, revision: Id })
})
const Section = Schema.Struct({
  object: Schema.Literal("site-section"),
  id: Id,
  title: Text,
  path: Text,
  default: Schema.Boolean,
  urls: Schema.Struct({ published: Text }),
  siteSpaces: Schema.Array(SiteSpace)
})
const Look = Schema.Struct({
  styling: Schema.Struct({
    primaryColor: Colors,
    infoColor: Colors,
    warningColor: Colors,
    dangerColor: Colors,
    successColor: Colors,
    font: Schema.Unknown,
    codeTheme: Schema.Struct({ default: Colors, openapi: Colors }),
    sidebar: some
  }),
  internationalization: some,
  favicon: some,
  header: Schema.Struct({ links: list }),
  footer: some,
  themes: some,
  feedback: some,
  ai: some,
  externalLinks: some,
  pagination: some,
  pageActions: Schema.Struct({ items: list }),
  trademark: some,
  privacyPolicy: some,
  socialPreview: some,
  socialAccounts: list
})
const Site = Schema.Struct({
  site: Schema.Struct({ id: Id, title: Text, visibility: Text, urls: some }),
  structure: Schema.Union([
    Schema.Struct({ type: Schema.Literal("siteSpaces"), structure: Schema.Array(SiteSpace) }),
    Schema.Struct({ type: Schema.Literal("sections"), structure: Schema.Array(Section) })
  ]),
  customizations: Schema.Struct({ site: Look, siteSpaces: Schema.Record(Schema.String, Look) }),
  scripts: list
})
const Space = Schema.Struct({ id: Id, title: Text, revision: Id, urls: some })

interface Page {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly path?: string
  readonly pages?: ReadonlyArray<Page>
}
const Page: Schema.Codec<Page, unknown> = Schema.Union([
  Schema.Struct({
    id: Id,
    title: Text,
    type: Schema.Literal("document"),
    path: Text,
    layout: some,
    pages: Schema.Array(Schema.suspend((): Schema.Codec<Page, unknown> => Page))
  }),
  Schema.Struct({ id: Id, title: Text, type: Schema.Literal("link"), target: Schema.Struct({ kind: Text }) })
])
/** Groups below others are not drawn. */
const TopPage = Schema.Union([
  Page,
  Schema.Struct({
    id: Id,
    title: Text,
    type: Schema.Literal("group"),
    path: Text,
    pages: Schema.Array(Page)
  })
])
const Revision = Schema.Struct({
  id: Id,
  pages: Schema.Array(TopPage),
  files: Schema.Array(Schema.Struct({ id: Id, name: Text, downloadURL: Text.check(Schema.isPattern(/^https?:/)) })),
  tags: maybe(list),
  urls: some
})
const MetaLinks = Schema.Struct({ canonical: maybe(Schema.Unknown), alternates: maybe(list) })
const Found = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      type: Schema.Literal("space"),
      id: Id,
      score: Schema.Finite,
      pages: Schema.Array(
        Schema.Struct({
          id: Id,
          title: Text,
          path: Text,
          score: Schema.Finite,
          ancestors: list,
          sections: maybe(
            Schema.Array(Schema.Struct({ id: Text, title: Text, path: Text, body: Text, score: Schema.Finite }))
          )
        })
      )
    })
  )
})
const Spec = Schema.Struct({
  filesystem: Schema.Array(Schema.Struct({ isEntrypoint: Schema.Boolean, specification: some })),
  urls: Schema.Struct({ source: Text })
})

const Embed = Schema.Struct({ type: Schema.Literal("link"), title: Text, site: Text })

/** Fields of nodes that such a renderer fails without. */
const broken = (node: any, path: string): ReadonlyArray<string> => {
  if (typeof node !== "object" || node === null) return [`${path}: no node`]
  const wrong: Array<string> = []
  const want = (holds: unknown, what: string) => {
    if (holds !== true) wrong.push(`${path} (${node.type ?? node.object}): ${what}`)
  }
  if (node.object === "text") {
    want(Array.isArray(node.leaves), "leaves")
    for (const leaf of node.leaves ?? []) want(typeof leaf.text === "string" && Array.isArray(leaf.marks), "a leaf")
    return wrong
  }
  if (node.object !== "document" && node.object !== "fragment") want(typeof node.type === "string", "type")
  const type = String(node.type)
  if (/^(document|paragraph|list-|heading-|code)/.test(type)) want(Array.isArray(node.nodes), "nodes")
  if (/^(heading-|images|image$|code)/.test(type)) want(typeof node.data === "object", "data")
  if (type.startsWith("heading-")) want(typeof node.meta?.id === "string", "meta.id")
  if (["link", "image"].includes(type)) want(typeof node.data?.ref?.kind === "string", "data.ref.kind")
  if (type === "hint") want(typeof node.data?.style === "string", "data.style")
  if (["hint", "list-item"].includes(type)) want(node.nodes?.length > 0, "a child")
  for (const [i, child] of [...(node.nodes ?? []), ...(node.fragments ?? [])].entries()) {
    wrong.push(...broken(child, `${path}/${i}`))
  }
  return wrong
}

const blocks = (node: any, type: string): ReadonlyArray<any> =>
  node.type === type ? [node] : (node.nodes ?? []).flatMap((below: unknown) => blocks(below, type))

const flat = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])])

/** Served at the front of a space, or where a group stands. */
const firstDocument = (pages: ReadonlyArray<Page>): Page | undefined =>
  flat(pages).find(({ type }) => type === "document")

const decoded = <S extends Schema.Codec<any, unknown>>(schema: S, { text }: Answer): S["Type"] =>
  Schema.decodeUnknownSync(schema)(JSON.parse(text))

const read = Effect.fnUntraced(function* (token: string, path: string) {
  return yield* (yield* Harness).call({ token }, "GET", `/v1${path}`)
})

interface Led {
  readonly status: number
  readonly to?: string
  readonly place?: Place
  /** Of the page, below the space. */
  readonly path?: string
}

/** A page view: all that was found out for it. */
interface View extends Led {
  readonly profile?: typeof Site.Type
  readonly content?: typeof Revision.Type
  readonly base?: string
  readonly apiToken?: string
  readonly page?: Page
  readonly document?: unknown
}

/** The place that a URL leads to: the answer for its shortest prefix that says it is complete, else that for the whole of it. */
const lookup = Effect.fnUntraced(function* (url: string, visitor: Visitor = {}): Effect.fn.Return<Led, never, Harness> {
  const { call } = yield* Harness
  const { origin, pathname } = new URL(url)
  const segments = pathname.split("/").filter(Boolean)
  const lengths = Array.from({ length: Math.min(segments.length, 4) + 1 }, (_, i) => i)
  const prefixes = lengths.map((length) => ({
    url: `${origin}/${segments.slice(0, length).join("/")}`,
    rest: segments
      .slice(length)
      .map((segment) => `/${segment}`)
      .join("")
  }))
  const answers = yield* Effect.forEach(
    prefixes,
    ({ url }) =>
      call("nobody", "POST", "/v1/urls/published", {
        url,
        visitor: { type: "human", unsignedClaims: {}, ...visitor },
        redirectOnError: false
      }),
    { concurrency: "unbounded" }
  )
  for (const [i, answer] of answers.entries()) {
    const isLast = i === answers.length - 1
    const body = JSON.parse(answer.text)
    if (isLast && answer.status !== 200) return { status: answer.status }
    if (isLast && "redirect" in body) return { status: 307, to: decoded(Redirect, answer).redirect }
    if (answer.status !== 200 || "redirect" in body || !(isLast || body.complete)) continue
    const place = decoded(Place, answer)
    return { status: 200, place, path: (place.pathname.replace(/\/$/, "") + prefixes[i]!.rest).slice(1) }
  }
  return { status: 404 }
})

/** All that a page view of this URL asks for. */
const draw = Effect.fnUntraced(function* (url: string, visitor?: Visitor): Effect.fn.Return<View, never, Harness> {
  const led = yield* lookup(url, visitor)
  if (led.place === undefined || led.path === undefined) return led
  const { organization, site, space, apiToken, shareKey } = led.place
  const query = shareKey === undefined ? "" : `?shareKey=${shareKey}`
  const [about, row] = yield* Effect.all(
    [
      read(apiToken, `/orgs/${organization}/sites/${site}/published${query}`).pipe(has(200)),
      read(apiToken, `/spaces/${space}${query}`).pipe(has(200))
    ],
    { concurrency: "unbounded" }
  )
  const profile = decoded(Site, about)
  const { revision } = decoded(Space, row)
  const base = `/spaces/${space}/revisions/${revision}`
  const content = decoded(Revision, yield* read(apiToken, `${base}?metadata=true`).pipe(has(200)))
  const found = { place: led.place, profile, content, base, apiToken }
  const wanted = decodeURIComponent(led.path)
  const inTree =
    wanted === "" ? firstDocument(content.pages) : flat(content.pages).find(({ path }) => path === wanted.toLowerCase())
  let page = inTree?.type === "group" ? firstDocument(inTree.pages ?? []) : inTree
  if (page === undefined) {
    const source = encodeURIComponent(`/${wanted}`)
    const redirect = yield* read(apiToken, `/orgs/${organization}/sites/${site}/redirect?source=${source}`)
    if (redirect.status === 200) return { status: 307, to: String(JSON.parse(redirect.text).target), ...found }
    assert.strictEqual(redirect.status, 404)
    const byPath = yield* read(apiToken, `${base}/path/${encodeURIComponent(wanted)}`)
    if (byPath.status !== 200) return { status: byPath.status, ...found }
    page = flat(content.pages).find(({ id }) => id === JSON.parse(byPath.text).id)
  }
  if (page === undefined) return { status: 404, ...found }
  const at = `${base}/page/${page.id}`
  decoded(MetaLinks, yield* read(apiToken, `${at}/meta-links`).pipe(has(200)))
  const whole = `${at}/document?evaluated=deterministic-only&dereferenced=reusable-contents`
  const document = JSON.parse((yield* read(apiToken, whole).pipe(has(200))).text)
  assert.deepStrictEqual(broken({ ...document, type: "document" }, page.path ?? ""), [])
  for (const { data } of blocks(document, "embed")) {
    decoded(Embed, yield* read(apiToken, `/spaces/${space}/embed?url=${encodeURIComponent(data.url)}`).pipe(has(200)))
  }
  return { status: 200, page, document, ...found }
})

const markdown = [
  "Some *text*, [a link](https://example.com) and a ![picture](picture.png).",
  "",
  "## A heading",
  "",
  "* ",
  "* one",
  "* [ ] task",
  "",
  "1. first",
  "",
  "```js",
  "const a = 1",
  "```",
  "",
  '{% hint style="info" %}',
  "",
  "{% endhint %}",
  "",
  '{% embed url="https://example.com/video" %}',
  "",
  "| a | b |",
  "| - | - |",
  "| 1 | 2 |",
  "",
  '{% include "/reusable-contents/Note" %}'
].join("\n")

const makeSpace = Effect.fnUntraced(function* (title: string, word: string) {
  const { id } = yield* createSpace({ title })
  const { idOf, insertedFiles } = yield* publish(id, [
    { operation: "insert_files", files: [{ name: "picture.png", ref: "picture", base64: btoa("\x89PNG\r\n\x1a\n") }] },
    { operation: "upsert_reusable_content", ref: "Note", title: "Note", document: { markdown: `Included ${word}` } },
    insertPage("Home", markdown.replace("picture.png", "/files/picture")),
    { operation: "insert_page", type: "group", title: "Guides", ref: "Guides" },
    insertPage("Install", `Install the ${word}.\n\n## Steps\n\nFirst.`, { into: "Guides" }),
    { operation: "insert_page", type: "group", title: "More", into: "Guides", ref: "More" },
    insertPage("Deep", "Deep text", { into: "More" }),
    insertPage("Mixed", "Mixed case", { into: "Install", slug: "Mixed-Case" }),
    { operation: "insert_page", type: "link", title: "Out", target: { kind: "url", url: "https://example.com" } }
  ])
  return { id, idOf, file: insertedFiles![0]!.id }
})

onMemory("A renderer of the hosted service's kind", (it) => {
  it.effect("draws every page of a site with sections and variants, its files, and what it finds", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [guide, german, reference] = [
        yield* makeSpace("Guide", "gateway"),
        yield* makeSpace("Anleitung", "gateway"),
        yield* makeSpace("Reference", "door")
      ] as const
      const { id, basename } = yield* publishSite((yield* createSite([guide.id])).id)
      const root = `http://127.0.0.1:4000/sites/${basename}`
      // As a site of one space, of variants, and of sections.
      const alone = yield* draw(root)
      assert.deepInclude([alone.status, alone.page?.title], "Home")
      const section = yield* addSection(id, guide.id, "Guide")
      yield* addSiteSpace(id, german.id, section.id)
      yield* addSection(id, reference.id, "Reference")
      yield* ofSite(id, "POST", "/redirects", {
        source: "/old",
        destination: { kind: "site-page", siteSpaceId: section.siteSpaces[0]!.id, pageId: guide.idOf("Install") }
      }).pipe(has(201))
      const { profile, apiToken, place } = yield* draw(root)
      const { structure } = profile!.structure
      const drawn: Array<string> = []
      const pictures: Array<string> = []
      for (const { urls, space } of structure.flatMap((one) => ("siteSpaces" in one ? one.siteSpaces : [one]))) {
        const content = decoded(Revision, yield* read(apiToken!, `/spaces/${space.id}/revisions/${space.revision}`))
        for (const { path, id: page, type } of flat(content.pages)) {
          if (path === undefined) continue
          const view = yield* draw(`${urls.published.replace(/\/$/, "")}/${path}`)
          assert.strictEqual(view.status, 200, path)
          if (type === "document") assert.strictEqual(view.page?.id, page, path)
          drawn.push(`${view.place!.basePath}${path}`)
        }
        assert.strictEqual(content.files.length, 1)
        pictures.push(...content.files.map(({ downloadURL }) => downloadURL))
      }
      assert.strictEqual(drawn.length, 18)
      const [home] = [yield* draw(root)]
      assert.include(JSON.stringify(home.document), "Included gateway")
      // Its own files below the site, nothing, and what leads on.
      for (const own of ["robots.txt", "guides/install.md", "reference/~gitbook/pdf"]) {
        assert.strictEqual((yield* lookup(`${root}/${own}`)).status, 200, own)
      }
      assert.strictEqual((yield* draw(`${root}/none`)).status, 404)
      assert.deepInclude(yield* lookup(`${root}/old`), { status: 307 })
      yield* publish(guide.id, [{ operation: "update_page", page: guide.idOf("Install"), slug: "set-up" }])
      assert.strictEqual((yield* draw(`${root}/guides/set-up`)).page?.title, "Install")
      // Search, what visitors do, and pages as Markdown.
      const ofThis = `/orgs/${place!.organization}/sites/${id}`
      for (const scope of [
        { mode: "all" },
        { mode: "current", siteSpaceId: place!.siteSpace },
        { mode: "specific", siteSpaceIds: [place!.siteSpace] },
        { scope: { mode: "default", currentSiteSpace: place!.siteSpace } }
      ]) {
        const body = { query: "gateway", ...scope }
        const found = decoded(
          Found,
          yield* call({ token: apiToken! }, "POST", `/v1${ofThis}/search`, body).pipe(has(200))
        )
        assert.include(
          found.items.map(({ id }) => id),
          guide.id
        )
      }
      const location = {
        url: root,
        siteSection: null,
        siteSpace: null,
        siteShareKey: null,
        space: null,
        revision: null
      }
      const session = { visitorId: "v", sessionId: "s", cookies: {}, userAgent: "x", language: "en", referrer: null }
      yield* call("nobody", "POST", `/v1${ofThis}/insights/events`, {
        events: [
          { type: "page_post_feedback", feedback: { rating: "good" }, session, location: { ...location, page: null } }
        ]
      }).pipe(has(204))
      const now = yield* draw(root)
      const asText = `${now.base}/page/${now.page!.id}?format=markdown&format.markdown.refs=stable`
      assert.property(JSON.parse((yield* read(now.apiToken!, asText).pipe(has(200))).text), "markdown")
      // A revision is kept for good.
      yield* TestClock.adjust("30 days")
      for (const picture of pictures) yield* call("nobody", "GET", picture).pipe(has(200))
    })
  )

  it.effect("draws sites for those who are let in, and sends others to sign on", () =>
    Effect.gen(function* () {
      const { id: space } = yield* makeSpace("Guide", "gateway")
      const { id, basename } = yield* publishSite((yield* createSite([space], { visibility: "share-link" })).id)
      const root = `http://127.0.0.1:4000/sites/${basename}`
      const link = yield* createShareLink(id)
      assert.strictEqual((yield* draw(root)).status, 404)
      const shared = yield* draw(`${link.url}guides/install`)
      assert.deepStrictEqual([shared.status, shared.page?.title], [200, "Install"])
      yield* patchSite(id, { visibility: "visitor-auth" })
      yield* ofSite(id, "PATCH", "/publishing/auth", { fallbackURL: "https://login.example.com/" }).pipe(has(200))
      const sent = yield* draw(`${root}/guides/install`)
      assert.strictEqual(sent.status, 307)
      assert.match(sent.to ?? "", /^https:\/\/login\.example\.com\//)
      const signedOn = yield* draw(`${root}/guides/install`, { jwtToken: yield* goodToken(id) })
      assert.deepStrictEqual([signedOn.status, signedOn.page?.title], [200, "Install"])
    })
  )

  it.effect("draws a page for each operation of a spec, and reads the spec", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const spec = yield* createSpec("zoo", specText("Zoo"))
      yield* processed(spec.id)
      yield* call("admin", "PATCH", `/v1/orgs/${organization}/openapi/zoo`, { visibility: "public" }).pipe(has(200))
      const { id: space } = yield* createSpace({ title: "Zoo" })
      const dependencies = { spec: { ref: { kind: "openapi", spec: "zoo" } } }
      const computed = { type: "builtin:openapi", dependencies, props: { models: true } }
      yield* publish(space, [
        insertPage("Home", "Welcome"),
        { operation: "insert_page", type: "computed", title: "API", computed }
      ])
      const { basename } = yield* publishSite((yield* createSite([space])).id)
      const root = `http://127.0.0.1:4000/sites/${basename}`
      const { content, apiToken } = yield* draw(root)
      const pages = flat(content!.pages)
      assert.isAbove(pages.length, 1)
      for (const { path, id } of pages) assert.strictEqual((yield* draw(`${root}/${path}`)).page?.id, id, path)
      const answer = yield* read(apiToken!, `/orgs/${organization}/openapi/zoo/versions/latest/content`).pipe(has(200))
      const { urls } = decoded(Spec, answer)
      yield* call("nobody", "GET", urls.source).pipe(has(200))
    })
  )
})
