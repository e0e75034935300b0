/** Members of an organization in the console, in a real browser against a real server. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { addPerson, openConsole, startServer } from "./ConsolePages.ts"

describe("Members in the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  let failures: ReadonlyArray<string>
  let members: string
  beforeAll(async () => {
    server = await startServer()
    for (const [name, role] of [
      ["Ada", "edit"],
      ["Rita", "read"]
    ] as const)
      await addPerson(server, name, role)
    members = `/v1/orgs/${server.ready.organization.id}/members`
    ;({ failures, page } = await openConsole(browser(), server, server.ready.signInLink))
  })
  afterAll(cleanUp)

  const roleOf = async (name: string) => {
    const { body } = await server.call("GET", `${members}?search=${name}`)
    return body.items.map(({ role }: { readonly role: string | null }) => role)
  }

  it("finds members, changes a role, and removes a member", async () => {
    await page.goto(server.url)
    await page.click("a:text('Members')")
    await page.waitForSelector(".member:has-text('Ada')")
    assert.strictEqual(await page.locator(".member").count(), 3)
    await page.fill(".search input", "ada")
    await page.waitForFunction(() => document.querySelectorAll(".member").length === 1)
    await page.selectOption("select[aria-label='Role of Ada']", { label: "Reviewer" })
    await page.waitForSelector(".notice:has-text('Ada is now: Reviewer')")
    assert.deepStrictEqual(await roleOf("Ada"), ["review"])
    await page.fill(".search input", "nobody")
    await page.waitForSelector("text=No member has this name.")
    await page.fill(".search input", "")
    await page.press("button[aria-label='Remove Rita']", "Enter")
    await page.waitForSelector("[role=dialog]")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button:text('Remove')")
    await page.waitForSelector(".member:has-text('Rita')", { state: "detached" })
    assert.deepStrictEqual(await roleOf("Rita"), [])
    assert.deepStrictEqual(failures, [])
  })

  it("keeps the only administrator, and says so", async () => {
    const { body: me } = await server.call("GET", "/v1/user")
    await page.selectOption(`select[aria-label='Role of ${me.displayName}']`, { label: "Reader" })
    await page.waitForSelector(".notice:has-text('only administrator')")
    assert.strictEqual(await page.inputValue(`select[aria-label='Role of ${me.displayName}']`), "admin")
  })

  it("invites people, with a link where no mail is sent, and withdraws an invitation", async () => {
    await page.click("button:text('Invite people')")
    await page.waitForSelector("[role=dialog] textarea:focus")
    await page.keyboard.type("grace@example.com, alan@example.com")
    await page.selectOption("[role=dialog] select", { label: "Commenter" })
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button[type=submit]")
    await page.waitForSelector("[role=dialog] li:has-text('grace@example.com') code:has-text('http')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button:text('Close') >> nth=-1")
    await page.waitForSelector("section:has-text('2 pending invitations') li:has-text('Commenter')")
    await page.press("button[aria-label='Withdraw the invitation of alan@example.com']", "Enter")
    await page.waitForSelector("section:has-text('1 pending invitation')")
  })

  it("finds people in the palette", async () => {
    await page.goto(server.url)
    await page.waitForSelector(".rows")
    await page.keyboard.press("Control+k")
    await page.waitForSelector(".palette input:focus")
    await page.keyboard.type("ada")
    await page.waitForSelector("[role=menuitem]:has-text('Ada'):has-text('Reviewer')")
    await page.click("[role=menuitem]:has-text('Ada'):has-text('Reviewer')")
    await page.waitForSelector(".member:has-text('Ada')")
    assert.strictEqual(await page.inputValue(".search input"), "Ada")
  })

  it("shows the list to a member who may not manage it", async () => {
    const { body } = await server.call("PUT", `/v1/orgs/${server.ready.organization.id}/teams`, { title: "Writers" })
    assert.isString(body.id)
    const eve = await addPerson(server, "Eve", "edit")
    const other = await openConsole(browser(), server, eve.link)
    await other.page.click("a:text('Members')")
    await other.page.waitForSelector(".member:has-text('Ada') .badge:text('Reviewer')")
    await other.page.waitForSelector("section:has-text('1 team') li:has-text('Writers')")
    assert.strictEqual(await other.page.locator(".member select, .member button, button:text('Invite')").count(), 0)
    assert.deepStrictEqual(await faultsOf(other.page), [])
    assert.deepStrictEqual(other.failures, [])
  })
})
