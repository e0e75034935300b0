/** Uploaded files: announced, put, read by everyone, and what uses them: fonts, sites and logos. Imports have their own. */
import { assert, type Vitest } from "@effect/vitest"
import { Storage } from "@lectern/core/storage/Storage"
import { removeUnusedUploads } from "@lectern/core/upload/UploadRetention"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { createSite, ofSite } from "../SiteSteps.ts"
import { type Answer, answers, Harness, has, type Person, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace } from "../Steps.ts"

const png = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (char) => char.charCodeAt(0)
)

type Kind = "customization_font" | "import_file" | "organization_file"

const announce = Effect.fnUntraced(function* (kind: Kind, name: string, size: number, by: Person = "create") {
  const { call, organization } = yield* Harness
  return yield* call(by, "POST", `/v1/orgs/${organization}/storage/upload`, {
    file: { name, type: "application/x-whatever", size },
    kind
  })
})

const begin = (kind: Kind, name: string, size: number) =>
  announce(kind, name, size).pipe(answers(201, Shapes.BegunUpload))

const put = Effect.fnUntraced(function* (url: string, bytes: Uint8Array, type = "image/whatever") {
  return yield* (yield* Harness).call("nobody", "PUT", url, bytes, { "content-type": type })
})

export const upload = Effect.fnUntraced(function* (kind: Kind, name: string, bytes: Uint8Array) {
  const { url, key } = yield* begin(kind, name, bytes.length)
  const file = yield* put(url, bytes).pipe(answers(200, Shapes.StoredFile))
  assert.strictEqual(file.key, key)
  return file
})

const sweep = Effect.gen(function* () {
  const handler = yield* removeUnusedUploads
  yield* handler.run({ payload: {} } as never) as Effect.Effect<void>
})

const isThere = Effect.fnUntraced(function* (url: string) {
  const { status }: Answer = yield* (yield* Harness).call("nobody", "GET", url)
  return status === 200
})

const Definition = Schema.Struct({ styling: Schema.Struct({ font: Schema.Unknown }) })

