/** Code that is a diagram: on the page, and in the files that draw it. */
import { gunzipSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import * as Layout from "../src/page/Layout.ts"
import { examplePage } from "./ExamplePages.ts"
import { answering, asking, hasStatus } from "./SiteHarness.ts"

const assets = { css: "/site.css", script: "/site.js" }
const diagrams = { script: "/diagrams.js", frame: "/diagrams.html" }

const drawn = (markdown: string, more: Partial<Layout.Assets> = { diagrams }) =>
  Layout.renderPage(examplePage({ markdown }), { ...assets, ...more })

const fence = (code: string, language = "mermaid") => `\`\`\`${language}\n${code}\n\`\`\`\n`

const script = `export const one = "<1>"`
const library = {
  names: ["frame.0123456789abcdef.js", "part.0123456789abcde_.js"],
  read: (name: string) => Effect.succeed(new Uint8Array(gzipSync(`// ${name}\n${script}`)))
}

describe("a page with a diagram", () => {
  it("holds its text, and the script that draws it", () => {
    const page = drawn(fence('graph TD\n  A["<b>"] --> B'))
    assert.match(page, /<lectern-diagram [^>]*><details class="diagram-source" open><summary>Source of the diagram</)
    assert.include(page, "A[&quot;&lt;b&gt;&quot;] --&gt; B")
    assert.include(page, `<script type="module" src="/diagrams.js" data-frame="/diagrams.html"></script>`)
  })

  it("is an ordinary page where there is none, or nothing to draw it with", () => {
    for (const page of [
      drawn(fence("const one = 1", "ts")),
      drawn(fence("graph TD\n  A --> B"), {}),
      drawn(fence("")),
      drawn(fence(`graph TD\n  A[${"x".repeat(20_001)}]`)),
      drawn("`<lectern-diagram >`")
    ]) {
      assert.notInclude(page, "<lectern-diagram")
      assert.notInclude(page, "/diagrams.js")
    }
  })
})

it("the style sheet closes what it opens", () => {
  assert.strictEqual(SiteStylesheet.css.split("{").length, SiteStylesheet.css.split("}").length)
})

onMemory("A site", (it) => {
  it.effect("gives the files that draw diagrams, for a frame that may load nothing else", () =>
    Effect.gen(function* () {
      const answer = yield* answering({ diagrams: library })
      const { space } = yield* spaceWith({ Start: fence("graph TD\n  A --> B"), Plain: "Words." })
      const { urls } = yield* publishedSite([space], { title: "Acme" })
      const site = new URL(urls.published!)
      const get = (path: string, headers = {}) =>
        Effect.promise(() => answer(new Request(new URL(path, site), { headers })))
      const page = yield* get("start")
      const text = yield* Effect.promise(() => page.text())
      assert.match(page.headers.get("content-security-policy")!, /frame-src 'self' /)
      assert.notMatch((yield* get("plain")).headers.get("content-security-policy")!, /frame-src 'self' /)
      const [, frame] = /data-frame="([^"]+)"/.exec(text)!
      const inFrame = yield* get(frame!)
      assert.strictEqual(inFrame.status, 200)
      const policy = inFrame.headers.get("content-security-policy")!
      assert.isTrue(policy.startsWith("sandbox allow-scripts; default-src 'none'; script-src 'self'"), policy)
      assert.include(yield* Effect.promise(() => inFrame.text()), `src="${library.names[0]}"`)
      const zipped = yield* get(`~lectern/${library.names[1]}`, { "accept-encoding": "br, gzip" })
      assert.strictEqual(zipped.headers.get("content-encoding"), "gzip")
      assert.match(zipped.headers.get("cache-control")!, /immutable/)
      const bytes = yield* Effect.promise(() => zipped.arrayBuffer())
      const plain = yield* get(`~lectern/${library.names[1]}`)
      assert.isNull(plain.headers.get("content-encoding"))
      assert.strictEqual(gunzipSync(bytes).toString(), yield* Effect.promise(() => plain.text()))
      for (const missing of ["~lectern/part.0123456789abcdeX.js", "~lectern/..%2Fpackage.json"]) {
        assert.strictEqual((yield* get(missing)).status, 404)
      }
    })
  )

  it.effect("shows diagrams as code where nothing draws them", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: fence("graph TD\n  A --> B") })
      const { urls } = yield* publishedSite([space], { title: "Acme" })
      const { text } = yield* ask(`${urls.published}start`).pipe(hasStatus(200))
      assert.notInclude(text, "lectern-diagram")
      assert.include(text, "A --&gt; B")
    })
  )
})
