/** Scripts on pages with one of an integration, in a browser. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Layout from "../src/page/Layout.ts"
import * as ScriptLoader from "../src/page/ScriptLoader.ts"
import * as SecurityHeaders from "../src/server/SecurityHeaders.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import { examplePage } from "./ExamplePages.ts"

const browser = browserOfFile()

const headersOf = SecurityHeaders.make({ sha256: (text) => createHash("sha256").update(text).digest("base64url") })

const scripts = [{ script: "https://programs.test/a/~/script.js?v=1", cookies: false }]

/** Adds a script, as snippets of analytics and chats do, and tells of itself. */
const adding = (src: string) =>
  `document.head.append(Object.assign(document.createElement("script"), { src: ${JSON.stringify(src)} }))`

const answers: Readonly<Record<string, string>> = {
  "https://programs.test/a/~/script.js": adding("https://tags.test/tags.js"),
  "https://tags.test/tags.js": `fetch("https://collect.test/", { method: "POST", mode: "no-cors" })`,
  "http://site.test/site.js": `document.body.dataset.site = document.readyState === "loading" ? "early" : "whole"`,
  "http://site.test/theme.js": `document.body.dataset.theme = document.body.dataset.site`
}

describe("a page with a script of an integration", () => {
  it("runs what the script loads, its own scripts, and nothing else that stands in it", async () => {
    const shown = {
      ...examplePage({ markdown: "Words." }),
      scripts: { loaded: scripts, needsConsent: false, requestsConsent: false }
    }
    const page = Layout.renderPage(shown, { css: "/site.css", script: "/site.js" })
    const body = `<script src="/theme.js"></script><script src="https://evil.test/e.js"></script></body>`
    const { page: loading, program } = ScriptLoader.withLoader([page.replace("</body>", body)], scripts)
    const headers = headersOf("", "", { scripts, ...(program !== undefined && { loader: program }) })
    await visit(
      browser(),
      "http://site.test/",
      ({ origin, pathname }) =>
        pathname === "/" && origin === "http://site.test"
          ? { contentType: "text/html; charset=utf-8", body: loading.join(""), headers }
          : { contentType: "text/javascript", body: answers[origin + pathname] ?? "" },
      async (page, { asked, failures }) => {
        await page.waitForFunction(() => document.body.dataset["theme"] !== undefined)
        while (!asked.includes("https://collect.test/")) await page.waitForTimeout(10)
        assert.deepStrictEqual(failures, [])
        assert.strictEqual(await page.evaluate(() => document.body.dataset["theme"]), "whole")
        assert.notInclude(asked.join(" "), "evil.test")
      }
    )
  })

  it("holds the URLs of its scripts as text alone", () => {
    const script = "https://programs.test/</script><script>ran()//?a=1&b='"
    const written = `<head></head><script async src="${script.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("'", "&#39;")}"></script>`
    const { page, program } = ScriptLoader.withLoader([written], [{ script, cookies: false }])
    const text = page.join("")
    assert.notInclude(text.slice(text.indexOf("(function")), "</script><script>")
    assert.isDefined(program)
  })

  it("is as it was drawn where there is none", () => {
    const page = [`<head></head><script src="/site.js"></script>`]
    assert.deepStrictEqual(ScriptLoader.withLoader(page, []), { page })
  })
})
