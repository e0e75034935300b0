import { assert, describe, it } from "@effect/vitest"
import * as Blocks from "../src/document/Blocks.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import { documentOf, parts } from "./Drawing.ts"
import { payloads, urls } from "./HostileTexts.ts"
import * as Layout from "../src/page/Layout.ts"
import { everySetting, examplePage } from "./ExamplePages.ts"

const browser = browserOfFile()

describe("a browser", () => {
  it("shows what is drawn, without scripts", async () => {
    const context = await browser().newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    const content = Blocks.createBlockRenderer(parts).blocks(documentOf("## One\n\nSome *words*.\n").nodes)
    await page.setContent(`<!doctype html><style>${SiteStylesheet.css}</style><main>${content.text}</main>`)
    assert.strictEqual(await page.innerText("h2"), "One")
    assert.strictEqual(await page.innerText("em"), "words")
    await context.close()
  })

  it("is told of faults that readers who do not see would meet", async () => {
    const page = await browser().newPage()
    await page.setContent(`<html lang="en"><title>x</title><main><h1>x</h1><img src="data:,"></main>`)
    const [fault, ...more] = await faultsOf(page)
    assert.match(fault!, /^image-alt: <img src="data:,">/)
    assert.deepStrictEqual(more, [])
    await page.close()
  })

  it("runs nothing of a page, whatever its text and its settings say", async () => {
    const said = payloads.join("\n\n")
    const links = urls.map((url) => `[x](<${url}>)`).join("\n\n")
    const settings = {
      ...everySetting,
      title: payloads[2]!,
      announcement: { enabled: true, message: payloads[3]!, style: "info" }
    } as const
    const shown = examplePage({ markdown: `${links}\n\n${said}`, settings })
    const body = Layout.renderPage(shown, { css: "/site.css", script: "/site.js" })
    await visit(
      browser(),
      "http://site.test/",
      ({ pathname }) => (pathname === "/" ? { contentType: "text/html; charset=utf-8", body } : { status: 404 }),
      async (page, { asked, failures }) => {
        // Whatever ran would have failed: nothing here is called `ran`.
        assert.deepStrictEqual(failures, [])
        assert.isEmpty(asked.filter((url) => /evil\.test\/(?!x$)/.test(url)))
        assert.strictEqual(await page.locator("[href^='javascript:'], iframe, object, embed, [onerror]").count(), 0)
      }
    )
  })

  it("reaches nothing but this machine", async () => {
    const page = await browser().newPage()
    for (const url of ["http://example.com/", "http://192.0.2.1/"]) {
      const failure = await page.goto(url).catch((error: Error) => error)
      assert.match(String(failure), /ERR_NAME_NOT_RESOLVED/)
    }
    await page.close()
  })
})
