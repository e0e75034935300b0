/**
 * Which URL leads to which page: the paths of sections, site spaces and pages, the addresses of
 * sites, what becomes of the old ones, and URLs that nobody would write.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import {
  addSection,
  addSiteSpace,
  ask,
  createShareLink,
  createSite,
  follow,
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
  publishedSite,
  publishSite,
  reading,
  resolve,
  siteSpacesOf,
  spaceOf
} from "./SiteSteps.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"

const sites = "http://127.0.0.1:4000/sites/"

/** A published site of one space with these pages. */
const siteWith = Effect.fnUntraced(function* (
  pages: ReadonlyArray<string>,
  more: Readonly<Record<string, Record<string, unknown>>> = {}
) {
  const space = yield* spaceOf("Space", pages, more)
  const { id, basename } = yield* publishSite((yield* createSite([space.id])).id)
  return { id, basename, space: space.id, idOf: space.idOf, base: `${sites}${basename}/` }
})

/** Pages of these ids by the paths that they have below the base of a place, for whoever renders it. */
const leadsBack = Effect.fnUntraced(function* (
  { siteSpace, basePath }: { readonly siteSpace: string; readonly basePath: string },
  pages: Readonly<Record<string, string>>
) {
  for (const [path, page] of Object.entries(pages)) {
    const url = `http://127.0.0.1:4000${basePath}${path}`
    const place = yield* resolve(url)
    assert.deepStrictEqual([place.siteSpace, place.page, place.basePath], [siteSpace, page, basePath], url)
  }
})

/** The path of a URL is what is told of it, part by part. */
const fits = (url: string, { basePath, siteBasePath, pathname }: { readonly [part: string]: unknown }) => {
  assert.strictEqual(`${String(basePath).slice(0, -1)}${String(pathname)}`, new URL(url).pathname)
  assert.isTrue(String(basePath).startsWith(String(siteBasePath)))
}

