/** Files: their bytes behind a signed URL that expires, and never as something a browser would run. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, openChangeRequest, publish, write } from "./Steps.ts"

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** A PNG of 3 by 2 pixels, as far as its header says. */
const png = btoa(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0`)

/** A space with this one file. */
const spaceWithFile = Effect.fnUntraced(function* (file: Record<string, unknown>) {
  const { id } = yield* createSpace()
  const { insertedFiles, revision } = yield* publish(id, [{ operation: "insert_files", files: [file] }])
  const fileId = insertedFiles?.[0]?.id ?? ""
  return { space: id, file: fileId, revision, path: `/v1/spaces/${id}/content/files/${fileId}` }
})

const getFile = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Harness
  return yield* call("read", "GET", path).pipe(answers(200, Shapes.File))
})

const minutes = (url: string) => Number(new URL(url).searchParams.get("expires")) / 60_000

onEachAdapter("Files", (it) => {
  it.effect("keeps the bytes as they came, and tells what they are", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i))
      const { path } = yield* spaceWithFile({ name: "all bytes.bin", base64: btoa(bytes) })
      const file = yield* getFile(path)
      assert.deepInclude(file, { name: "all bytes.bin", contentType: "application/octet-stream", size: 256 })
      const download = yield* call("nobody", "GET", file.downloadURL).pipe(has(200))
      assert.deepStrictEqual(
        Array.from(download.bytes),
        Array.from({ length: 256 }, (_, i) => i)
      )

      const image = yield* getFile(
        (yield* spaceWithFile({ name: "dot.txt", contentType: "text/html", base64: png })).path
      )
      assert.deepInclude(image, { contentType: "image/png", dimensions: { width: 3, height: 2 } })
      const empty = yield* getFile((yield* spaceWithFile({ name: "empty.txt", base64: "" })).path)
      assert.strictEqual(empty.size, 0)
      assert.strictEqual((yield* call("nobody", "GET", empty.downloadURL).pipe(has(200))).bytes.length, 0)
    })
  )

  it.effect("answers a part of the bytes, as players and broken downloads ask for it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path } = yield* spaceWithFile({ name: "digits.txt", base64: base64("0123456789") })
      const { downloadURL } = yield* getFile(path)
      const all = yield* call("nobody", "GET", downloadURL).pipe(has(200))
      const etag = all.headers.get("etag") ?? ""
      assert.strictEqual(all.headers.get("accept-ranges"), "bytes")
      const ask = (range: string, headers: Record<string, string> = {}) =>
        call("nobody", "GET", downloadURL, undefined, { range, ...headers })
      for (const [range, text, place] of [
        ["bytes=0-3", "0123", "bytes 0-3/10"],
        ["bytes=8-", "89", "bytes 8-9/10"],
        ["bytes=-3", "789", "bytes 7-9/10"],
        ["bytes=5-500", "56789", "bytes 5-9/10"]
      ] as const) {
        const part = yield* ask(range).pipe(has(206))
        assert.strictEqual(part.text, text)
        assert.strictEqual(part.headers.get("content-range"), place)
        assert.strictEqual(part.headers.get("content-type"), all.headers.get("content-type"))
        assert.strictEqual(part.headers.get("content-security-policy"), "default-src 'none'; sandbox")
      }
      const beyond = yield* ask("bytes=10-").pipe(has(416))
      assert.strictEqual(beyond.headers.get("content-range"), "bytes */10")
      for (const range of ["bytes=0-1,3-4", "lines=1-2", "bytes=x", ""]) {
        assert.strictEqual((yield* ask(range).pipe(has(200))).text, "0123456789")
      }
      assert.strictEqual((yield* ask("bytes=0-1", { "if-range": etag }).pipe(has(206))).text, "01")
      assert.strictEqual((yield* ask("bytes=0-1", { "if-range": '"other"' }).pipe(has(200))).text, "0123456789")
      yield* ask("bytes=0-1", { "if-none-match": etag }).pipe(has(304))
    })
  )

  it.effect("refers to a file of the same batch by its ref", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const { number } = yield* openChangeRequest(id)
      const update = yield* write(id, number, [
        { operation: "insert_page", title: "Page", ref: "page", document: { markdown: "![A dot](/files/dot)" } },
        { operation: "insert_files", files: [{ name: "dot.png", ref: "dot", base64: png }] }
      ])
      const file = update.insertedFiles?.[0]?.id ?? ""
      const page = yield* call(
        "read",
        "GET",
        `/v1/spaces/${id}/change-requests/${number}/content/page/${update.idOf("page")}`
      ).pipe(answers(200, Shapes.Page))
      assert.include(page.markdown ?? "", `/files/${file}`)
    })
  )

  it.effect("hands them out by URL for 10 to 20 minutes, and no longer", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path } = yield* spaceWithFile({ name: "x.txt", base64: base64("x") })
      yield* TestClock.adjust("7 minutes")
      const { downloadURL } = yield* getFile(path)
      yield* TestClock.adjust("10 minutes")
      yield* call("nobody", "GET", downloadURL).pipe(has(200))
      yield* call("outsider", "GET", downloadURL).pipe(has(200))
      yield* TestClock.adjust("10 minutes")
      yield* call("nobody", "GET", downloadURL).pipe(refused(404))
      yield* call("admin", "GET", downloadURL).pipe(refused(404))
      const renewed = yield* getFile(path)
      assert.isAbove(minutes(renewed.downloadURL), minutes(downloadURL))
      yield* call("nobody", "GET", renewed.downloadURL).pipe(has(200))
    })
  )

  it.effect("answers with a URL that is good for 10 minutes more, also to who has the revision already", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, path } = yield* spaceWithFile({ name: "x.txt", base64: base64("x") })
      for (const at of [path, `/v1/spaces/${space}/content`]) {
        const first = yield* call("read", "GET", at).pipe(has(200))
        const headers = { "if-none-match": first.headers.get("etag") ?? "" }
        yield* call("read", "GET", at, undefined, headers).pipe(has(304))
        yield* TestClock.adjust("10 minutes")
        const second = yield* call("read", "GET", at, undefined, headers).pipe(has(200))
        assert.notStrictEqual(second.text, first.text)
      }
    })
  )

  it.effect("refuses URLs that were changed", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const one = yield* spaceWithFile({ name: "one.txt", base64: base64("one") })
      const two = yield* spaceWithFile({ name: "two.txt", base64: base64("two") })
      const { downloadURL } = yield* getFile(one.path)
      const url = new URL(downloadURL)
      const changed = (name: string, value: string) => {
        const other = new URL(url)
        other.searchParams.set(name, value)
        return other.href
      }
      const signature = url.searchParams.get("signature") ?? ""
      const wrong = [
        changed("signature", `${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}`),
        changed("signature", signature.slice(0, -1)),
        changed("signature", ""),
        changed("signature", "é"),
        changed("expires", String(Number(url.searchParams.get("expires")) + 1)),
        changed("expires", "9007199254740991"),
        downloadURL.replace(one.file, two.file),
        downloadURL.replace(one.space, two.space),
        downloadURL.replace(one.revision, two.revision)
      ]
      for (const href of wrong) yield* call("admin", "GET", href).pipe(refused(404))
      for (const expires of ["", "soon", "1e400", "-", "1.5"]) {
        yield* call("admin", "GET", changed("expires", expires)).pipe(refused(400))
      }
      yield* call("nobody", "GET", url.pathname).pipe(refused(400))
      yield* call("nobody", "GET", downloadURL).pipe(has(200))
    })
  )

  const active = [
    ["page.html", "<!doctype html><script>alert(1)</script>", undefined],
    ["image.svg", `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, undefined],
    ["image.png", `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "image/png"],
    ["notes.txt", "<script>alert(1)</script>", "text/html; charset=utf-8"],
    ["page.xhtml", "<html/>", "application/xhtml+xml"],
    ["doc.xml", `<?xml version="1.0"?><x/>`, "text/xml"],
    ["script.js", "alert(1)", undefined],
    ["script.js", "alert(1)", "application/x-javascript"],
    ["style.css", "p { color: red }", undefined],
    ["x.pdf", "%PDF-1.4", undefined],
    ["odd", "x", "text/plainx"],
    ["odd", "x", "text/html\r\nx-evil: 1"],
    ["odd", "x", "TEXT/HTML"]
  ] as const
  it.effect.each(active)("never shows in place what could run: %s of %s as %j", ([name, text, contentType]) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const type = contentType === undefined ? {} : { contentType }
      const { path } = yield* spaceWithFile({ name, base64: base64(text), ...type })
      const { headers, text: got } = yield* call("nobody", "GET", (yield* getFile(path)).downloadURL).pipe(has(200))
      assert.strictEqual(got, text)
      assert.match(headers.get("content-disposition") ?? "", /^attachment;/)
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.match(headers.get("content-security-policy") ?? "", /sandbox/)
      assert.isNull(headers.get("x-evil"))
      assert.notMatch(headers.get("content-type") ?? "", /script|css/i)
    })
  )

  it.effect("shows images and plain text in place", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      for (const file of [
        { name: "dot.png", base64: png },
        { name: "notes.txt", base64: base64("<b>") }
      ]) {
        const { path } = yield* spaceWithFile(file)
        const { headers } = yield* call("nobody", "GET", (yield* getFile(path)).downloadURL).pipe(has(200))
        assert.match(headers.get("content-disposition") ?? "", /^inline;/)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      }
    })
  )

  const names = [`"quoted".txt`, "back\\slash.txt", "päge 漢字 🎉.txt", "../../up.txt", "'(x)*.txt", "%41.txt"]
  it.effect.each(names)("gives a file its name back: %j", (name) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path } = yield* spaceWithFile({ name, base64: base64("x") })
      const { headers } = yield* call("nobody", "GET", (yield* getFile(path)).downloadURL).pipe(has(200))
      const disposition = headers.get("content-disposition") ?? ""
      const [, ascii, encoded] =
        /^(?:attachment|inline); filename="([^"\\]*)"; filename\*=UTF-8''([\w.%!#$&+^`|~-]+)$/.exec(disposition) ?? []
      assert.isString(ascii, disposition)
      assert.strictEqual(decodeURIComponent(encoded ?? ""), name)
      assert.isNull(headers.get("x-evil"))
    })
  )

  it.effect.each(["a\r\nx-evil: 1.txt", "photo\u202egnp.exe", "\u200b\u2060", " a.txt"])(
    "takes no file whose name can't be shown as it is: %j",
    (name) =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id } = yield* createSpace()
        const { number } = yield* openChangeRequest(id)
        const changes = [{ operation: "insert_files", files: [{ name, base64: base64("x") }] }]
        const path = `/v1/spaces/${id}/change-requests/${number}/content`
        const { issues } = yield* call("admin", "POST", path, { changes }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.changes[0].files[0].name")
      })
  )

  it.effect("hands out no file of a space in the trash, nor of one that has left for good", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, path } = yield* spaceWithFile({ name: "x.txt", base64: base64("x") })
      yield* call("admin", "DELETE", `/v1/spaces/${space}`).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
    })
  )
})