export const uploadOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("takes in a picture that everyone may see, by its signed URL alone", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { url, key } = yield* begin("organization_file", "Löwe.png", png.length)
      // Not there before its bytes are.
      yield* put(
        url.replace(/(?<=signature=)./, (first) => (first === "0" ? "1" : "0")),
        png
      ).pipe(refused(404))
      yield* put(url.replace(key, `${key}x`), png).pipe(refused(404))
      yield* put(url.replace(/\?.*/, ""), png).pipe(refused(404))
      yield* put(url, png.subarray(1)).pipe(refused(400))
      yield* put(url, new TextEncoder().encode("<html>".padEnd(png.length))).pipe(refused(400))
      const file = yield* put(url, png).pipe(answers(200, Shapes.StoredFile))
      assert.deepInclude(file, { key, name: "Löwe.png", contentType: "image/png", size: png.length })
      assert.deepStrictEqual(yield* put(url, png).pipe(answers(200, Shapes.StoredFile)), file)
      const other = png.slice()
      other[png.length - 1] = 0
      yield* put(url, other).pipe(refused(409))
      const headers = { origin: "https://docs.example.com" }
      const shown = yield* call("nobody", "GET", file.urls.public!, undefined, headers).pipe(has(200))
      assert.deepStrictEqual(shown.bytes, png)
      assert.strictEqual(shown.headers.get("content-type"), "image/png")
      assert.strictEqual(shown.headers.get("access-control-allow-origin"), "*")
      assert.include(shown.headers.get("content-security-policy") ?? "", "sandbox")
      assert.match(file.urls.public!, new RegExp(`/v1/orgs/${organization}/storage/files/[\\w-]{43}$`))
      yield* call("admin", "GET", file.urls.public!.slice(0, -1) + "x").pipe(refused(404))
      yield* call("nobody", "GET", file.urls.public!.replace(organization, "other")).pipe(refused(404))
      yield* TestClock.adjust("61 minutes")
      yield* put(url, png).pipe(refused(404))
    })
  )

  it.effect("refuses what is too large, of another kind, or of nobody who may", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      yield* announce("organization_file", "x.png", 5 * 1024 * 1024 + 1).pipe(refused(400))
      yield* announce("import_file", "x.exe", 1).pipe(refused(400))
      yield* announce("import_file", "x.md", 20 * 1024 * 1024 + 1).pipe(refused(400))
      yield* announce("organization_file", "x.png", 0).pipe(refused(400))
      yield* announce("organization_file", "x.png", 1, "review").pipe(refused(403))
      yield* announce("organization_file", "x.png", 1, "outsider").pipe(refused(404))
      const font = yield* begin("customization_font", "x.woff2", png.length)
      yield* put(font.url, png).pipe(refused(400))
      const large = yield* begin("organization_file", "x.png", 5)
      yield* put(large.url, new Uint8Array(20 * 1024 * 1024 + 1)).pipe(refused(413))
      // What is to be imported is nobody's to read.
      const page = new TextEncoder().encode("# Page\n")
      const { urls, ...stored } = yield* upload("import_file", "page.md", page)
      assert.deepStrictEqual(urls, {})
      assert.strictEqual(stored.contentType, "text/markdown")
      const hash = Buffer.from(yield* Effect.promise(() => crypto.subtle.digest("SHA-256", page))).toString("base64url")
      yield* call("admin", "GET", `/v1/orgs/${organization}/storage/files/${hash}`).pipe(refused(404))
    })
  )

  it.effect("makes fonts of uploaded files, which sites are set in and follow", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/fonts`
      const face = Effect.fnUntraced(function* (text: string, weight: number) {
        return {
          weight,
          storageKey: (yield* upload("customization_font", "a.woff2", new TextEncoder().encode(text))).key
        }
      })
      const regular = yield* face("wOF2 regular", 400)
      const bold = yield* face("wOFF bold", 700)
      const create = (fontFaces: ReadonlyArray<unknown>, by: Person = "admin") =>
        call(by, "PUT", path, { fontFamily: "Acme Sans", fontFaces })
      yield* create([bold]).pipe(refused(400))
      yield* create([regular, { ...bold, weight: 400 }]).pipe(refused(400))
      yield* create([]).pipe(refused(400))
      yield* create([{ weight: 400, storageKey: "none" }]).pipe(refused(400))
      const picture = yield* upload("organization_file", "x.png", png)
      yield* create([{ weight: 400, storageKey: picture.key }]).pipe(refused(400))
      yield* create([regular], "create").pipe(refused(403))
      yield* create([regular], "outsider").pipe(refused(404))
      const font = yield* create([bold, regular]).pipe(answers(201, Shapes.Font))
      assert.deepStrictEqual(
        font.fontFaces.map(({ weight, sources }) => [weight, sources[0]?.format]),
        [
          [400, "woff2"],
          [700, "woff"]
        ]
      )
      const one = `${path}/${font.id}`
      assert.deepStrictEqual(yield* call("read", "GET", one).pipe(answers(200, Shapes.Font)), {
        ...font,
        permissions: { edit: false }
      })
      const { items } = yield* call("admin", "GET", path).pipe(answers(200, Shapes.listOf(Shapes.Font)))
      assert.deepStrictEqual(items, [font])
      yield* call("outsider", "GET", path).pipe(refused(404))
      yield* call("admin", "GET", `${path}/none`).pipe(refused(404))

      const { id: space } = yield* createSpace()
      const { id: site } = yield* createSite([space])
      const { permissions: _, ...definition } = font
      const set = yield* ofSite(site, "PUT", "/customization", { styling: { font } }).pipe(answers(200, Definition))
      assert.deepStrictEqual(set.styling.font, definition)
      const changed = yield* call("admin", "POST", one, {
        fontFamily: "Acme",
        fontFaces: [{ weight: 700, storageKey: null }]
      }).pipe(answers(201, Shapes.Font))
      assert.deepInclude(changed, { fontFamily: "Acme", fontFaces: font.fontFaces.slice(0, 1) })
      const { permissions: __, ...followed } = changed
      const now = yield* ofSite(site, "GET", "/customization").pipe(answers(200, Definition))
      assert.deepStrictEqual(now.styling.font, followed)
      yield* call("admin", "POST", one, { fontFaces: [{ weight: 400, storageKey: null }] }).pipe(refused(400))
      yield* call("create", "POST", one, {}).pipe(refused(403))
      yield* call("create", "DELETE", one).pipe(refused(403))
      yield* call("admin", "DELETE", one).pipe(has(205))
      yield* call("admin", "DELETE", one).pipe(has(204))
      yield* call("admin", "GET", one).pipe(refused(404))
      // The site is still set in it, so its file stays.
      yield* TestClock.adjust("25 hours")
      yield* sweep
      assert.isTrue(yield* isThere(changed.fontFaces[0]!.sources[0]!.url))
      assert.isFalse(yield* isThere(font.fontFaces[1]!.sources[0]!.url))
    })
  )

  it.effect("keeps a file for as long as something uses it", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id: site } = yield* createSite([space])
      const picture = Effect.fnUntraced(function* (color: string) {
        const svg = new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" fill="${color}"/>`)
        return (yield* upload("organization_file", "logo.svg", svg)).urls.public!
      })
      const [icon, logo, unused] = [yield* picture("red"), yield* picture("green"), yield* picture("blue")]
      const shown = yield* call("nobody", "GET", icon).pipe(has(200))
      assert.strictEqual(shown.headers.get("content-type"), "image/svg+xml")
      const favicon = { icon: { light: icon, dark: icon } }
      yield* ofSite(site, "PUT", "/customization", { favicon }).pipe(has(200))
      yield* call("admin", "PATCH", `/v1/orgs/${organization}`, { logo }).pipe(has(200))
      yield* TestClock.adjust("23 hours")
      yield* sweep
      assert.isTrue(yield* isThere(unused))
      yield* TestClock.adjust("2 hours")
      yield* sweep
      assert.deepStrictEqual(yield* Effect.forEach([icon, logo, unused], isThere), [true, true, false])
      // What is gone can't be named any more.
      const header = { logo: { light: unused, dark: unused } }
      yield* ofSite(site, "PUT", "/customization", { favicon, header }).pipe(refused(400))
      yield* call("admin", "PATCH", `/v1/orgs/${organization}`, { logo: unused }).pipe(refused(400))
      yield* call("admin", "PATCH", `/v1/orgs/${organization}`, { logo: null }).pipe(has(200))
      yield* ofSite(site, "PUT", "/customization", {}).pipe(has(200))
      // Just used, so spared until the day is over.
      yield* sweep
      assert.isFalse(yield* isThere(logo))
      yield* Effect.provideService(sweep, Storage, yield* Storage)
      assert.isFalse(yield* isThere(icon))
    })
  )
}
