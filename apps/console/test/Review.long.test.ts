/** Reviews, merge rules and discussions, in a real browser against a real server. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { addPerson, makeChangeRequest, openConsole, type Person, startServer } from "./ConsolePages.ts"

describe("Reviews in the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  let failures: ReadonlyArray<string>
  let ada: Person
  beforeAll(async () => {
    server = await startServer()
    ada = await addPerson(server, "Ada", "review")
    ;({ failures, page } = await openConsole(browser(), server, server.ready.signInLink))
  })
  afterAll(cleanUp)

  it("asks for a review, which the reviewer gives", async () => {
    const { url } = await makeChangeRequest(server, "Roast")
    await page.goto(url)
    await page.click("button:text('Request a review')")
    await page.check("[role=dialog] label:has-text('Ada') input")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] .primary")
    await page.waitForSelector("section:has(#reviews) li:has-text('Ada'):has-text('was asked')")
    await page.waitForSelector(".badge:text-is('Open')")

    const other = await openConsole(browser(), server, ada.link)
    await other.page.goto(url)
    await other.page.click("button:text('Request changes')")
    await other.page.fill("[role=dialog] textarea", "Say how **long**.")
    await other.page.click("[role=dialog] .primary")
    await other.page.waitForSelector("li:has-text('Ada') .badge:text('Changes requested')")
    assert.deepStrictEqual(await faultsOf(other.page), [])
    await page.reload()
    await page.waitForSelector("li:has-text('Ada') .badge:text('Changes requested')")
    assert.deepStrictEqual([...failures, ...other.failures], [])
    await other.page.context().close()
  })

  it("shows the rules that a merge does not meet, also if they became stricter meanwhile", async () => {
    const { path, space, url } = await makeChangeRequest(server, "Filter")
    await page.goto(url)
    await page.waitForSelector("button:text-is('Merge'):not([disabled])")
    await server.call("PATCH", `/v1/spaces/${space}`, {
      mergeRules: { type: "rules", rules: [{ rule: "require_approvals", count: 1 }] }
    })
    await page.click("button:text-is('Merge')")
    await page.waitForSelector(".notice.problem")
    await page.waitForSelector(".rules [data-passed=false]:has-text('1 user must approve it')")
    await page.waitForSelector("button:text-is('Merge')[disabled]")
    assert.deepStrictEqual(await faultsOf(page), [])
    await server.call("POST", `${path}/reviews`, { status: "approved" }, ada.token)
    await page.reload()
    await page.waitForSelector(".rules [data-passed=true]")
    await page.click("button:text-is('Merge')")
    await page.waitForSelector("article h1:text('Filter')")
  })

  it("discusses a change request, and a block of it, by the keyboard", async () => {
    const { path, url } = await makeChangeRequest(server, "Grind")
    await server.call("POST", `${path}/comments`, { body: { markdown: "Is **finer** better?" } }, ada.token)
    await page.goto(url)
    const thread = page.locator(".discussion .thread:has-text('finer')")
    await thread.locator(".content strong:text('finer')").waitFor()
    await thread.locator("button:text('Reply')").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.type("Not for _filter_.")
    // A comment that was not sent is still in its field after a reload.
    await page.reload()
    await thread.locator("button:text('Reply')").focus()
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.textContent === "Not for _filter_.")
    await page.keyboard.press("Control+Enter")
    await thread.locator(".replies em:text('filter')").waitFor()
    await thread.locator("button[aria-label='React'] >> nth=0").press("Enter")
    await page.waitForSelector("[role=menuitem]:has-text('👍')")
    await page.keyboard.press("Enter")
    await thread.locator(".reaction[data-selected]:has-text('1')").waitFor()
    await thread.locator(".reaction").press("Space")
    await thread.locator(".reaction").waitFor({ state: "detached" })
    assert.deepStrictEqual(await faultsOf(page), [])

    await page.fill(".discussion > form textarea", "Done, ")
    await page.focus(".discussion > form textarea")
    await page.keyboard.press("Control+End")
    await page.click(".discussion > form button[aria-label='Mention somebody']")
    await page.click("[role=menuitem]:has-text('Ada')")
    await page.click(".discussion > form button:text-is('Comment')")
    await page.waitForSelector(".thread:has-text('Done') .mention:text('Ada')")

    await thread.locator("button:text('Resolve')").press("Enter")
    await thread.waitFor({ state: "detached" })
    await page.click(".discussion .choice :text('Resolved')")
    await thread.locator("button:text('Open again')").waitFor()

    await page.press(".block-change .comment-button", "Enter")
    await page.keyboard.type("Which beans?")
    await page.keyboard.press("Control+Enter")
    await page.waitForSelector(".block-change .thread:has-text('Which beans?')")
    await page.click(".discussion .choice :text('Open')")
    await page.waitForSelector(".discussion .thread:has-text('Which beans?') .inbox-quote:has-text('The first text')")
    await page.click(".block-change .thread button[aria-label='Actions for the text by Administrator']")
    await page.click("[role=menuitem]:has-text('Delete')")
    await page.click("[role=dialog] button:text('Delete')")
    await page.waitForSelector(".block-change .thread", { state: "detached" })
    assert.deepStrictEqual(await faultsOf(page), [])

    // A link to a comment displays it although it is resolved.
    const { body } = await server.call("GET", `${path}/comments?status=resolved`)
    await page.goto(`${url}#comment-${body.items[0].id}`)
    await page.waitForSelector(".thread[data-linked]:has-text('finer')")
    assert.deepStrictEqual(failures, [])
  })

  it("discusses a page while reading it", async () => {
    const { path, space } = await makeChangeRequest(server, "Taste")
    await server.call("POST", `${path}/merge`, {})
    await page.goto(`${server.url}/spaces/${space}`)
    await page.fill(".discussion textarea", "Is it *bitter*?")
    await page.click(".discussion button:text-is('Comment')")
    await page.waitForSelector("article.sheet .thread em:text('bitter')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click(".bar-actions button:text('Edit')")
    await page.waitForSelector(".editor-place .lectern-editor:has-text('The first text about Taste')")
    assert.deepStrictEqual(failures, [])
  })
})
