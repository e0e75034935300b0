/**
 * Files as visitors are given them: by a URL that needs no token, and is good for as long as who comes in
 * the same way may read the file. A page that a renderer keeps goes on to show its pictures, and what is
 * taken back is gone.
 */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { SpaceId } from "@lectern/core/space/Space"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Audience, audiences } from "./AudienceSites.ts"
import { Harness, has, onMemory, refused } from "./Harness.ts"
import {
  addSection,
  addSiteSpace,
  createShareLink,
  createSite,
  goodToken,
  json,
  ofSite,
  patchSection,
  patchSite,
  publishSite,
  reading,
  resolve,
  siteSpacesOf,
  type Visitor
} from "./SiteSteps.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"

const png = btoa("\x89PNG\r\n\x1a\n")
const ofPlan = (plan: string) => `visitor.claims.plan == "${plan}"`
const sees = (condition: string, file: string) => `{% if ${condition} %}\n![](/files/${file})\n{% endif %}`

/** A published site whose pages show a picture to all, others by plan, and one to nobody. */
const makeSite = Effect.fnUntraced(function* (visibility: Audience) {
  const { id: space } = yield* createSpace({ title: "Guide" })
  const names = ["all.png", "pro.png", "page.png", "unused.png"]
  const { idOf } = yield* publish(space, [
    { operation: "insert_files", files: names.map((name) => ({ name, ref: name, base64: png })) },
    insertPage("Home", `![](/files/all.png)\n\n${sees(ofPlan("pro"), "pro.png")}`),
    insertPage("Plans", "![](/files/page.png)", { condition: ofPlan("pro") })
  ])
  const { id } = yield* createSite([space], { visibility })
  const { basename } = yield* publishSite(id)
  return { id, space, idOf, url: `http://127.0.0.1:4000/sites/${basename}/`, link: yield* createShareLink(id) }
})
type Made = Effect.Success<ReturnType<typeof makeSite>>

/** The URLs of the files that a visitor with these claims is told of, by their names. */
const filesFor = Effect.fnUntraced(function* ({ id, space, url, link }: Made, audience: Audience, claims = {}) {
  const visitor: Visitor =
    audience === "visitor-auth" ? { jwtToken: yield* goodToken(id, claims) } : { unsignedClaims: claims }
  const { apiToken } = yield* resolve(audience === "share-link" ? link.url : url, visitor)
  const { files } = yield* reading(apiToken, `/spaces/${space}/content`).pipe(json(200))
  const found: Record<string, string> = {}
  for (const { name, downloadURL } of files) found[name] = downloadURL
  for (const { id: file, name } of files) {
    const alone = yield* reading(apiToken, `/spaces/${space}/content/files/${file}`).pipe(json(200))
    assert.strictEqual(alone.downloadURL, found[name])
  }
  return found
})

/** The files of a space by their names. */
const idsOf = Effect.fnUntraced(function* (space: string) {
  const { call } = yield* Harness
  const { items } = yield* call("admin", "GET", `/v1/spaces/${space}/content/files`).pipe(json(200))
  const ids: Record<string, string> = {}
  for (const { name, id } of items) ids[name] = id
  return ids
})

const asked = Effect.fnUntraced(function* (url: string, headers?: Record<string, string>) {
  const { call } = yield* Harness
  return yield* call("nobody", "GET", url, undefined, headers)
})
const isThere = (url: string) => asked(url).pipe(has(200))
const isGone = (url: string) => asked(url).pipe(refused(404))

