/** The page that ends mails without signing in. */
import { createHash } from "node:crypto"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { makeUnsubscribeUrls } from "@lectern/core/mail/UnsubscribeUrls"
import { Mails } from "@lectern/core/mail/Mails"
import { Users } from "@lectern/core/user/Users"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onEachAdapter } from "./Harness.ts"

const asHost = Effect.provideService(CurrentActor, host)

const form = { "content-type": "application/x-www-form-urlencoded" }

const ended: Array<string> = []

/** Registers two lists once, and returns the path of a URL of a user for one of them. */
const setting = Effect.gen(function* () {
  const { addList, lists } = yield* Mails
  const { users } = yield* Harness
  for (const name of ["comments", "digest"]) {
    if (lists.has(name)) continue
    yield* addList({
      name,
      title: (language) => `<${name} ${language}>`,
      unsubscribe: (user) => Effect.sync(() => void ended.push(`${name} ${user === users.read}`))
    })
  }
  ended.length = 0
  const url = new URL((yield* makeUnsubscribeUrls).url(users.read, "comments"))
  return url.pathname + url.search
})

const send = Effect.fnUntraced(function* (path: string, method: string, body?: string, headers = {}) {
  const { send } = yield* Harness
  return yield* send(path, { method, headers: { ...form, ...headers }, ...(body !== undefined && { body }) })
})

onEachAdapter("Unsubscribing", (it) => {
  it.effect("only asks when the page is opened", () =>
    Effect.gen(function* () {
      const path = yield* setting
      const page = yield* send(path, "GET", undefined, { "accept-language": "de-AT,en" }).pipe(has(200))
      assert.deepStrictEqual(ended, [])
      assert.include(page.text, '<html lang="de" dir="ltr">')
      assert.include(page.text, "E-Mails mehr zu „&lt;comments de&gt;“")
      assert.strictEqual(page.text.match(/<form method="post">/g)?.length, 2)
      const policy = page.headers.get("content-security-policy")!
      const style = /<style>(.*)<\/style>/.exec(page.text)![1]!
      assert.include(policy, `'sha256-${createHash("sha256").update(style).digest("base64")}'`)
      assert.include(policy, "form-action 'self'")
      assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(page.headers.get("cache-control"), "no-store")
      yield* send(path, "HEAD").pipe(has(200))
      assert.deepStrictEqual(ended, [])
    })
  )

  it.effect("ends one list by the button of a mail program, without a session", () =>
    Effect.gen(function* () {
      const path = yield* setting
      yield* send(path, "POST", "List-Unsubscribe=One-Click").pipe(has(200))
      yield* send(path, "POST", "scope=list").pipe(has(200))
      yield* send(path, "POST", "").pipe(has(200))
      assert.deepStrictEqual(ended, ["comments true", "comments true", "comments true"])
    })
  )

  it.effect("ends all lists by the button of the page", () =>
    Effect.gen(function* () {
      const path = yield* setting
      const page = yield* send(path, "POST", "scope=all").pipe(has(200))
      assert.include(page.text, "You are unsubscribed")
      assert.deepStrictEqual(ended, ["comments true", "digest true"])
    })
  )

  it.effect("is in the language that the user chose", () =>
    Effect.gen(function* () {
      const path = yield* setting
      const { users } = yield* Harness
      const { update } = yield* Users
      yield* update(users.read, { language: "ar" }).pipe(asHost)
      const page = yield* send(path, "GET", undefined, { "accept-language": "de" }).pipe(has(200))
      assert.include(page.text, '<html lang="ar" dir="rtl">')
      yield* update(users.read, { language: null }).pipe(asHost)
    })
  )

  it.effect("is refused for another user, another list, or without a signature", () =>
    Effect.gen(function* () {
      const path = yield* setting
      const { users } = yield* Harness
      for (const invalid of [
        path.replace(users.read, users.admin),
        path.replace("list=comments", "list=digest"),
        path.replace(/signature=.*/, "signature="),
        path.replace(/signature=/, "signature=x"),
        path.replace("list=comments", "list=unknown"),
        "/mail/unsubscribe",
        "/mail/unsubscribe?user=%00&list=%ff&signature=%F0%9F%98%80"
      ]) {
        yield* send(invalid, "GET").pipe(has(404))
        yield* send(invalid, "POST", "scope=all").pipe(has(404))
      }
      yield* send(path, "DELETE").pipe(has(405))
      assert.deepStrictEqual(ended, [])
    })
  )
})
