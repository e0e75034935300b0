/** Signing in through a real browser: with a password, by a link from a mail, and with a new password. */
import { EventEmitter, once } from "node:events"
import { MailTransport, type OutgoingMail } from "@lectern/core/mail/MailTransport"
import { Passwords } from "@lectern/sign-in/password/Passwords"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import type { Page } from "playwright-core"
import { faultsOf } from "../../site/test/Axe.ts"
import { browserOfFile, patience } from "../../site/test/Chromium.ts"
import { member } from "./Browser.ts"
import { withPageServer } from "./PageServer.ts"

const browser = browserOfFile()
const password = "correct horse battery staple"
const email = "ada@example.com"

const person = Effect.gen(function* () {
  const { id } = yield* member(email)
  yield* (yield* Passwords).set(id, Redacted.make(password))
})

/** Mails in place of a mail server. */
const mailBox = () => {
  const mails: Array<OutgoingMail> = []
  const arrivals = new EventEmitter()
  const send = (mail: OutgoingMail) =>
    Effect.sync(() => {
      mails.push(mail)
      arrivals.emit("mail")
    })
  const sender = { address: "docs@example.com" }
  return {
    mail: Layer.succeed(MailTransport, MailTransport.of({ sender, send })),
    /** Returns the link of the next mail. */
    nextLink: async (): Promise<string> => {
      if (mails.length === 0) await once(arrivals, "mail")
      return /http\S*\/-\/link\?token=[\w-]{43}/.exec(mails.shift()!.text)![0]
    }
  }
}

const open = async () => {
  const context = await browser().newContext({ locale: "en" })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  return page
}

const signIn = async (page: Page, url: string, secret: string) => {
  await page.goto(`${url}/-/sign-in?to=/-/account/tokens`)
  await page.fill('form[action="/-/sign-in"] input[name="email"]', email)
  await page.fill('input[name="password"]', secret)
  await page.click('form[action="/-/sign-in"] button')
}

describe("signing in with a browser", () => {
  it("works with a password, and says when it is wrong", () =>
    withPageServer(async (url, run) => {
      await run(person)
      const page = await open()
      await signIn(page, url, "wrong password")
      assert.strictEqual(await page.innerText('[role="alert"]:visible'), "The address or the password is wrong.")
      assert.deepStrictEqual(await faultsOf(page), [])
      assert.strictEqual(await page.inputValue('form[action="/-/sign-in"] input[name="email"]'), email)
      await signIn(page, url, password)
      await page.waitForURL(`${url}/-/account/tokens`)
      await page.goto(`${url}/-/sign-out`)
      await page.click('form[action="/-/sign-out"] button')
      await page.waitForURL(`${url}/-/sign-in`)
      await page.goto(`${url}/-/account`)
      assert.include(page.url(), "/-/sign-in")
      await page.context().close()
    }))

  it("works by a link from a mail, once", () => {
    const { mail, nextLink } = mailBox()
    return withPageServer(
      async (url, run) => {
        await run(person)
        const page = await open()
        await page.goto(`${url}/-/sign-in`)
        await page.fill('form[action="/-/sign-in/link"] input[name="email"]', email)
        await page.click('form[action="/-/sign-in/link"] button')
        assert.strictEqual(await page.innerText("h1"), "Check your mail")
        assert.deepStrictEqual(await faultsOf(page), [])
        const link = await nextLink()
        await page.goto(link)
        assert.strictEqual(page.url(), `${url}/-/link`)
        assert.include(await page.innerText("main"), email)
        await page.click('form[action="/-/link"] button')
        await page.waitForURL(`${url}/`)
        await page.goto(`${url}/-/account`)
        assert.include(await page.innerText("main"), email)
        const other = await open()
        await other.goto(link)
        assert.strictEqual(await other.innerText("h1"), "This link no longer works")
        await page.context().close()
        await other.context().close()
      },
      { mail }
    )
  })

  it("works with a new password in place of a forgotten one", () => {
    const { mail, nextLink } = mailBox()
    return withPageServer(
      async (url, run) => {
        await run(person)
        const page = await open()
        await page.goto(`${url}/-/sign-in`)
        await page.click("text=Forgotten your password?")
        await page.fill('input[name="email"]', email)
        await page.click('form[action="/-/password"] button')
        await page.goto(await nextLink())
        await page.click('form[action="/-/link"] button')
        await page.fill('input[name="password"]', "a much better password")
        await page.click("main form button")
        assert.strictEqual(await page.innerText("h1"), "Your new password is saved.")
        await page.context().clearCookies()
        await signIn(page, url, password)
        assert.strictEqual(await page.locator('[role="alert"]:visible').count(), 1)
        await signIn(page, url, "a much better password")
        await page.waitForURL(`${url}/-/account/tokens`)
        await page.context().close()
      },
      { mail }
    )
  })
})
