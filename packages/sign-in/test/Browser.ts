/** Browsers without a network: they send forms and store cookies, over the app of pages on a store in memory. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { PasswordHasher } from "@lectern/sign-in/password/PasswordHasher"
import * as SignIn from "@lectern/sign-in/SignIn"
import { accountPath, homePath } from "@lectern/sign-in/server/Paths"
import * as SignInApp from "@lectern/sign-in/server/SignInApp"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

export const publicUrl = "https://docs.example.com"

const verified: Array<string | undefined> = []

/** Compares passwords without work. */
export const plainHasher = Layer.succeed(
  PasswordHasher,
  PasswordHasher.of({
    isAvailable: true,
    hash: (password) => Effect.succeed(`hash of ${Redacted.value(password)}`),
    verify: (password, hash) =>
      Effect.sync(() => {
        verified.push(hash)
        return hash === `hash of ${Redacted.value(password)}`
      })
  })
)

/** Hashes that were compared since the start of the file. */
export const verifiedHashes: ReadonlyArray<string | undefined> = verified

export const instance = (options: SignIn.SignInOptions = {}, lecternOptions: Lectern.LecternOptions = {}) =>
  Lectern.layer({
    ...lecternOptions,
    extensions: [SignIn.extension({ passwordHasher: plainHasher, ...options })]
  }).pipe(Layer.provideMerge(MemoryStorage.testLayer), Layer.provide(Layer.succeed(PublicUrl, publicUrl)))

export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Path and query that the response redirects to. */
  readonly location: string | null
}

interface BrowserOptions {
  readonly address?: string
  readonly userAgent?: string
  readonly language?: string
}

const ownForm = { "sec-fetch-site": "same-origin", origin: publicUrl }

type Fields = Readonly<Record<string, string>>

export interface Browser {
  /** Values of cookies by their full names. */
  readonly cookies: Map<string, string>
  readonly send: (
    method: string,
    path: string,
    options?: { readonly fields?: Fields; readonly headers?: Fields }
  ) => Effect.Effect<Page, StorageError>
  readonly get: (path: string) => Effect.Effect<Page, StorageError>
  /** Sends a form of a page of this server. */
  readonly post: (path: string, fields?: Fields) => Effect.Effect<Page, StorageError>
  /** Sends a form, and follows redirects. */
  readonly submit: (path: string, fields?: Fields) => Effect.Effect<Page, StorageError>
}

/** Creates browsers that share one app. */
export const makeBrowsers = Effect.gen(function* () {
  const app = yield* SignInApp.make
  return ({ address = "192.0.2.1", userAgent = "", language = "en" }: BrowserOptions = {}): Browser => {
    const cookies = new Map<string, string>()
    const send: Browser["send"] = Effect.fnUntraced(function* (method, path, { fields, headers = {} } = {}) {
      const request = new Request(publicUrl + path, {
        method,
        headers: {
          host: "docs.example.com",
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
          "user-agent": userAgent,
          "accept-language": language,
          ...(fields && { "content-type": "application/x-www-form-urlencoded" }),
          ...headers
        },
        ...(fields && { body: new URLSearchParams(fields).toString() })
      })
      const source = HttpServerRequest.fromWeb(request).modify({ remoteAddress: Option.some(address) })
      const response = HttpServerResponse.toWeb(yield* app.respond(source))
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0(;|$)/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      const text = yield* Effect.promise(() => response.text())
      const page: Page = {
        status: response.status,
        headers: response.headers,
        text,
        location: response.headers.get("location")
      }
      return page
    })
    const get = (path: string) => send("GET", path)
    const post = (path: string, fields: Fields = {}) => send("POST", path, { fields, headers: ownForm })
    return {
      cookies,
      send,
      get,
      post,
      submit: Effect.fnUntraced(function* (path, fields) {
        let page = yield* post(path, fields)
        // The home page belongs to another app, whose users find their account there.
        for (let i = 0; i < 5 && page.location !== null; i++)
          page = yield* get(page.location === homePath ? accountPath : page.location)
        return page
      })
    }
  }
})

/** A member of an organization, who is its administrator. */
export const member = Effect.fnUntraced(function* (email = "ada@example.com") {
  const { id } = yield* (yield* Users).create({ email, displayName: "Ada" })
  const organization = yield* (yield* Organizations)
    .create({ title: "Acme" }, id)
    .pipe(Effect.provideService(CurrentActor, host))
  return { id, email, organization: organization.id }
})

/** Text of a page without its tags. */
export const words = ({ text }: Page): string =>
  text
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ")
