/** Frames of integrations in a browser: told what the reader fills in around them, and leading to pages of the site. */
import { assert, describe, it } from "@effect/vitest"
import type { Block } from "@lectern/document/Document"
import type { Page } from "playwright-core"
import type { Fields } from "../src/contentkit/Component.ts"
import * as IntegrationBlock from "../src/contentkit/IntegrationBlock.ts"
import * as Blocks from "../src/document/Blocks.ts"
import { html } from "../src/html/Html.ts"
import * as Scripts from "../src/styling/Scripts.ts"
import * as Layout from "../src/page/Layout.ts"
import { browserOfFile, type Visit, visit } from "./Chromium.ts"
import { everySetting, examplePage } from "./ExamplePages.ts"

const frames = "http://frames.test"

/** Shows the last message, and how many there were since it was loaded. */
const frame = `<!doctype html><title>Frame</title><pre></pre><output>0</output><script>
  const [pre, output] = [document.querySelector("pre"), document.querySelector("output")]
  addEventListener("message", ({ data }) => {
    pre.textContent = JSON.stringify(data.state)
    output.textContent++
  })
  const send = (action) => parent.postMessage({ action }, "*")
  send({ action: "@webframe.ready" })
</script>`

const bound = (state: string) => ({ $state: state })

const drawnWith = (state: Fields) => ({
  props: {},
  state,
  element: {
    type: "block",
    children: [
      {
        type: "hstack",
        children: [
          "Drawn ",
          bound("count"),
          { type: "textinput", state: "inp", initialValue: "first" },
          {
            type: "webframe",
            source: { url: `${frames}/frame` },
            data: {
              inp: bound("inp"),
              on: bound("on"),
              some: bound("some"),
              kind: bound("kind"),
              count: bound("count"),
              none: bound("none"),
              said: "always"
            }
          }
        ]
      },
      { type: "input", label: "On", element: { type: "switch", state: "on", initialValue: true } },
      { type: "input", label: "A", element: { type: "checkbox", state: "some", value: "a" } },
      { type: "input", label: "B", element: { type: "checkbox", state: "some", value: "b" } },
      {
        type: "input",
        label: "Kind",
        element: { type: "select", state: "kind", initialValue: "y", options: [{ id: "x" }, { id: "y" }] }
      },
      { type: "input", label: "Unbound", element: { type: "textinput", state: "unbound" } },
      { type: "button", label: "Next", onPress: { action: "next" } }
    ]
  }
})

const first = { inp: "first", on: true, some: [], kind: "y", count: 0, none: null, said: "always" }

const block: Block = { object: "block", type: "integration", key: "b1", data: { integration: "x", block: "y" } }
const page = examplePage({ markdown: "Words.\n", settings: everySetting })
const assets = { css: "/site.css", script: "/site.js", blocks: { css: "/blocks.css", script: "/blocks.js" } }
const place = { base: "/docs/guides/", site: "/docs/", page: "p1", frameOrigin: frames }

const drawn = (state: Fields) =>
  IntegrationBlock.renderBlock(block, drawnWith(state), place, Blocks.createBlockRenderer(page.dependencies))!

