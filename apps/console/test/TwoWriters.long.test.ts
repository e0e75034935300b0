/**
 * Two browsers at one page, with random typing, cuts of the network, lost answers and reloads: each word that was typed
 * is in the text in the end, when all conflicts are decided by "Keep both".
 *
 * `LECTERN_WRITING_STEPS` sets the number of steps of each writer (default: 120).
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { BrowserContext, Page } from "playwright-core"
import { runs } from "../../../packages/core/test/Runs.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { addPerson, makeChangeRequest, openConsole, saved, startServer } from "./ConsolePages.ts"

const stepCount = Number(process.env["LECTERN_WRITING_STEPS"] ?? 120)

type Step =
  /** Types words at the end of a paragraph. */
  | { readonly type: "words"; readonly down: number; readonly count: number }
  /** Types a word, and deletes it by Backspace. */
  | { readonly type: "word-and-back"; readonly down: number }
  | { readonly type: "paragraph"; readonly down: number }
  /** Undoes the last step, and redoes it. */
  | { readonly type: "undo-and-redo" }
  | { readonly type: "cut" }
  | { readonly type: "connect" }
  /** The server gets the next texts, and its answers are lost. */
  | { readonly type: "lose-answers" }
  | { readonly type: "reload" }
  | { readonly type: "wait-until-saved" }

const down = fc.nat({ max: 12 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant("words" as const), down, count: fc.integer({ min: 1, max: 3 }) })
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("word-and-back" as const), down }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("paragraph" as const), down }) },
  { weight: 1, arbitrary: fc.constant({ type: "undo-and-redo" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "cut" as const }) },
  { weight: 2, arbitrary: fc.constant({ type: "connect" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "lose-answers" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "reload" as const }) },
  { weight: 2, arbitrary: fc.constant({ type: "wait-until-saved" as const }) }
)

const script = fc.array(step, { minLength: stepCount, maxLength: stepCount })

class Writer {
  readonly #page: Page
  readonly #name: string
  readonly #url: string
  #count = 0
  #isCut = false

  constructor(page: Page, name: string, url: string) {
    this.#page = page
    this.#name = name
    this.#url = url
  }

  get #context(): BrowserContext {
    return this.#page.context()
  }

  get words(): ReadonlyArray<string> {
    return Array.from({ length: this.#count }, (_, i) => `${this.#name}${i + 1}x`)
  }

  async open(): Promise<void> {
    await this.#page.goto(this.#url)
    await this.#page.waitForSelector(".editor-place .lectern-editor p")
  }

  /** Puts the cursor at the end of a paragraph: two splits of one paragraph would both have its end. */
  async #goTo(down: number): Promise<void> {
    await this.#page.focus(".editor-place .lectern-editor")
    await this.#page.evaluate((index) => {
      const paragraphs = document.querySelectorAll(".editor-place .lectern-editor p")
      const selection = getSelection()!
      selection.selectAllChildren(paragraphs[index % paragraphs.length]!)
      selection.collapseToEnd()
    }, down)
  }

  #word(): string {
    this.#count++
    return ` ${this.#name}${this.#count}x`
  }

  async do(step: Step): Promise<void> {
    const { keyboard } = this.#page
    switch (step.type) {
      case "words":
        await this.#goTo(step.down)
        for (let i = 0; i < step.count; i++) await keyboard.type(this.#word())
        return
      case "word-and-back":
        await this.#goTo(step.down)
        await keyboard.type(" undone")
        for (let i = 0; i < " undone".length; i++) await keyboard.press("Backspace")
        return
      case "paragraph":
        await this.#goTo(step.down)
        await keyboard.press("Enter")
        await keyboard.type(this.#word().trim())
        return
      case "undo-and-redo":
        await keyboard.press("Control+z")
        await keyboard.press("Control+Shift+z")
        return
      case "cut":
        this.#isCut = true
        return this.#context.setOffline(true)
      case "connect":
        this.#isCut = false
        await this.#context.unrouteAll({ behavior: "wait" })
        return this.#context.setOffline(false)
      case "lose-answers":
        if (this.#isCut) return
        await this.#context.route("**/content*", async (route) => {
          if (route.request().method() !== "POST") return route.continue()
          await route.fetch().catch(() => undefined)
          return route.abort()
        })
        return
      case "reload":
        if (this.#isCut) return
        await this.#page.reload()
        await this.#page.waitForSelector(".editor-place .lectern-editor p")
        return
      case "wait-until-saved":
        if (this.#isCut) return
        await this.#context.unrouteAll({ behavior: "wait" })
        await saved(this.#page)
    }
  }

  async finish(): Promise<void> {
    await this.do({ type: "connect" })
    await this.#page.evaluate(() => dispatchEvent(new Event("online")))
    await saved(this.#page)
  }

  /** Decides all conflicts, and returns their number. */
  async keepBoth(): Promise<number> {
    const conflicts = this.#page.locator(".conflict")
    const count = await conflicts.count()
    for (let left = count; left > 0; left--) {
      await conflicts.first().locator("button:text('Keep both')").click()
      await this.#page.waitForFunction((all) => document.querySelectorAll(".conflict").length < all, left)
    }
    return count
  }

  text(): Promise<string> {
    return this.#page.locator(".editor-place .lectern-editor").innerText()
  }

  async untilText(text: string): Promise<void> {
    await this.#page.waitForFunction(
      (expected) => document.querySelector<HTMLElement>(".editor-place .lectern-editor")?.innerText === expected,
      text
    )
  }
}

describe("Two writers at one page", () => {
  const browser = browserOfFile()
  let server: Server
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(cleanUp)

  it("lose no word, and have the same text in the end", async () => {
    const { path, url } = await makeChangeRequest(server, "Beans")
    const { body: pages } = await server.call("GET", `${path}/content`)
    const address = `${url}/pages/${pages.pages[0].id}`
    const ada = await addPerson(server, "Ada", "admin")
    const links = [server.ready.signInLink, ada.link]
    const writers: Array<Writer> = []
    for (const [i, link] of links.entries()) {
      const { page } = await openConsole(browser(), server, link)
      const writer = new Writer(page, i === 0 ? "m" : "a", address)
      await writer.open()
      writers.push(writer)
    }
    await writers[0]!.do({ type: "words", down: 0, count: 1 })
    const [scripts] = fc.sample(fc.tuple(script, script), runs(1, 1))
    await Promise.all(
      writers.map(async (writer, i) => {
        for (const step of scripts![i]!) await writer.do(step)
      })
    )
    for (const writer of [...writers, ...writers]) await writer.finish()
    // A decision of one writer may conflict with text that the other has not sent yet.
    for (let shown = 1; shown > 0;) {
      shown = 0
      for (const writer of writers) {
        await writer.do({ type: "reload" })
        await writer.finish()
        shown += await writer.keepBoth()
        await writer.finish()
      }
    }
    const { body } = await server.call("GET", `${path}/content/page/${pages.pages[0].id}?format=markdown`)
    const text: string = body.markdown
    const lost = writers.flatMap(({ words }) => words).filter((word) => !text.includes(word))
    assert.deepStrictEqual(lost, [], text)
    assert.notInclude(text, "undone")
    await writers[0]!.do({ type: "reload" })
    await writers[1]!.untilText(await writers[0]!.text())
  })
})
