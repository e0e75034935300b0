/** Second factors in a real browser: an app by its key, a first passkey on demand, a person who cancels, no faults. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Passwords } from "@lectern/sign-in/password/Passwords"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TOTP } from "otpauth"
import type { Page } from "playwright-core"
import { faultsOf } from "../../site/test/Axe.ts"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { member } from "./Browser.ts"
import { withPageServer } from "./PageServer.ts"
import { addAuthenticator } from "./VirtualAuthenticator.ts"

const browser = browserOfFile()
const password = "correct horse battery staple"

const person = Effect.fnUntraced(function* (requireSecondFactor: boolean) {
  const { id, organization } = yield* member()
  yield* (yield* Passwords).set(id, Redacted.make(password))
  yield* (yield* Organizations)
    .update(organization, { requireSecondFactor })
    .pipe(Effect.provideService(CurrentActor, host))
})

const signIn = async (page: Page, url: string) => {
  await page.goto(`${url}/-/sign-in`)
  await page.fill('form[action="/-/sign-in"] input[name="email"]', "ada@example.com")
  await page.fill('input[name="password"]', password)
  await page.click('form[action="/-/sign-in"] button')
}

const enterCode = async (page: Page, code: string) => {
  await page.fill('input[name="code"]', code)
  await page.click('form:has(input[name="code"]) button')
}

const open = async (locale = "en") => {
  const context = await browser().newContext({ locale })
  return context.newPage()
}

describe("second factors in a browser", () => {
  it("are set up by the key of an app, without a fault for readers", () =>
    withPageServer(async (url, run) => {
      await run(person(false))
      const page = await open()
      await signIn(page, url)
      await page.goto(`${url}/-/account/factor`)
      assert.deepStrictEqual(await faultsOf(page), [])
      await page.click('form[action="/-/account/factor/app"] button')
      assert.deepStrictEqual(await faultsOf(page), [])
      assert.strictEqual(await page.locator(".qr svg path").count(), 1)
      const secret = (await page.innerText("code.code")).replaceAll(" ", "")
      await enterCode(page, new TOTP({ secret }).generate())
      assert.strictEqual(await page.locator(".codes li").count(), 10)
      assert.deepStrictEqual(await faultsOf(page), [])
      const [code] = await page.locator(".codes code").allInnerTexts()

      for (const locale of ["de", "ar", "ja"]) {
        const other = await open(locale)
        await signIn(other, url)
        assert.deepStrictEqual(await faultsOf(other), [])
        await enterCode(other, "000000")
        assert.strictEqual(await other.locator('[role="alert"]:visible').count(), 1)
        assert.deepStrictEqual(await faultsOf(other), [])
        if (locale !== "de") continue
        await enterCode(other, code!)
        await other.waitForURL(`${url}/`)
      }
    }))

  it("are a first passkey on demand of an organization, and then that passkey", () =>
    withPageServer(async (url, run) => {
      await run(person(true))
      const page = await open()
      await addAuthenticator(page)
      await signIn(page, url)
      assert.deepStrictEqual(await faultsOf(page), [])
      await page.click("form[data-passkey] button")
      await page.waitForSelector(".codes")
      await page.click("main a.button")
      await page.waitForURL(`${url}/`)

      await page.context().clearCookies()
      await signIn(page, url)
      await page.click("form[data-passkey] button")
      await page.waitForURL(`${url}/`)
    }))

  it("stay as they are without an authenticator of the person", () =>
    withPageServer(async (url, run) => {
      await run(person(false))
      const page = await open()
      await addAuthenticator(page, { isPersonVerified: false })
      await signIn(page, url)
      await page.goto(`${url}/-/account/passkeys`)
      await page.fill('form[data-passkey] input[name="name"]', "Key")
      await page.click("form[data-passkey] button")
      await page.waitForSelector('[data-passkey-message="failed"]:visible')
      assert.deepStrictEqual(await faultsOf(page), [])
      assert.isTrue(await page.isEnabled("form[data-passkey] button"))
      await page.reload()
      assert.strictEqual(await page.locator(".rows").count(), 0)
    }))
})
