/** Blocks of integrations and the question about cookies in a browser: pressed, filled in, and without a script. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import type { Block } from "@lectern/document/Document"
import * as BlockForm from "../src/contentkit/BlockForm.ts"
import type { Fields, Output } from "../src/contentkit/Component.ts"
import * as IntegrationBlock from "../src/contentkit/IntegrationBlock.ts"
import * as Blocks from "../src/document/Blocks.ts"
import { html } from "../src/html/Html.ts"
import * as Scripts from "../src/styling/Scripts.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import * as Stylesheets from "../src/styling/Stylesheets.ts"
import * as Layout from "../src/page/Layout.ts"
import type { BlockResult } from "../src/reading/IntegrationBlocks.ts"
import * as SiteScripts from "../src/page/SiteScripts.ts"
import * as SecurityHeaders from "../src/server/SecurityHeaders.ts"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, patience } from "./Chromium.ts"
import { everySetting, examplePage } from "./ExamplePages.ts"

const frames = "http://frames.test"

/** Every type of element, and what was sent last. */
const drawnBy = (state: Fields, action: Fields): Output => {
  const count = Number(state["count"] ?? 0) + (action["action"] === "add" ? 1 : 0)
  const words = (...children: ReadonlyArray<unknown>) => ({ type: "text", children })
  const press = { action: "add" }
  return {
    props: {},
    state: { ...state, count },
    element: {
      type: "block",
      children: [
        { type: "markdown", content: "## A block" },
        words(
          `Count ${count} by ${String(state["name"] ?? "nobody")}, ${JSON.stringify(state["on"] ?? null)}, ${String(action["action"])}`
        ),
        {
          type: "hstack",
          children: [
            { type: "button", label: "Add", style: "primary", onPress: press },
            { type: "button", label: "Ask", confirm: { title: "Sure?" }, onPress: press },
            { type: "button", label: "Fail", onPress: { action: "fail" } },
            { type: "button", label: "Hurry", onPress: { action: "hurry" } },
            { type: "button", label: "Lose", onPress: { action: "lose" } }
          ]
        },
        { type: "vstack", children: [{ type: "box", grow: 1, children: [words("In a box")] }] },
        { type: "divider" },
        {
          type: "card",
          title: "A card",
          hint: [words("A hint")],
          icon: "star",
          onPress: press,
          children: [words("Within")]
        },
        { type: "hint", children: [words("Careful")] },
        { type: "codeblock", content: "const a = 1", syntax: "ts" },
        { type: "link", target: { url: "https://example.com" }, children: ["A link"] },
        { type: "image", source: { url: "data:," } },
        {
          type: "stepper",
          activeStep: "a",
          onStepChange: press,
          onComplete: press,
          children: [{ type: "step", id: "a", title: "One", next: { label: "On" }, children: [words("First")] }]
        },
        { type: "input", label: "Name", hint: "Yours", element: { type: "textinput", state: "name" } },
        { type: "input", label: "Words", element: { type: "textinput", state: "words", multiline: true } },
        {
          type: "input",
          label: "Kind",
          element: {
            type: "select",
            state: "kind",
            options: [
              { id: "a", label: "A" },
              { id: "b", label: "B" }
            ],
            onValueChange: { action: "chosen" }
          }
        },
        { type: "input", label: "On", element: { type: "switch", state: "on" } },
        { type: "input", label: "Some", element: { type: "checkbox", state: "some", value: "x" } },
        { type: "input", label: "One", element: { type: "radio", state: "one", value: "x" } },
        { type: "modal", title: "A dialog", children: [words("In it")] },
        { type: "configuration", children: [words("Configured")] },
        { type: "webframe", source: { url: `${frames}/frame` }, data: { count } }
      ]
    }
  }
}

const frame = `<!doctype html><html lang="en"><title>Frame</title><main><h1>Frame</h1><p></p><button onclick="send({ action: 'add' })">Add</button></main><script>
  const send = (action) => parent.postMessage({ action }, "*")
  let loads = 0
  addEventListener("message", ({ data }) => {
    if (data?.state === undefined) return
    document.querySelector("p").textContent = "told " + data.state.count + " " + ++loads
    send({ action: "@webframe.resize", size: { height: 123 } })
  })
  send({ action: "@webframe.ready" })
</script>`