onMemory("Published files", (it) => {
  it.effect.each(audiences)("are there without a token for as long as they are published: %s", (audience) =>
    Effect.gen(function* () {
      const site = yield* makeSite(audience)
      const files = yield* filesFor(site, audience)
      assert.deepStrictEqual(Object.keys(files), ["all.png"])
      const url = files["all.png"]!
      const first = yield* isThere(url)
      assert.strictEqual(first.text.slice(1, 4), "PNG")
      const isOpen = audience === "public" || audience === "unlisted"
      assert.match(first.headers.get("cache-control") ?? "", isOpen ? /^public, / : /^private, /)
      assert.strictEqual(first.headers.get("content-security-policy"), "default-src 'none'; sandbox")
      assert.strictEqual(first.headers.get("content-type"), "image/png")
      yield* asked(url, { "if-none-match": first.headers.get("etag")! }).pipe(has(304))
      yield* asked(url, { range: "bytes=1-3" }).pipe(has(206))
      // A page that was drawn long ago, and content that has changed since.
      yield* publish(site.space, [insertPage("More")])
      yield* TestClock.adjust("400 days")
      yield* isThere(url)
      assert.deepStrictEqual(yield* filesFor(site, audience), files)
    })
  )

  const plans = { plan: "pro" }
  const claiming = ["public", "visitor-auth"] as const
  it.effect.each(claiming)("are there for the claims that show them: %s", (audience) =>
    Effect.gen(function* () {
      const site = yield* makeSite(audience)
      const condition = `visitor.claims${audience === "visitor-auth" ? "" : ".unsigned"}.plan == "pro"`
      const ids = yield* idsOf(site.space)
      yield* publish(site.space, [
        { operation: "update_page", page: site.idOf("Plans"), condition },
        {
          operation: "update_page",
          page: site.idOf("Home"),
          document: { markdown: `![](/files/${ids["all.png"]})\n\n${sees(condition, ids["pro.png"]!)}` }
        }
      ])
      const [unknown, free, pro, other] = [
        yield* filesFor(site, audience),
        yield* filesFor(site, audience, { plan: "free", email: "reader@example.com" }),
        yield* filesFor(site, audience, plans),
        yield* filesFor(site, audience, { ...plans, name: "Bob" })
      ] as const
      // One URL for all who see it without claims; those of others hold theirs, and don't tell them.
      assert.deepStrictEqual(free, unknown)
      assert.deepStrictEqual(Object.keys(pro).sort(), ["all.png", "page.png", "pro.png"])
      assert.strictEqual(pro["all.png"], unknown["all.png"])
      assert.deepStrictEqual(yield* filesFor(site, audience, plans), pro)
      for (const name of ["page.png", "pro.png"]) {
        assert.notStrictEqual(pro[name], other[name])
        assert.notMatch(pro[name]! + other[name]!, /Bob|plan|Qm9i|cGxhb/)
        assert.match((yield* isThere(pro[name]!)).headers.get("cache-control") ?? "", /^private, /)
        yield* isThere(other[name]!)
        // What is for some claims alone isn't there without them.
        const bare = new URL(pro[name]!)
        bare.searchParams.delete("claims")
        yield* isGone(bare.href)
        const ofAll = new URL(unknown["all.png"]!)
        yield* isGone(pro[name]!.replace(/\?.*/, ofAll.search))
      }
      const never = 'visitor.claims.plan == "nobody"'
      yield* publish(site.space, [{ operation: "update_page", page: site.idOf("Plans"), condition: never }])
      yield* isGone(pro["page.png"]!)
      yield* isThere(pro["pro.png"]!)
      // Where nobody's claims are asked for, what they showed is hidden.
      yield* patchSite(site.id, { adaptiveContent: { enabled: false } })
      yield* isGone(pro["pro.png"]!)
      yield* isThere(pro["all.png"]!)
    })
  )

  it.effect("are gone with whatever they were published by, and come back with it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const site = yield* makeSite("share-link")
      const { id, space, link, idOf } = site
      const condition = '"x" in visitor.claims'
      const section = yield* addSection(id, space, "Guide")
      const hidden = yield* createSpace({ title: "Other" })
      yield* addSection(id, hidden.id, "Other")
      const ids = yield* idsOf(space)
      const shown = { markdown: `![](/files/${ids["all.png"]})` }
      const others = yield* makeSite("share-link")
      const toOther = (yield* filesFor(others, "share-link"))["all.png"]!
      const url = (yield* filesFor(site, "share-link"))["all.png"]!
      const changes: ReadonlyArray<
        readonly [string, Effect.Effect<unknown, unknown, any>, Effect.Effect<unknown, unknown, any>]
      > = [
        ["unpublished", ofSite(id, "POST", "/unpublish"), publishSite(id)],
        [
          "its share link is closed",
          ofSite(id, "PATCH", `/share-links/${link.id}`, { active: false }),
          ofSite(id, "PATCH", `/share-links/${link.id}`, { active: true })
        ],
        [
          "for those who signed on",
          patchSite(id, { visibility: "visitor-auth" }),
          patchSite(id, { visibility: "share-link" })
        ],
        [
          "the section is hidden",
          patchSection(id, section.id, { condition }),
          patchSection(id, section.id, { condition: null })
        ],
        [
          "the page no longer shows it",
          publish(space, [{ operation: "update_page", page: idOf("Home"), document: { markdown: "None" } }]),
          publish(space, [{ operation: "update_page", page: idOf("Home"), document: shown }])
        ],
        [
          "the page is for others",
          publish(space, [{ operation: "update_page", page: idOf("Home"), condition }]),
          publish(space, [{ operation: "update_page", page: idOf("Home"), condition: null }])
        ],
        [
          "the space is private",
          call("admin", "PATCH", `/v1/spaces/${space}`, { visibility: "private" }),
          call("admin", "PATCH", `/v1/spaces/${space}`, { visibility: "share-link" })
        ],
        [
          "the space is in the trash",
          call("admin", "DELETE", `/v1/spaces/${space}`),
          call("admin", "POST", `/v1/spaces/${space}/restore`)
        ]
      ]
      yield* isThere(url)
      for (const [what, away, back] of changes) {
        yield* away
        assert.strictEqual((yield* asked(url)).status, 404, what)
        yield* isThere(toOther)
        yield* back
        assert.strictEqual((yield* asked(url)).status, 200, `no longer: ${what}`)
      }
      yield* ofSite(id, "DELETE", `/share-links/${link.id}`).pipe(has(204))
      yield* isGone(url)
      // The same file by another link is another URL.
      const again = { ...site, link: yield* createShareLink(id) }
      const renewed = (yield* filesFor(again, "share-link"))["all.png"]!
      assert.notStrictEqual(renewed, url)
      yield* isThere(renewed)
      const { id: siteSpace } = (yield* siteSpacesOf(id)).find((one) => one.space.id === space)!
      yield* ofSite(id, "DELETE", `/site-spaces/${siteSpace}`)
      yield* isGone(renewed)
      yield* call("admin", "DELETE", `/v1/orgs/${(yield* Harness).organization}/sites/${others.id}`).pipe(has(204))
      yield* isGone(toOther)
    })
  )

  it.effect("are gone when the key is replaced that their visitor signed on with", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("visitor-auth")
      const url = (yield* filesFor(site, "visitor-auth"))["all.png"]!
      yield* isThere(url)
      yield* ofSite(site.id, "POST", "/publishing/auth/regenerate").pipe(has(200))
      yield* isGone(url)
      yield* isThere((yield* filesFor(site, "visitor-auth"))["all.png"]!)
    })
  )

  it.effect("are not there by a URL that was changed in any part", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("public")
      yield* addSiteSpace(site.id, (yield* createSpace({ title: "Second" })).id)
      const other = yield* makeSite("public")
      const url = new URL((yield* filesFor(site, "public"))["all.png"]!)
      const theirs = new URL((yield* filesFor(other, "public"))["all.png"]!)
      const [parts, otherParts] = [url.pathname.split("/"), theirs.pathname.split("/")]
      const ids = yield* idsOf(site.space)
      const wrong = parts.flatMap((part, i) =>
        [part === otherParts[i] ? `${part}x` : otherParts[i]!, ids["pro.png"]!].map(
          (changed) => `${url.origin}${parts.with(i, changed).join("/")}${url.search}`
        )
      )
      for (const href of wrong.slice(4)) assert.notStrictEqual((yield* asked(href)).status, 200, href)
      for (const [name, value] of [
        ["via", "link:x"],
        ["via", ""],
        ["claims", "x"],
        ["claims", "1.aaaaaaaa.AAAA"],
        ["signature", url.searchParams.get("signature")!.slice(1)],
        ["signature", ""],
        ["signature", theirs.searchParams.get("signature")!]
      ] as const) {
        const changed = new URL(url)
        changed.searchParams.set(name, value)
        yield* isGone(changed.href)
      }
      const bare = new URL(url)
      bare.search = ""
      yield* asked(bare.href).pipe(refused(400))
      yield* isThere(url.href)
    })
  )

  it.effect("lead on to what a file holds now", () =>
    Effect.gen(function* () {
      const { id: space } = yield* createSpace({ title: "Guide" })
      const put = Effect.fnUntraced(function* (text: string) {
        const files = [
          Folder.file("README.md", '# Start\n\n{% file src=".gitbook/assets/a.txt" %}\n'),
          Folder.file(".gitbook/assets/a.txt", text)
        ]
        yield* (yield* FolderImports)
          .importFolder(SpaceId.make(space), { files })
          .pipe(Effect.provideService(CurrentActor, host), Effect.orDie)
      })
      yield* put("before")
      const { id } = yield* createSite([space])
      const { basename } = yield* publishSite(id)
      const { apiToken } = yield* resolve(`http://127.0.0.1:4000/sites/${basename}/`)
      const listed = reading(apiToken, `/spaces/${space}/content/files`).pipe(json(200))
      const [before] = (yield* listed).items
      assert.strictEqual((yield* isThere(before.downloadURL)).text, "before")
      yield* put("after")
      const [after] = (yield* listed).items
      assert.deepStrictEqual([after.id, after.name], [before.id, before.name])
      assert.strictEqual((yield* isThere(after.downloadURL)).text, "after")
      const led = yield* asked(before.downloadURL).pipe(has(307))
      assert.strictEqual(led.headers.get("location"), after.downloadURL)
      yield* ofSite(id, "POST", "/unpublish").pipe(has(200))
      yield* isGone(before.downloadURL)
    })
  )
})
