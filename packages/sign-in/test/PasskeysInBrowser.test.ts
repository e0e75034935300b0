/** Passkeys in a real browser with its virtual authenticator: adding one, and signing in with it. */
import { Passwords } from "@lectern/sign-in/password/Passwords"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { addAuthenticator } from "./VirtualAuthenticator.ts"
import { member } from "./Browser.ts"
import { withPageServer } from "./PageServer.ts"

const browser = browserOfFile()
const password = "correct horse battery staple"

describe("a passkey in a browser", () => {
  it("is added, and signs in without an address", () =>
    withPageServer(async (url, run) => {
      await run(
        Effect.gen(function* () {
          const { id } = yield* member()
          yield* (yield* Passwords).set(id, Redacted.make(password))
        })
      )
      const context = await browser().newContext({ locale: "en" })
      const page = await context.newPage()
      const failures: Array<string> = []
      page.on("pageerror", (failure) => failures.push(String(failure)))
      page.on("console", (message) => {
        if (message.type() === "error") failures.push(message.text())
      })
      const credentials = await addAuthenticator(page)

      await page.goto(`${url}/-/sign-in?to=/-/account`)
      await page.fill('form[action="/-/sign-in"] input[name="email"]', "ada@example.com")
      await page.fill('input[name="password"]', password)
      await page.click('form[action="/-/sign-in"] button')
      await page.goto(`${url}/-/account/passkeys`)
      await page.fill('form[data-passkey] input[name="name"]', "Virtual key")
      await page.click("form[data-passkey] button")
      await page.waitForSelector("strong:text('Virtual key')")
      const [credential] = await credentials()
      assert.isTrue(credential!.isResidentCredential)

      await context.clearCookies()
      await page.goto(`${url}/-/sign-in?to=/-/account/tokens`)
      await page.click('form[data-passkey="get"] button')
      await page.waitForURL(`${url}/-/account/tokens`)
      assert.deepStrictEqual(failures, [])
      await context.close()
    }))
})