const block: Block = { object: "block", type: "integration", key: "b1", data: { integration: "x", block: "y" } }
const assets = { css: "/site.css", script: "/site.js", blocks: { css: "/blocks.css", script: "/blocks.js" } }
const page = examplePage({ markdown: "Words.\n", settings: everySetting })
const place = { base: "/docs/", site: "/docs/", page: "p1", frameOrigin: frames }

const drawn = (answer: BlockResult) =>
  IntegrationBlock.renderBlock(block, answer, place, Blocks.createBlockRenderer(page.dependencies))!

describe("a block of an integration in a browser", () => {
  const browser = browserOfFile()

  const seen = async (
    options: object,
    look: (page: Page, sent: ReadonlyArray<URLSearchParams>) => Promise<void>,
    asks = false
  ) => {
    const context = await browser().newContext(options)
    const sent: Array<URLSearchParams> = []
    const failures: Array<string> = []
    const headers = SecurityHeaders.make({ sha256: String })("", "", { frameOrigins: [frames] })
    const shownWith = (content: string) => {
      const around = {
        ...page,
        scripts: SiteScripts.scriptsFor([{ script: `${frames}/script.js`, cookies: true }], asks ? undefined : "no")
      }
      return Layout.renderSimplePage(
        around,
        { title: "Page", main: html`<h1>Page</h1><div class="content">${drawn(drawnBy({}, {}))}</div>` },
        assets
      ).replace("</main>", `${content}</main>`)
    }
    await context.route("**", async (route) => {
      const { pathname, host } = new URL(route.request().url())
      const html = "text/html; charset=utf-8"
      if (host === new URL(frames).host)
        return route.fulfill({
          contentType: html,
          body: frame,
          headers: { "content-security-policy": "sandbox allow-scripts" }
        })
      const files: Record<string, readonly [string, string]> = {
        "/site.css": ["text/css", SiteStylesheet.css],
        "/blocks.css": ["text/css", Stylesheets.blocks],
        "/site.js": ["text/javascript", Scripts.script],
        "/blocks.js": ["text/javascript", Scripts.blocks]
      }
      const file = files[pathname]
      if (file !== undefined) return route.fulfill({ contentType: file[0], body: file[1] })
      if (pathname === "/docs/~block") {
        const form = new URLSearchParams(route.request().postData() ?? "")
        sent.push(form)
        const read = BlockForm.parseSubmission(form)!
        if (read.action["action"] === "lose") return route.abort()
        if (read.action["action"] === "hurry") return route.fulfill({ status: 429 })
        const { text } = drawn(read.action["action"] === "fail" ? "failed" : drawnBy(read.state, read.action))
        return route.fulfill({
          contentType: html,
          headers,
          body: form.get("part") === "block" ? text : `<!doctype html><title>Block</title>${text}`
        })
      }
      return route.fulfill({ contentType: html, headers, body: shownWith("") })
    })
    const tab = await context.newPage()
    tab.setDefaultTimeout(patience)
    tab.on("pageerror", (failure) => failures.push(String(failure)))
    await tab.goto("http://site.test/docs/page")
    await look(tab, sent)
    assert.deepStrictEqual(failures, [])
    await context.close()
  }

  for (const [name, options] of Object.entries({
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    "on a narrow screen": { viewport: { width: 320, height: 640 } }
  })) {
    it(`has no fault of accessibility, nor has the question about cookies: ${name}`, () =>
      seen(
        options,
        async (tab) => {
          await tab.locator("lectern-block").waitFor()
          assert.deepStrictEqual(await faultsOf(tab), [])
          assert.isAtMost(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
        },
        true
      ))
  }

  it("is drawn again in its place, with what was filled in, and keeps the focus and its frame", () =>
    seen({}, async (tab, sent) => {
      const inFrame = tab.frameLocator("lectern-frame iframe")
      await tab.locator("iframe").scrollIntoViewIfNeeded()
      await inFrame.getByText("told 0").waitFor()
      await tab.getByLabel("Name").fill("Zoe")
      await tab.getByLabel("On", { exact: true }).check()
      await tab.getByRole("button", { name: "Add", exact: true }).first().click()
      await tab.getByText("Count 1 by Zoe, true, add").waitFor()
      assert.isTrue(tab.url().endsWith("/docs/page"))
      assert.strictEqual(await tab.evaluate(() => document.activeElement?.textContent), "Add")
      // The frame was not loaded anew: it counts how often it was told.
      await inFrame.getByText(/told 1 [2-9]/).waitFor()
      assert.strictEqual(await tab.locator("iframe").evaluate((one) => one.clientHeight), 123)
      await inFrame.getByRole("button", { name: "Add" }).click()
      await tab.getByText("Count 2 by Zoe").waitFor()
      await tab.getByLabel("Kind").selectOption("b")
      await tab.getByText("by Zoe, true, chosen").waitFor()
      assert.deepStrictEqual(
        sent.map((form) => JSON.parse(form.get("action")!).action),
        ["add", "add", "chosen"]
      )
    }))

  it("has its code copied by a button, also once it was drawn again", () =>
    seen({}, async (tab) => {
      const buttons = tab.locator("lectern-block figure.code > lectern-copy")
      await buttons.waitFor({ state: "attached" })
      for (const count of [1, 2]) {
        await tab.getByRole("button", { name: "Add", exact: true }).first().click()
        await tab.getByText(`Count ${count} by`).waitFor()
        assert.strictEqual(await buttons.count(), 1)
      }
    }))

  it("stays as it is filled in where it can't be drawn again, with why said below it, until it can", () =>
    seen({}, async (tab) => {
      const told = tab.locator("lectern-block > .missing")
      await tab.getByLabel("Name").fill("Zoe")
      for (const [name, said] of [
        ["Fail", "This part can't be shown right now."],
        ["Fail", "This part can't be shown right now."],
        ["Hurry", "Pressed too often. Wait a minute, then press again."],
        ["Lose", "This part can't be shown right now."]
      ] as const) {
        const asked = tab.waitForRequest("**/docs/~block")
        await tab.getByRole("button", { name }).click()
        await asked
        await told.and(tab.getByRole("alert")).getByText(said).waitFor()
        assert.strictEqual(await told.count(), 1)
        assert.strictEqual(await tab.getByLabel("Name").inputValue(), "Zoe")
      }
      await tab.getByRole("button", { name: "Add", exact: true }).first().click()
      await tab.getByText("Count 1 by Zoe").waitFor()
      assert.strictEqual(await told.count(), 0)
    }))

  it("asks before what should be confirmed", () =>
    seen({}, async (tab, sent) => {
      tab.once("dialog", (dialog) => dialog.dismiss())
      await tab.getByRole("button", { name: "Ask" }).click()
      assert.lengthOf(sent, 0)
      tab.once("dialog", (dialog) => dialog.accept())
      await tab.getByRole("button", { name: "Ask" }).click()
      await tab.getByText("Count 1").waitFor()
      assert.lengthOf(sent, 1)
    }))

  it("works without a script, on a page of its own", () =>
    seen({ javaScriptEnabled: false }, async (tab, sent) => {
      await tab.getByLabel("Name").fill("Zoe")
      await tab.getByRole("button", { name: "Add", exact: true }).first().click()
      assert.isTrue(tab.url().endsWith("/docs/~block"))
      assert.isTrue(await tab.getByText("Count 1 by Zoe, false, add").isVisible())
      assert.isNull(sent[0]!.get("part"))
    }))

  it("asks about cookies by keyboard, in front of everything else", () =>
    seen(
      { javaScriptEnabled: false },
      async (tab) => {
        const focused = () => tab.locator(":focus").textContent()
        await tab.keyboard.press("Tab")
        await tab.keyboard.press("Tab")
        await tab.keyboard.press("Tab")
        assert.strictEqual(await focused(), "Reject")
        await tab.keyboard.press("Tab")
        assert.strictEqual(await focused(), "Accept")
        await Promise.all([tab.waitForURL("**/docs/~consent"), tab.keyboard.press("Enter")])
      },
      true
    ))
})
