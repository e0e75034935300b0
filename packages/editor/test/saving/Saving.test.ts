/** Saving in a real browser, with a server that fails, a page that is reloaded, and somebody else who writes. */
import { assert, describe, it } from "@effect/vitest"
import type { Document } from "@lectern/document/Document"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Page } from "playwright-core"
import { parse } from "../../../document/test/markdown/laws.ts"
import { browserOfFile } from "../../../site/test/Chromium.ts"
import { openTab } from "../EditorPage.ts"

class Server {
  document: Document
  revision = 0
  status: "up" | "down" | "signedOut" = "up"

  constructor(markdown: string) {
    this.document = parse(markdown).document
  }

  get markdown() {
    return Markdown.print(this.document)
  }

  /** Somebody else saves a text. */
  write(markdown: string) {
    this.document = align(this.document, parse(markdown).document)
    this.revision++
  }

  readonly answer = (method: string, body: string | null) => {
    if (this.status === "down") return undefined
    if (this.status === "signedOut") return { status: 401, body: "" }
    if (method === "PUT") {
      const { document, revision } = JSON.parse(body!)
      if (revision !== `r${this.revision}`) return { status: 409, body: "" }
      this.document = document
      this.revision++
    }
    const text = { revision: `r${this.revision}`, document: this.document }
    return { status: 200, contentType: "application/json", body: JSON.stringify(text) }
  }
}

describe("Saving in a browser", () => {
  const browser = browserOfFile()

  /** Opens a tab whose page reads and writes the text of a server. `open`: loads the page and opens the text. */
  const write = async (server: Server, look: (page: Page, open: () => Promise<void>) => Promise<void>) => {
    const { close, load, page } = await openTab(browser(), async (route, path) => {
      if (path !== "/text") return false
      const answer = server.answer(route.request().method(), route.request().postData())
      await (answer === undefined ? route.abort("connectionfailed") : route.fulfill(answer))
      return true
    })
    await look(page, async () => {
      await load()
      await page.evaluate(() => inPage.openText())
    })
    await close()
  }

  const saved = (page: Page) => page.waitForFunction(() => inPage.isSaved())

  const status = (page: Page, wanted: string) =>
    page.waitForFunction((wanted) => inPage.saving.state().status === wanted, wanted)

  const inJournal = (page: Page, text: string) =>
    page.waitForFunction(async (text) => {
      const opening = indexedDB.open("lectern-writing")
      const database = await new Promise<IDBDatabase>((resolve) => {
        opening.addEventListener("success", () => resolve(opening.result))
      })
      const all = database.transaction("text").objectStore("text").getAll()
      const entries = await new Promise((resolve) => all.addEventListener("success", () => resolve(all.result)))
      database.close()
      return JSON.stringify(entries).includes(text)
    }, text)

  it("sends a text after a pause, and what was typed before a reload after it", () =>
    write(new Server("One\n"), async (page, open) => {
      await open()
      await page.keyboard.type("Word ")
      await saved(page)
      await page.keyboard.type("again ")
      await inJournal(page, "again")
      await open()
      await saved(page)
    }))

  it("keeps what was typed without a network, through a reload, and sends it when the server is back", async () => {
    const server = new Server("One\n")
    await write(server, async (page, open) => {
      await open()
      server.status = "down"
      await page.keyboard.type("Offline ")
      await status(page, "waiting")
      await page.keyboard.type("words ")
      await inJournal(page, "Offline words")
      assert.strictEqual(server.markdown, "One\n")
      server.status = "up"
      await open()
      await saved(page)
      assert.strictEqual(server.markdown, "Offline words One\n")
    })
  })

  it("merges what somebody else saved meanwhile, and asks to sign in again without a loss", async () => {
    const server = new Server("One\n\nTwo\n")
    await write(server, async (page, open) => {
      await open()
      await page.keyboard.type("My ")
      server.write("One\n\nTwo of hers\n")
      await saved(page)
      assert.strictEqual(server.markdown, "My One\n\nTwo of hers\n")
      server.status = "signedOut"
      await page.keyboard.type("own ")
      await status(page, "signedOut")
      await page.keyboard.type("very ")
      server.status = "up"
      await page.evaluate(() => inPage.saving.signedIn())
      await saved(page)
      assert.strictEqual(server.markdown, "My own very One\n\nTwo of hers\n")
      await open()
      assert.strictEqual(await page.evaluate(() => inPage.saving.state().text), 0)
    })
  })

  it("keeps a conflict through a reload until it is decided", async () => {
    const server = new Server("One\n")
    await write(server, async (page, open) => {
      const conflictCount = () => page.evaluate(() => inPage.conflicts.length)
      await open()
      await page.keyboard.type("My ")
      server.write("Hers, One\n")
      await saved(page)
      assert.strictEqual(server.markdown, "My One\n")
      assert.strictEqual(await conflictCount(), 1)
      await open()
      assert.strictEqual(await conflictCount(), 1)
      await page.evaluate(() => inPage.saving.resolve(inPage.conflicts[0]!.id, "both"))
      await saved(page)
      assert.strictEqual(server.markdown, "Hers, One\n\nMy One\n")
      await open()
      assert.strictEqual(await conflictCount(), 0)
    })
  })
})
