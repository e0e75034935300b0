/** A page with the editor, in a real browser. */
import { readFileSync } from "node:fs"
import type { Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Browser, Page, Route } from "playwright-core"
import { rolldown } from "rolldown"
import { parse } from "../../document/test/markdown/laws.ts"
import { patience } from "../../site/test/Chromium.ts"

let scripts: Promise<ReadonlyMap<string, string>> | undefined

/** Bundles the program of the page once for all tests of a process. Returns its files by their paths. */
const bundled = (): Promise<ReadonlyMap<string, string>> =>
  (scripts ??= (async () => {
    const build = await rolldown({ input: `${import.meta.dirname}/InPage.ts`, platform: "browser", tsconfig: false })
    const { output } = await build.generate({ format: "esm", minify: true, entryFileNames: "editor.js" })
    return new Map(output.flatMap((part) => (part.type === "chunk" ? [[`/${part.fileName}`, part.code]] : [])))
  })())

const styles = readFileSync(new URL("../editor.css", import.meta.url), "utf8")

const security = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'"

/** A picture of 400 × 200 pixels. */
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200"/></svg>'

interface Tab {
  readonly page: Page
  /** Uncaught errors of the page. */
  readonly failures: ReadonlyArray<string>
  /** Loads the page again. */
  readonly load: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens an empty page in a tab. `respond`: responds to other requests of the page, and returns true for those. */
export const openTab = async (
  browser: Browser,
  respond: (route: Route, path: string) => Promise<boolean> = async () => false
): Promise<Tab> => {
  const code = await bundled()
  const context = await browser.newContext()
  await context.route("**", async (route) => {
    const { pathname } = new URL(route.request().url())
    if (await respond(route, pathname)) return
    const script = code.get(pathname)
    if (script !== undefined) return route.fulfill({ contentType: "text/javascript; charset=utf-8", body: script })
    if (pathname === "/picture.svg") return route.fulfill({ contentType: "image/svg+xml", body: picture })
    if (pathname === "/editor.css") return route.fulfill({ contentType: "text/css", body: styles })
    return route.fulfill({
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": security },
      body: "<!doctype html><html lang=en><title>Editor</title><link rel=stylesheet href=/editor.css><main></main><script type=module src=/editor.js></script>"
    })
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const failures: Array<string> = []
  page.on("pageerror", (failure) => failures.push(String(failure)))
  const load = async () => {
    await page.goto("http://localhost:4000/")
    await page.waitForFunction(() => "inPage" in globalThis)
  }
  await load()
  return { page, failures, load, close: () => context.close() }
}

export interface EditorPage {
  readonly page: Page
  /** Presses keys by their names, such as `Enter` or `Control+b`. */
  readonly press: (...keys: ReadonlyArray<string>) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Returns the current document, as Markdown. */
  readonly markdown: () => Promise<string>
  readonly document: () => Promise<Document>
}

/** Opens Markdown in the editor, with the cursor at its start. */
export const edit = async (browser: Browser, markdown: string, look: (page: EditorPage) => Promise<void>) => {
  const { close, failures, page } = await openTab(browser)
  await page.evaluate((opened) => inPage.open(opened), parse(markdown).document)
  await page.evaluate(() => inPage.loadAll())
  const current = (): Promise<Document> => page.evaluate(() => inPage.editor.document())
  await look({
    page,
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    type: (text) => page.keyboard.type(text),
    document: current,
    markdown: async () => Markdown.print(await current())
  })
  await close()
  if (failures.length > 0) throw new Error(failures.join("\n"))
}