onEachAdapter("Published paths", (it) => {
  it.effect("leads to every page of a space by one base, whatever sections and pages are called", () =>
    Effect.gen(function* () {
      const first = yield* spaceOf("First", ["Home", "Guides", "V2"], { V2: { slug: "v2" } })
      const variant = yield* spaceOf("V2", ["Home", "V2", "Guides"])
      const guides = yield* spaceOf("Guides", ["Start", "Home", "Guides"])
      const { idOf: idBelow } = yield* publish(first.id, [
        insertPage("Start", "Below", { into: first.idOf("Guides") }),
        insertPage("Only", "Below", { into: first.idOf("Guides") })
      ])
      const site = yield* publishedSite([first.id])
      const root = `${sites}${site.basename}/`
      const section = yield* addSection(site.id, first.id, "First")
      const ofVariant = yield* addSiteSpace(site.id, variant.id, section.id)
      const other = yield* addSection(site.id, guides.id, "Guides")
      const paths = [ofVariant.path, other.path]
      assert.deepStrictEqual(paths, ["v2", "guides"])
      const place = yield* resolve(root)
      const ofFirst = {
        home: first.idOf("Home"),
        guides: first.idOf("Guides"),
        v2: first.idOf("V2"),
        "guides/start": idBelow("Start"),
        "guides/only": idBelow("Only")
      }
      yield* leadsBack(place, ofFirst)
      const { organization } = yield* Harness
      const all = yield* reading(place.apiToken, `/orgs/${organization}/sites/${site.id}/published`).pipe(json(200))
      const told = all.structure.structure.flatMap(
        ({ siteSpaces }: { readonly siteSpaces: ReadonlyArray<any> }) => siteSpaces
      )
      assert.strictEqual(told.length, 3)
      const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        [first.id]: ofFirst,
        [variant.id]: { home: variant.idOf("Home"), v2: variant.idOf("V2"), guides: variant.idOf("Guides") },
        [guides.id]: { start: guides.idOf("Start"), home: guides.idOf("Home"), guides: guides.idOf("Guides") }
      }
      for (const { id, space, urls } of told) {
        const { pathname } = new URL(urls.published)
        yield* leadsBack({ siteSpace: id, basePath: pathname }, pages[space.id]!)
        const of = yield* reading(place.apiToken, `/spaces/${space.id}`).pipe(json(200))
        assert.strictEqual(of.urls.published, urls.published)
        for (const [path, page] of Object.entries(pages[space.id]!)) {
          assert.strictEqual((yield* resolve(`${urls.published}${path}`)).page, page)
        }
      }
      // A page that was found before a section was called as its path begins.
      const led = yield* leadsOn(`${root}guides/only`)
      assert.strictEqual((yield* resolve(led.redirect)).page, idBelow("Only"))
    })
  )

  it.effect("leads from the earlier path of a section to it, until something takes that", () =>
    Effect.gen(function* () {
      const [first, second, third] = [
        yield* spaceOf("First", ["One"]),
        yield* spaceOf("Second", ["Two"]),
        yield* spaceOf("Third", ["Three"])
      ] as const
      const site = yield* createSite([])
      const base = `${sites}${site.basename}/`
      yield* addSection(site.id, first.id, "Start")
      const section = yield* addSection(site.id, second.id, "Guide")
      yield* publishSite(site.id)
      assert.strictEqual((yield* follow(`${base}guide/two`)).redirects, 0)
      yield* patchSection(site.id, section.id, { path: "manual" })
      yield* patchSection(site.id, section.id, { path: "Handbook", title: "Another title" })
      for (const old of ["guide/two", "manual/two", "GUIDE/two", "handbook/TWO"]) {
        const { place, url, redirects } = yield* follow(`${base}${old}?a=1#b`)
        assert.strictEqual(place.page, second.idOf("Two"), old)
        assert.strictEqual(redirects, old.startsWith("handbook") ? 0 : 1)
        if (redirects > 0) assert.strictEqual(url, `${base}Handbook/two?a=1`)
      }
      yield* isNoPage(`${base}guide/three`)
      // The default section has no segment in its paths: the earlier ones still lead there.
      yield* patchSite(site.id, { defaultSiteSection: section.id })
      assert.strictEqual((yield* follow(`${base}guide/two`)).url, `${base}two`)
      assert.strictEqual((yield* follow(`${base}handbook/two`)).place.canonicalUrl, `${base}two`)
      assert.strictEqual((yield* follow(`${base}start/one`)).place.page, first.idOf("One"))
      yield* isNoPage(`${base}one`)
      // Something new takes the path.
      yield* addSection(site.id, third.id, "Guide")
      assert.strictEqual((yield* follow(`${base}guide/three`)).place.space, third.id)
      yield* isNoPage(`${base}guide/two`)
      assert.strictEqual((yield* follow(`${base}manual/two`)).place.space, second.id)
      yield* ofSite(site.id, "DELETE", `/sections/${section.id}`).pipe(has(204))
      yield* isNoPage(`${base}manual/two`)
    })
  )

  it.effect("leads from the earlier path of a site space to it, also when it has gone to another section", () =>
    Effect.gen(function* () {
      const [first, second, third] = [
        yield* spaceOf("First", ["One"]),
        yield* spaceOf("Second", ["Two"]),
        yield* spaceOf("Third", ["Three"])
      ] as const
      const site = yield* createSite([first.id, second.id])
      const base = `${sites}${site.basename}/`
      yield* publishSite(site.id)
      const [, moving] = yield* siteSpacesOf(site.id)
      yield* patchSiteSpace(site.id, moving!.id, { path: "v2" })
      assert.strictEqual((yield* follow(`${base}second/two`)).url, `${base}v2/two`)
      const start = yield* addSection(site.id, first.id, "Start")
      assert.strictEqual((yield* follow(`${base}v2/two`)).place.page, second.idOf("Two"))
      assert.strictEqual((yield* follow(`${base}second/two`)).place.page, second.idOf("Two"))
      const other = yield* addSection(site.id, third.id, "Other")
      const position = { after: { type: "site-space", id: other.siteSpaces[0]!.id } }
      yield* ofSite(site.id, "PATCH", "/structure/sort", {
        item: { type: "site-space", id: moving!.id },
        position
      }).pipe(has(200))
      for (const old of ["v2/two", "second/two", "start/v2/two"]) {
        assert.strictEqual((yield* follow(base + old)).url, `${base}other/v2/two`, old)
      }
      assert.strictEqual(start.siteSpaces.length, 2)
      // What points to another space from now on has that space's pages.
      yield* patchSiteSpace(site.id, moving!.id, { spaceId: first.id })
      assert.strictEqual((yield* follow(`${base}other/v2/one`)).place.space, first.id)
      yield* isNoPage(`${base}v2/two`)
    })
  )

  it.effect("leads from the earlier path of a page to it, until another takes that", () =>
    Effect.gen(function* () {
      const { base, space, idOf } = yield* siteWith(["Home", "Guide", "Setup"])
      const set = (page: string, patch: Record<string, unknown>) =>
        publish(space, [{ operation: "update_page", page: idOf(page), ...patch }])
      yield* set("Setup", { into: idOf("Guide") })
      assert.strictEqual((yield* follow(`${base}setup`)).url, `${base}guide/setup`)
      yield* set("Setup", { slug: "installation" })
      yield* set("Guide", { slug: "manual" })
      for (const old of ["setup", "guide/setup", "Guide/Installation", "manual/setup"]) {
        const { place, redirects, url } = yield* follow(base + old)
        assert.strictEqual(place.page, idOf("Setup"), old)
        assert.strictEqual(redirects, 1)
        assert.strictEqual(url, `${base}manual/installation`)
        fits(url, place)
        const byPath = `/spaces/${space}/content/path/${encodeURIComponent(old)}`
        assert.strictEqual((yield* reading(place.apiToken, byPath).pipe(json(200))).path, "manual/installation")
      }
      const taking = yield* publish(space, [insertPage("Setup again", "", { slug: "setup" })])
      assert.strictEqual((yield* follow(`${base}setup`)).place.page, taking.idOf("Setup again"))
      assert.strictEqual((yield* follow(`${base}guide/setup`)).place.page, idOf("Setup"))
      yield* publish(space, [{ operation: "delete_page", page: idOf("Setup") }])
      yield* isNoPage(`${base}guide/setup`)
    })
  )

  it.effect("leads from the earlier addresses of a site to it, until another site takes them", () =>
    Effect.gen(function* () {
      const one = yield* siteWith(["Home", "Setup"])
      const two = yield* siteWith(["Home", "Setup"])
      const old = one.base
      yield* patchSite(one.id, { basename: "Renamed" })
      const renamed = `${sites}Renamed/`
      assert.deepStrictEqual(yield* leadsOn(`${old}setup?a=1`), { target: "content", redirect: `${renamed}setup?a=1` })
      assert.strictEqual((yield* follow(`${sites}RENAMED/setup`)).place.canonicalUrl, `${sites}RENAMED/setup`)

      yield* patchSite(one.id, { hostname: "docs.one.example.com" })
      const hosted = "https://docs.one.example.com/"
      for (const former of [old, renamed]) {
        const { url, place } = yield* follow(`${former}setup`)
        assert.strictEqual(url, `${hosted}setup`)
        assert.strictEqual(place.basePath, "/")
        fits(url, place)
      }
      assert.strictEqual((yield* follow("HTTPS://DOCS.One.EXAMPLE.com/setup")).place.page, one.idOf("Setup"))
      yield* isNowhere("https://docs.one.example.com./setup")
      yield* isNowhere("https://example.com/setup")
      yield* isNowhere("https://a.docs.one.example.com/setup")

      yield* patchSite(one.id, { hostname: null, proxy: "Example.com/the/Docs" })
      const direct = yield* follow(`${renamed}setup`)
      assert.strictEqual(direct.redirects, 0)
      assert.strictEqual(direct.place.canonicalUrl, "https://Example.com/the/Docs/setup")
      const proxied = yield* follow("https://example.com/The/docs/setup")
      assert.strictEqual(proxied.redirects, 0)
      assert.strictEqual(proxied.place.siteBasePath, "/The/docs/")
      assert.strictEqual((yield* follow(`${hosted}setup`)).place.page, one.idOf("Setup"))
      for (const beside of [
        "",
        "the",
        "the/docs2",
        "the/docs%2Fsetup",
        "the%2Fdocs/setup",
        "docs/setup",
        "other/the/docs"
      ]) {
        yield* isNowhere(`https://example.com/${beside}`)
      }

      yield* patchSite(two.id, { hostname: "docs.one.example.com" })
      assert.strictEqual((yield* follow(`${hosted}setup`)).place.site, two.id)
      yield* patchSite(one.id, { proxy: null })
      yield* patchSite(two.id, { proxy: "example.com/the" })
      assert.strictEqual((yield* follow("https://example.com/the/setup")).place.site, two.id)
      assert.strictEqual((yield* follow(`${renamed}setup`)).place.site, one.id)
      yield* patchSite(two.id, { basename: new URL(old).pathname.split("/")[2] })
      assert.strictEqual((yield* follow(`${old}setup`)).place.site, two.id)
      // A site that is gone leaves nothing behind.
      yield* ofSite(two.id, "DELETE", "").pipe(has(204))
      for (const gone of [old, two.base, hosted, "https://example.com/the/"]) yield* isNowhere(gone)
      const three = yield* siteWith(["Home"])
      yield* patchSite(three.id, { basename: two.basename })
      assert.strictEqual((yield* follow(two.base)).place.site, three.id)
    })
  )

  it.effect("says nothing of where a site has gone to who is not let in", () =>
    Effect.gen(function* () {
      const site = yield* siteWith(["Home"])
      yield* patchSite(site.id, { visibility: "share-link", basename: "secret-name" })
      const link = yield* createShareLink(site.id)
      yield* isNowhere(site.base)
      yield* isNowhere(`${site.base}home`)
      const led = yield* leadsOn(`${site.base}${link.key}/home`)
      assert.strictEqual(led.redirect, `${sites}secret-name/${link.key}/home`)
      assert.strictEqual((yield* follow(led.redirect)).place.canonicalUrl, led.redirect)
      yield* patchSite(site.id, { visibility: "visitor-auth" })
      yield* isNowhere(`${site.base}home`)
      yield* leadsOn(`${site.base}home`, { jwtToken: yield* goodToken(site.id) })
      yield* ofSite(site.id, "POST", "/unpublish").pipe(has(200))
      yield* isNowhere(`${site.base}home`, { jwtToken: yield* goodToken(site.id) })
    })
  )

  it.effect("takes a URL as browsers do, and comes to the page that it spells", () =>
    Effect.gen(function* () {
      const { base, basename, idOf } = yield* siteWith(["Home", "Guide", "Setup", "Über uns", "日本語", "Ünder"], {
        Setup: { into: "Guide" },
        日本語: { slug: "日本語" },
        Ünder: { slug: "Ünder" }
      })
      const spelled: Readonly<Record<string, string>> = {
        [base]: "Home",
        [base.slice(0, -1)]: "Home",
        [`${base}/`]: "Home",
        [`${base}?`]: "Home",
        [`${base}#setup`]: "Home",
        [`http://user:password@127.0.0.1:4000/sites/${basename}/`]: "Home",
        [`http://0x7f.1:4000/sites/${basename}/`]: "Home",
        [`http:\\\\127.0.0.1:4000\\sites\\${basename}\\guide`]: "Guide",
        [`  ${base}guide\t`]: "Guide",
        [`${base}guide/setup`]: "Setup",
        [`${base}guide/setup/`]: "Setup",
        [`${base}/guide///setup//`]: "Setup",
        [`${base}GUIDE/Setup`]: "Setup",
        [`${base}%67uide/%73etup`]: "Setup",
        [`${base}guide/./x/../setup`]: "Setup",
        [`${base}guide/%2e/x/%2E%2e/setup`]: "Setup",
        [`${base}../${basename}/guide/setup`]: "Setup",
        [`${base}ueber-uns`]: "Über uns",
        [`${base}日本語`]: "日本語",
        [`${base}%E6%97%A5%E6%9C%AC%E8%AA%9E`]: "日本語",
        [`${base}%e6%97%a5%e6%9c%ac%e8%aa%9e/`]: "日本語",
        [`${base}Ünder`]: "Ünder",
        [`${base}u%CC%88nder`]: "Ünder"
      }
      for (const [url, page] of Object.entries(spelled)) {
        const { place, redirects } = yield* follow(url)
        assert.strictEqual(place.page, idOf(page), url)
        assert.strictEqual(redirects, 0, url)
        const canonical = yield* resolve(place.canonicalUrl)
        assert.deepInclude(canonical, { page: idOf(page), canonicalUrl: place.canonicalUrl, space: place.space }, url)
        fits(place.canonicalUrl, canonical)
      }
    })
  )

  it.effect("finds nothing where nothing is, however the URL is spelled", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { base, basename } = yield* siteWith(["Home", "Guide", "Setup"], { Setup: { into: "Guide" } })
      const [origin, other] = ["http://127.0.0.1:4000", "http://127.0.0.1:4001"]
      for (const url of [
        origin,
        `${origin}/`,
        sites,
        sites.slice(0, -1),
        `${sites}/${"x".repeat(200)}`,
        `${other}/sites/${basename}/`,
        `http://127.0.0.1/sites/${basename}/`,
        `http://localhost:4000/sites/${basename}/`,
        `http://[::1]:4000/sites/${basename}/`,
        `${origin}/SITES/${basename}/`,
        `${origin}/site/${basename}/`,
        `${sites}%2F${basename}/`,
        `${sites}${basename}%2Fguide`,
        `${base}../guide`,
        `${base}%2e%2e/guide`,
        `${base}%zz`,
        `${base}%`,
        `${base}%E0%A4%A`,
        `${base}%FF%FE`,
        `${base}%ED%A0%80`
      ]) {
        yield* isNowhere(url)
      }
      // Below a site the renderer may have files of its own.
      for (const url of [
        `${base}..%2f${basename}/guide`,
        `${base}guide%2Fsetup`,
        `${base}guide%5Csetup`,
        `${base}guide%00`,
        `${base}%00`,
        `${base}guide%20`,
        `${base}guide/setup/more`,
        `${base}%2567uide`,
        `${base}robots.txt`,
        `${base}guide/setup.md`,
        `${base}guide/~gitbook/pdf`,
        `${base}guide;a=b`,
        `${base}__proto__`,
        `${base}constructor/prototype`,
        `${base}${"a/".repeat(1900)}`,
        `${base}${"%61".repeat(1300)}`,
        `${base}#guide`.replace("#", "%23"),
        `${base}?page`.replace("?", "%3F")
      ]) {
        yield* isNoPage(url)
      }
      const most = base + "x".repeat(4096 - base.length)
      yield* isNoPage(most)
      // A token has a limit of its own.
      yield* isNoPage(`${most.slice(0, -"?jwt_token=".length)}?jwt_token=${"t".repeat(8 * 1024)}`)
      assert.deepInclude(yield* resolve(`${base}Guide/setup.md`), {
        pathname: "/Guide/setup.md",
        basePath: `/sites/${basename}/`
      })
      for (const url of [
        `${most}x`,
        `${most}?jwt_token=t`,
        `${base}?jwt_token=${"t".repeat(16 * 1024)}`,
        "",
        " ",
        "/sites/x",
        `//127.0.0.1:4000/sites/${basename}/`,
        "guide",
        "ftp://127.0.0.1:4000/sites/x/",
        "javascript:alert(1)",
        "file:///sites/x",
        "http://",
        "http://[",
        "http://a b/",
        "http://%00/",
        "http://127.0.0.1:99999/",
        `${base}\u0000`,
        `${base}\ud800`,
        null,
        1,
        [base],
        {}
      ]) {
        const { issues } = yield* call("read", "POST", "/v1/urls/published", { url }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.url", JSON.stringify(url))
      }
      yield* call("read", "POST", "/v1/urls/published", {}).pipe(refused(400))
      yield* call("read", "POST", "/v1/urls/published", { url: base, visitor: { jwtToken: 1 } }).pipe(refused(400))
    })
  )

  it.effect("has one path for each page, which leads to it, whatever sections and pages are called", () =>
    Effect.gen(function* () {
      const names = ["a", "b", "c"]
      const spaces: Array<{ readonly id: string; readonly idOf: (title: string) => string }> = []
      for (const name of names) {
        const space = yield* createSpace({ title: name })
        const top = names.map((title) => insertPage(title, "", { ref: title }))
        const below = names.flatMap((into) =>
          names.map((title) => insertPage(title, "", { into, ref: `${into}/${title}` }))
        )
        spaces.push({ id: space.id, ...(yield* publish(space.id, [...top, ...below])) })
      }
      const site = yield* createSite([])
      for (const [i, { id }] of spaces.entries()) {
        const section = yield* addSection(site.id, id, names[i] === "a" ? "section" : names[i] === "b" ? "aa" : "cc")
        yield* patchSection(site.id, section.id, { path: names[i] })
        for (const other of spaces) if (other.id !== id) yield* addSiteSpace(site.id, other.id, section.id)
      }
      const { basename } = yield* publishSite(site.id)
      const base = `${sites}${basename}/`
      const places = yield* siteSpacesOf(site.id)
      assert.lengthOf(places, 9)
      const canonical = new Map<string, string>()
      const paths = ["", ...names].flatMap((one) =>
        ["", ...names].flatMap((two) => ["", ...names].map((three) => [one, two, three]))
      )
      for (const first of ["", ...names]) {
        for (const rest of paths) {
          const url = base + [first, ...rest].filter((segment) => segment !== "").join("/")
          const answer = yield* ask(url)
          if (answer.status === 404) continue
          const { place, redirects } = yield* follow(url)
          assert.strictEqual(redirects, 0)
          const is = `${place.siteSpace} ${place.pathname}`
          assert.strictEqual(canonical.get(is) ?? place.canonicalUrl, place.canonicalUrl, url)
          canonical.set(is, place.canonicalUrl)
          const behind = yield* resolve(`http://127.0.0.1:4000${place.basePath.slice(0, -1)}${place.pathname}`)
          assert.deepStrictEqual({ ...behind, complete: place.complete }, place)
        }
      }
      for (const [is, url] of canonical) {
        const place = yield* resolve(url)
        assert.strictEqual(`${place.siteSpace} ${place.pathname}`, is, url)
        assert.strictEqual(place.canonicalUrl, url)
        fits(url, place)
      }
      // Every page of every site space has one: three at the top, nine below, and the space itself.
      assert.strictEqual(canonical.size, 9 * 13)
      for (const { urls, space } of places) {
        assert.deepInclude(yield* resolve(urls.published!), { space: space.id, canonicalUrl: urls.published! })
      }
    })
  )

  it.effect("tells whether a URL could name more of the site", () =>
    Effect.gen(function* () {
      const [first, second, third] = [
        yield* spaceOf("First", ["One"]),
        yield* spaceOf("Second", ["Two"]),
        yield* spaceOf("Third", ["Three"])
      ] as const
      const site = yield* createSite([first.id])
      yield* publishSite(site.id)
      const base = `${sites}${site.basename}/`
      const complete = (path: string) => Effect.map(resolve(base + path), ({ complete }) => complete)
      const are = Effect.fnUntraced(function* (expected: Readonly<Record<string, boolean>>) {
        for (const [path, is] of Object.entries(expected)) assert.strictEqual(yield* complete(path), is, path)
      })
      yield* are({ "": true, one: true, first: true, "first/one": true })
      yield* addSiteSpace(site.id, second.id)
      yield* are({ "": false, one: true, first: true, second: true, "second/two": true, "robots.txt": true })
      const section = yield* addSection(site.id, first.id, "Start")
      yield* are({ "": false, start: false, "start/first": true, first: true, second: true, one: true })
      const other = yield* addSection(site.id, third.id, "Other")
      yield* are({ "": false, start: false, other: true, "other/third": true, "start/second": true })
      // What a visitor doesn't see could not be named.
      yield* patchSiteSpace(site.id, section.siteSpaces[1]!.id, { condition: "false" })
      yield* are({ "": false, start: true })
      yield* patchSection(site.id, other.id, { condition: "false" })
      yield* are({ "": true, start: true })
    })
  )

  it.effect("follows the visibility of a space once someone has set it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [first, second] = [yield* spaceOf("First", ["One"]), yield* spaceOf("Second", ["Two"])] as const
      const made = yield* createSite([first.id, second.id])
      yield* publishSite(made.id)
      const base = `${sites}${made.basename}/`
      const link = yield* createShareLink(made.id)
      const jwtToken = yield* goodToken(made.id)
      const isOpen = Effect.fnUntraced(function* (audience: string, path: string) {
        const url = audience === "share-link" ? link.url : base
        const { status, text } = yield* ask(url + path, { jwtToken })
        return status === 200 && JSON.parse(text).space === first.id
      })
      const audiences = ["public", "unlisted", "share-link", "visitor-auth"]
      for (const audience of audiences) {
        yield* patchSite(made.id, { visibility: audience })
        assert.isTrue(yield* isOpen(audience, "one"), audience)
      }
      const collection = yield* call("admin", "POST", `/v1/orgs/${(yield* Harness).organization}/collections`, {}).pipe(
        json(201)
      )
      yield* call("admin", "POST", `/v1/spaces/${first.id}/move`, { parent: collection.id }).pipe(has(200))
      for (const visibility of ["private", "in-collection", "public", "unlisted", "share-link", "visitor-auth"]) {
        yield* call("admin", "PATCH", `/v1/spaces/${first.id}`, { visibility }).pipe(has(200))
        for (const audience of audiences) {
          yield* patchSite(made.id, { visibility: audience })
          const open = visibility === "public" || visibility === "unlisted" || visibility === audience
          assert.strictEqual(yield* isOpen(audience, "one"), open, `${visibility} on ${audience}`)
          assert.strictEqual(yield* isOpen(audience, ""), open, `${visibility} on ${audience}`)
          const root = yield* resolve(audience === "share-link" ? link.url : base, { jwtToken })
          assert.strictEqual(root.space, open ? first.id : second.id)
          const published = yield* reading(root.apiToken, `${(yield* pathOfSite(made.id)).slice(3)}/published`).pipe(
            json(200)
          )
          assert.lengthOf(published.structure.structure, open ? 2 : 1)
          assert.strictEqual(published.structure.structure[0].default, true)
          yield* reading(root.apiToken, `/spaces/${first.id}`).pipe(has(open ? 200 : 404))
          assert.strictEqual((yield* resolve(root.canonicalUrl, { jwtToken })).space, root.space)
        }
      }
      // With nothing open on it a site has no pages, and its members still see what they work on.
      yield* call("admin", "PATCH", `/v1/spaces/${second.id}`, { visibility: "private" }).pipe(has(200))
      yield* call("admin", "PATCH", `/v1/spaces/${first.id}`, { visibility: "private" }).pipe(has(200))
      yield* patchSite(made.id, { visibility: "public" })
      for (const path of ["", "one", "first", "second/two"]) yield* isNowhere(base + path)
      assert.lengthOf(yield* siteSpacesOf(made.id), 2)
    })
  )

  it.effect("tells a space's own URL where it is published, with the link that opens it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* spaceOf("Space", ["Page"])
      const urlOf = (query = "") =>
        Effect.map(call("read", "GET", `/v1/spaces/${space.id}${query}`).pipe(json(200)), ({ urls }) => urls.published)
      const site = yield* createSite([(yield* spaceOf("Other", ["Page"])).id])
      const hidden = yield* addSection(site.id, space.id, "Hidden")
      const shown = yield* addSection(site.id, space.id, "Shown")
      assert.isUndefined(yield* urlOf())
      yield* publishSite(site.id)
      yield* patchSection(site.id, hidden.id, { condition: "visitor.claims.staff" })
      const url = yield* urlOf()
      // Of what is left the section that shows it is the first.
      assert.strictEqual(url, `${sites}${site.basename}/`)
      assert.strictEqual((yield* resolve(url)).space, space.id)
      yield* patchSection(site.id, shown.id, { condition: "visitor.claims.staff" })
      assert.isUndefined(yield* urlOf())
      yield* patchSection(site.id, shown.id, { condition: null })
      yield* patchSite(site.id, { visibility: "share-link" })
      const link = yield* createShareLink(site.id)
      assert.isUndefined(yield* urlOf())
      assert.isUndefined(yield* urlOf("?shareKey=x"))
      assert.strictEqual(yield* urlOf(`?shareKey=${link.key}`), link.url)
    })
  )

  it.effect("leads where redirects of the site lead, however their paths are written", () =>
    Effect.gen(function* () {
      const site = yield* siteWith(["Home", "Setup"])
      const [entry] = yield* siteSpacesOf(site.id)
      const destination = { kind: "site-page", siteSpaceId: entry!.id, pageId: site.idOf("Setup") }
      const add = (source: string) => ofSite(site.id, "POST", "/redirects", { source, destination })
      for (const source of ["/old/page", "/caf%C3%A9", "/a%20b", "/setup"]) yield* add(source).pipe(has(201))
      const target = `${site.base}setup`
      for (const path of [
        "old/page",
        "OLD/Page/",
        "old//page",
        "ol%64/page",
        "café",
        "caf%c3%a9",
        "a b",
        "a%20b",
        "A%20B?x"
      ]) {
        const { redirect } = yield* leadsOn(site.base + path)
        assert.strictEqual(redirect.replace("?x", ""), target, path)
      }
      for (const taken of ["/OLD/page", "/ol%64/page", "/CAF%c3%a9"]) yield* add(taken).pipe(refused(409))
      for (const bad of ["old", "/", "//old", "/old/", "/a b", "/../x%", "/x?y", "/x#y", "https://example.com/"]) {
        yield* add(bad).pipe(refused(400))
      }
      // What is there counts before it.
      assert.strictEqual((yield* follow(`${site.base}setup`)).redirects, 0)
      yield* publish(site.space, [insertPage("Old"), insertPage("Page", "", { into: "Old" })])
      assert.strictEqual((yield* follow(`${site.base}old/page`)).redirects, 0)
      // And it follows what it leads to.
      yield* publish(site.space, [{ operation: "update_page", page: site.idOf("Setup"), slug: "moved" }])
      assert.strictEqual((yield* leadsOn(`${site.base}café`)).redirect, `${site.base}moved`)
      const { apiToken } = yield* resolve(site.base)
      const path = `${(yield* pathOfSite(site.id)).slice(3)}/redirect?source=`
      for (const source of ["/café", "/caf%C3%A9", "/caf%25C3%25A9", "/CAFÉ"]) {
        const answer = yield* reading(apiToken, path + source).pipe(json(200))
        assert.strictEqual(answer.target, `${site.base}moved`)
      }
      for (const source of ["", "/", "/none", "/%", "caf%C3%A9"])
        yield* reading(apiToken, path + source).pipe(refused(404))
      // A path that a page had before leads on as a redirect does, and before one.
      for (const source of ["/setup", "/SETUP"]) {
        const former = yield* reading(apiToken, path + source).pipe(answers(200, Shapes.RedirectTarget))
        assert.strictEqual(former.target, `${site.base}moved`)
        assert.strictEqual((yield* leadsOn(site.base + source.slice(1))).redirect, former.target)
        assert.deepInclude(former.redirect, { source, draft: false })
        assert.deepInclude(former.redirect.destination, { kind: "site-page", pageId: site.idOf("Setup") })
      }
      yield* publish(site.space, [{ operation: "delete_page", page: site.idOf("Setup") }])
      yield* isNoPage(`${site.base}café`)
      yield* reading(apiToken, `${path}/setup`).pipe(refused(404))
    })
  )
})
