/** Notifications, the account and the palette, in a real browser against a real server, by the keyboard. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { addPerson, makeChangeRequest, openConsole, startServer } from "./ConsolePages.ts"

describe("The bar of the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  let failures: ReadonlyArray<string>
  beforeAll(async () => {
    server = await startServer()
    ;({ failures, page } = await openConsole(browser(), server, server.ready.signInLink))
  })
  afterAll(cleanUp)

  it("counts notifications, lists them in words, and leads to what they are about", async () => {
    const grace = await addPerson(server, "Grace", "edit")
    const { path, url } = await makeChangeRequest(server, "Water")
    await server.call("PATCH", path, { status: "open" })
    await server.call("POST", `${path}/comments`, { body: { markdown: "How hot?" } }, grace.token)
    await server.call("POST", `${path}/comments`, { body: { markdown: "How much?" } }, grace.token)
    // Notifications are written in the background.
    await page.waitForFunction(async () => {
      const response = await fetch("/v1/user/notifications?unread=true&limit=1")
      return ((await response.json()) as { readonly unread: number }).unread === 2
    })
    await page.reload()
    await page.waitForSelector(".bell-count[data-count='2']")
    await page.focus(".bell")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".inbox-row:has-text('Grace commented on “About Water”'):has-text('How much?')")
    assert.deepStrictEqual(await faultsOf(page), [])

    await page.focus(".inbox-row:has-text('How hot?') button")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".inbox-row[data-read=true]:has-text('How hot?')")
    await page.click(".choice :text('Unread')")
    await page.waitForSelector(".inbox-row:has-text('How hot?')", { state: "detached" })
    await page.focus(".inbox-row:has-text('How much?') a")
    await page.keyboard.press("Enter")
    await page.waitForURL((target) => target.href.startsWith(url))
    await page.waitForSelector(".bell-count", { state: "detached" })

    await server.call("POST", `${path}/comments`, { body: { markdown: "And then?" } }, grace.token)
    await page.waitForFunction(async () => {
      const response = await fetch("/v1/user/notifications?unread=true&limit=1")
      return ((await response.json()) as { readonly unread: number }).unread === 1
    })
    await page.goto(`${server.url}/notifications`)
    await page.click("button:text('Mark all as read')")
    await page.waitForSelector(".inbox-row[data-read=false]", { state: "detached" })
    assert.deepStrictEqual(failures, [])
  })

  it("changes the profile, the language, and the channel of a kind of notifications", async () => {
    await page.goto(`${server.url}/account`)
    await page.fill("input[autocomplete=name]", "Maria Nowak")
    await page.keyboard.press("Enter")
    await page.waitForSelector("button[aria-label='Account of Maria Nowak']")
    await page.selectOption(".setting:has-text('A comment') select", "digest")
    await page.selectOption(".setting:has-text('Time zone') select", "Europe/Paris")
    await page.waitForSelector("[role=status]:has-text('Saved')")
    const settings = async () => (await server.call("GET", "/v1/user/notifications/settings")).body
    assert.strictEqual((await settings()).kinds.comment, "digest")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.reload()
    await page.waitForFunction(
      () => document.querySelector<HTMLSelectElement>(".setting select[dir=ltr]")?.value === "Europe/Paris"
    )
    await page.selectOption("select:has([lang=ar]) >> nth=0", "ar")
    await page.waitForSelector("html[dir=rtl] h1:text('الحساب')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.selectOption("select:has([lang=ar]) >> nth=0", "en")
    await page.waitForSelector("html[dir=ltr] h1:text('Account')")
    assert.deepStrictEqual(failures, [])
  })

  it("finds pages, spaces and actions by the keyboard, and never shows a late answer", async () => {
    const { path, space } = await makeChangeRequest(server, "Crema")
    await server.call("POST", `${path}/merge`, {})
    await page.goto(server.url)
    await page.waitForSelector(".rows")
    await page.keyboard.press("Control+k")
    await page.waitForSelector(".palette input:focus")
    assert.deepStrictEqual(await faultsOf(page), [])
    // The response of the first query comes after that of the second one.
    let release: () => void = () => undefined
    const late = new Promise<void>((resolve) => (release = resolve))
    await page.route("**/search?query=Wat*", async (route) => {
      await late
      await route.continue()
    })
    const asked = page.waitForRequest("**/search?query=Wat*")
    await page.keyboard.type("Wat")
    await asked
    await page.fill(".palette input", "")
    await page.keyboard.type("crema")
    await page.waitForSelector("[role=menuitem]:has-text('Crema') .palette-detail:text('Crema')")
    release()
    await page.unrouteAll({ behavior: "wait" })
    await page.waitForSelector("[role=status]:has-text('2 results')", { state: "attached" })
    assert.strictEqual(await page.locator("[role=menuitem]:has-text('Water')").count(), 0)
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await page.waitForURL(`${server.url}/spaces/${space}/pages/*`)
    await page.waitForSelector("article h1:text('Crema')")

    // Enter opens a result of the words before it, also if the results come later.
    let found: () => void = () => undefined
    const results = new Promise<void>((resolve) => (found = resolve))
    await page.goto(server.url)
    await page.waitForSelector(".rows")
    await page.route("**/search?query=text*", async (route) => {
      await results
      await route.continue()
    })
    await page.keyboard.press("Control+k")
    await page.waitForSelector(".palette input:focus")
    const askedAgain = page.waitForRequest("**/search?query=text*")
    await page.keyboard.type("text about crema")
    await page.keyboard.press("Enter")
    await askedAgain
    found()
    await page.unrouteAll({ behavior: "wait" })
    await page.waitForURL(`${server.url}/spaces/${space}/pages/*`)
    await page.waitForSelector(".palette", { state: "detached" })

    await page.keyboard.press("Control+k")
    await page.waitForSelector(".palette input:focus")
    await page.keyboard.type("zzzz")
    await page.waitForSelector(".palette-empty:has-text('Nothing has these words')")
    await page.fill(".palette input", "")
    await page.keyboard.type("notific")
    await page.keyboard.press("Enter")
    await page.waitForSelector("h1:text('Notifications')")
    await page.keyboard.press("Control+k")
    await page.waitForSelector(".palette input:focus")
    await page.keyboard.type("new space")
    await page.keyboard.press("Enter")
    await page.waitForSelector("[role=dialog] h2:text('New space')")
    await page.keyboard.press("Escape")
    await page.waitForSelector("[role=dialog]", { state: "detached" })
    await page.keyboard.press("Control+k")
    await page.waitForSelector(".palette input:focus")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.waitForSelector(".palette", { state: "detached" })
    assert.deepStrictEqual(failures, [])
  })
})