describe("a frame of an integration in a browser", () => {
  const browser = browserOfFile()

  const seen = (look: (tab: Page, visit: Visit) => Promise<void>) =>
    visit(
      browser(),
      "http://site.test/docs/guides/start",
      ({ host, pathname }) => {
        const contentType = "text/html; charset=utf-8"
        if (host === new URL(frames).host) return { contentType, body: frame }
        if (pathname === "/blocks.js") return { contentType: "text/javascript", body: Scripts.blocks }
        if (pathname === "/docs/guides/~block") {
          return { contentType, body: drawn({ count: 1, inp: "second", unbound: "" }).text }
        }
        if (pathname !== "/docs/guides/start") return { contentType, body: "<!doctype html><title>Elsewhere</title>" }
        const main = html`<h1 id="top">Page</h1><div class="content">${drawn({ count: 0 })}</div>`
        return { contentType, body: Layout.renderSimplePage(page, { title: "Page", main }, assets) }
      },
      async (tab, visit) => {
        await tab.locator("lectern-frame").waitFor()
        await look(tab, visit)
        assert.deepStrictEqual(visit.failures, [])
      }
    )

  /** Ends once the frame has been told so. */
  const told = (tab: Page, state: object) =>
    tab.frameLocator("iframe").locator("pre").getByText(JSON.stringify(state), { exact: true }).waitFor()

  it("is told at first what its fields begin with, and then each change of them", () =>
    seen(async (tab, { asked }) => {
      await told(tab, first)
      await tab.getByLabel("inp").fill("typed")
      await told(tab, { ...first, inp: "typed" })
      await tab.getByLabel("inp").press("End")
      await tab.getByLabel("inp").press("!")
      await told(tab, { ...first, inp: "typed!" })
      await tab.getByLabel("On", { exact: true }).uncheck()
      await tab.getByLabel("A", { exact: true }).check()
      await tab.getByLabel("B", { exact: true }).check()
      await tab.getByLabel("Kind").selectOption("x")
      await told(tab, { ...first, inp: "typed!", on: false, some: ["a", "b"], kind: "x" })
      assert.notInclude(asked.join(" "), "~block")
    }))

  it("is told of what is drawn around it, and is not loaded anew", () =>
    seen(async (tab, { asked }) => {
      await told(tab, first)
      await tab.getByLabel("inp").fill("typed")
      await tab.getByRole("button", { name: "Next" }).click()
      await told(tab, { ...first, count: 1, inp: "second" })
      await tab.getByText("Drawn 1").waitFor()
      assert.strictEqual(await tab.getByLabel("inp").inputValue(), "second")
      await tab.getByLabel("inp").fill("third")
      await told(tab, { ...first, count: 1, inp: "third" })
      assert.lengthOf(
        asked.filter((url) => url.startsWith(frames)),
        1
      )
    }))

  const send = async (tab: Page, action: object) => {
    const inFrame = tab.frames().find((one) => one.url().startsWith(frames))!
    await inFrame.evaluate((action) => parent.postMessage({ action }, "*"), { action: "@webframe.navigate", ...action })
  }

  it("leads to a page of the site, and to a heading there", () =>
    seen(async (tab) => {
      await told(tab, first)
      await send(tab, { path: "guides/start", anchor: "top" })
      await tab.waitForURL("http://site.test/docs/guides/start#top")
      await send(tab, { path: "/second", anchor: "sec" })
      await tab.waitForURL("http://site.test/docs/second#sec")
    }))

  it("leads nowhere outside of the site", () =>
    seen(async (tab, { asked }) => {
      await told(tab, first)
      const begun = asked.length
      for (const path of ["../private", "/%2e%2e/private", "guides/../../private", "..\\private", 5, null, {}]) {
        await send(tab, { path, anchor: "there" })
      }
      // Messages come in their order.
      await send(tab, { path: "guides/start", anchor: "last" })
      await tab.waitForURL("http://site.test/docs/guides/start#last")
      assert.lengthOf(asked, begun)
    }))

  for (const [path, to] of [
    ["https://elsewhere.test/a", "https://elsewhere.test/a"],
    ["//elsewhere.test/a", "elsewhere.test/a"],
    ["\\\\elsewhere.test/a", "elsewhere.test/a"],
    ["javascript:alert(1)", "javascript:alert(1)"]
  ] as const) {
    it(`takes what looks like a URL for a path of the site: ${path}`, () =>
      seen(async (tab, { asked }) => {
        await told(tab, first)
        await send(tab, { path })
        await tab.waitForURL(`http://site.test/docs/${to}`)
        assert.isTrue(asked.every((url) => url.startsWith("http://site.test/") || url.startsWith(frames)))
      }))
  }
})
