/**
 * Compares the times of the sign-in pages for addresses with and without an account, on the app over a SQLite file,
 * without a network. Requests with both kinds of addresses take turns, in changing order, each from another client
 * address and for another account, so that no pause applies. Background work runs, such as sending the mail.
 *
 * "Slower" is the share of pairs in which the address with an account took longer: At 0.5 the
 * time reveals nothing, and at 1 everything.
 * "And after it" is the time of a request together with ten requests for another page right after it, which have to wait
 * for work that continues after the response.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { MailTransport } from "@lectern/core/mail/MailTransport"
import { Users } from "@lectern/core/user/Users"
import { NodePasswordHasher } from "@lectern/services-node/password/NodePasswordHasher"
import { Passwords } from "@lectern/sign-in/password/Passwords"
import * as SignIn from "@lectern/sign-in/SignIn"
import * as SignInApp from "@lectern/sign-in/server/SignInApp"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { median } from "./Http.ts"

const publicUrl = "https://docs.example.com"
/** Pairs of requests of each kind that count, and those before them. */
const pairs = 100
const warmUp = 20
/** Number of kinds. Each uses accounts of its own, because an account gets three links in a row. */
const kindCount = 5
/** Number of requests for another page right after a followed request. */
const followers = 10
/** Time in ms between requests, in which background work ends. */
const gap = 25

const mail = Layer.succeed(
  MailTransport,
  MailTransport.of({ sender: { address: "docs@example.com" }, send: () => Effect.void })
)

const lectern = (folder: string) =>
  Lectern.layer({
    hasher: NodeHasher.layer,
    mail,
    mailLimits: { perMinute: 100_000 },
    extensions: [SignIn.extension({ passwordHasher: NodePasswordHasher.layer })]
  }).pipe(
    Layer.provideMerge(SqliteStorage.layer({ filename: join(folder, "lectern.db") })),
    Layer.provide(Layer.succeed(PublicUrl, publicUrl))
  )

type Fields = Readonly<Record<string, string>>

const measure = Effect.gen(function* () {
  const app = yield* SignInApp.make
  yield* (yield* JobWorker).start
  const users = yield* Users
  const passwords = yield* Passwords
  const accounts = kindCount * (pairs + warmUp)
  for (let i = 0; i < accounts; i++) {
    const { id } = yield* users.create({ email: `known-${i}@example.com` })
    // The first comparison needs accounts with a password.
    if (i < pairs + warmUp) yield* passwords.set(id, Redacted.make(`correct horse ${i} battery`))
  }
  let requests = 0
  let next = 0

  const send = Effect.fnUntraced(function* (path: string, fields?: Fields) {
    requests++
    const request = new Request(publicUrl + path, {
      method: fields === undefined ? "GET" : "POST",
      headers: {
        host: "docs.example.com",
        origin: publicUrl,
        "sec-fetch-site": "same-origin",
        ...(fields && { "content-type": "application/x-www-form-urlencoded" })
      },
      ...(fields && { body: new URLSearchParams(fields).toString() })
    })
    const address = `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`
    return yield* app.respond(HttpServerRequest.fromWeb(request).modify({ remoteAddress: Option.some(address) }))
  })

  /** Returns the time of a request in ms, with that of the requests after it if `isFollowed`. */
  const timeOf = Effect.fnUntraced(function* (path: string, fields: Fields, isFollowed: boolean) {
    const startedAt = performance.now()
    const { status } = yield* send(path, fields)
    for (let i = 0; i < (isFollowed ? followers : 0); i++) {
      // A response is written and the next request is read in turns of their own.
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* send("/-/sign-in")
    }
    const time = performance.now() - startedAt
    if (status === 429 || status >= 500) return yield* Effect.die(`${path} responded with ${status}`)
    yield* Effect.sleep(gap)
    return time
  })

  const compare = Effect.fnUntraced(function* (
    name: string,
    path: string,
    { more = {}, isFollowed = false }: { readonly more?: Fields; readonly isFollowed?: boolean } = {}
  ) {
    const times = { known: [] as Array<number>, unknown: [] as Array<number> }
    let slower = 0
    for (let i = -warmUp; i < pairs; i++) {
      const account = next++
      const pair = { known: 0, unknown: 0 }
      const kinds = ["known", "unknown"] as const
      for (const kind of i % 2 === 0 ? kinds : kinds.toReversed()) {
        pair[kind] = yield* timeOf(path, { email: `${kind}-${account}@example.com`, ...more }, isFollowed)
      }
      if (i < 0) continue
      times.known.push(pair.known)
      times.unknown.push(pair.unknown)
      if (pair.known > pair.unknown) slower++
    }
    return {
      Request: name,
      "With account, ms": median(times.known).toFixed(2),
      "Without, ms": median(times.unknown).toFixed(2),
      Slower: (slower / pairs).toFixed(2)
    }
  })

  const wrong = { password: "wrong password 1" }
  return [
    yield* compare("Wrong password", "/-/sign-in", { more: wrong }),
    yield* compare("Account without a password", "/-/sign-in", { more: wrong }),
    yield* compare("Link by mail", "/-/sign-in/link"),
    yield* compare("Forgotten password", "/-/password"),
    yield* compare("Link by mail, and after it", "/-/sign-in/link", { isFollowed: true })
  ]
})

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-sign-in-"))
  try {
    return await Effect.runPromise(measure.pipe(Effect.scoped, Effect.provide(lectern(folder))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
