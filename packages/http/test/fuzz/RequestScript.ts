/**
 * Random requests from all kinds of actors to an organization that has one of every resource. A second organization,
 * `vault`, has the same resources but no common members.
 *
 * Each response must match its description and the common error body (checked by the harness), and must not disclose
 * data of the vault. Afterwards everything must still be readable, and the vault unchanged.
 */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Tokens } from "@lectern/core/token/Tokens"
import { Ids } from "@lectern/core/identity/Ids"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Users } from "@lectern/core/user/Users"
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { Harness, has } from "../Harness.ts"
import { makeThings } from "../Things.ts"
import { type FuzzActor, type FuzzRequest, operations, request } from "./Requests.ts"
import { thingIn } from "./Values.ts"

export const script = (requests: number) => fc.array(request, { minLength: requests, maxLength: requests })

/** Ids start with the time, which is that of the test clock. */
const isId = /(?<!\w)1[1-9A-HJ-NP-Za-km-z]{21}(?!\w)/g
const marker = "Vaulted"

/** Creates an actor with an organization of its own, with a title. */
const founder = Effect.fnUntraced(function* (title: string) {
  const users = yield* Users
  const name = `${title}-${yield* (yield* Ids).next}`
  const { id } = yield* users.create({ email: `${name}@example.com`, displayName: title })
  const organizations = yield* Organizations
  const { id: organization } = yield* organizations
    .create({ title }, id)
    .pipe(Effect.provideService(CurrentActor, host))
  const { token } = yield* (yield* Tokens).create(id)
  return { id, organization, token: Redacted.value(token) }
})

/** A harness for the vault: all of its titles and texts are marked, and its ids are recorded. */
const vaultHarness = Effect.fnUntraced(function* (ids: Set<string>) {
  const harness = yield* Harness
  const { id, organization, token } = yield* founder(marker)
  for (const each of [id, organization]) ids.add(each)
  return Harness.of({
    ...harness,
    organization,
    users: { ...harness.users, admin: id },
    call: (_, method, path, body, headers) => {
      const marked =
        body === undefined || typeof body === "string"
          ? body
          : JSON.parse(JSON.stringify(body).replaceAll(/"(title|markdown|name|label|subject)":"/g, `"$1":"${marker} `))
      return Effect.tap(harness.call({ token }, method, path, marked, headers), ({ text }) =>
        Effect.sync(() => {
          for (const [each] of text.matchAll(isId)) ids.add(each)
        })
      )
    }
  })
})

const makeWorld = Effect.gen(function* () {
  const harness = yield* Harness
  const ids = new Set<string>()
  const inVault = yield* vaultHarness(ids)
  const vault = yield* makeThings.pipe(Effect.provideService(Harness, inVault))
  yield* inVault.call("admin", "POST", `/v1/orgs/${vault.org}/sites/${vault.site}/unpublish`).pipe(has(200))
  // Each run has an organization of its own, so that its result depends only on its script.
  const { id: admin, organization, token } = yield* founder("Own")
  const own = Harness.of({
    ...harness,
    organization,
    users: { ...harness.users, admin },
    call: (actor, ...rest) => harness.call(actor === "admin" ? { token } : actor, ...rest)
  })
  const organizations = yield* Organizations
  for (const role of ["create", "review", "edit", "comment", "read", "guest"] as const) {
    yield* organizations.join(organization, harness.users[role], role === "guest" ? null : role)
  }
  const things = yield* makeThings.pipe(Effect.provideService(Harness, own))
  const site = `/v1/orgs/${organization}/sites/${things.site}`
  const published = JSON.parse((yield* own.call("admin", "GET", site)).text).urls.published
  const place = yield* own.call("admin", "POST", "/v1/urls/published", { url: published })
  const stranger = yield* founder("Stranger")
  return {
    harness: own,
    inVault,
    tokens: { visitor: JSON.parse(place.text).apiToken ?? "none", stranger: stranger.token, garbage: "garbage" },
    things: { own: { ...things, path: "page", user: things.member }, vault: { ...vault, path: "page" } },
    ids
  }
})

type World = Effect.Success<typeof makeWorld>

const named = (text: string, { things }: World): string =>
  text.replaceAll(/\$(own|vault)\.(\w+)/g, (whole, of: "own" | "vault", name: string) =>
    String((things[of] as unknown as Record<string, string>)[name] ?? whole)
  )

/** Replaces the names in brackets. Each is one path segment or the value of a parameter. */
const urlOf = (path: string, world: World): string =>
  path.replaceAll(/‹([^›]*)›/gu, (_, value: string) => encodeURIComponent(named(value, world).toWellFormed()))

const actorOf = (actor: FuzzActor, { tokens }: World) =>
  actor === "visitor" || actor === "stranger" || actor === "garbage" ? { token: tokens[actor] } : actor

const byName = new Map(operations.map((operation) => [operation.name, operation]))

const check = Effect.fnUntraced(function* (world: World, made: FuzzRequest) {
  const { call } = world.harness
  const path = urlOf(made.path, world)
  const body = made.body === undefined ? undefined : named(made.body, world)
  const answer = yield* call(actorOf(made.actor, world), made.method, path, body, made.headers)
  const { method, statuses } = byName.get(made.operation)!
  // An empty segment, or one of only dots, would change the path.
  const isElsewhere =
    /\/(%2e|\.){0,2}(\/|$|\?)/i.test(path) || (made.method !== method && !(made.method === "HEAD" && method === "GET"))
  const isDescribed = statuses.has(answer.status) || [304, 206, 416].includes(answer.status)
  if (!isElsewhere) assert.isTrue(isDescribed, `${answer.request} answered ${answer.status} ${answer.text}`)
  // A response may repeat values of its request.
  const asked = `${decodeURIComponent(path)} ${body ?? ""} ${JSON.stringify(made.headers)}`
  for (const [id] of answer.text.matchAll(isId)) {
    assert.isTrue(!world.ids.has(id) || asked.includes(id), `${made.actor} was told of ${id}: ${answer.text}`)
  }
  assert.notInclude(answer.text, marker, `${made.actor} asked ${answer.request}`)
  // Texts that the actors wrote themselves are not disclosures.
  if (answer.status < 300) for (const [id] of asked.matchAll(isId)) world.ids.delete(id)
})

/** All reads of the API for the initial resources of one of the organizations. */
const readsOf = (whose: "own" | "vault") =>
  operations
    .filter(({ method }) => method === "GET")
    .map(({ name, parameters, path }) => ({
      operation: name,
      path: parameters
        .filter((parameter) => parameter.in === "path")
        .reduce(
          (url, parameter) => url.replace(`{${parameter.name}}`, `‹$${whose}.${thingIn(path, parameter.name)}›`),
          path
        )
    }))

/** Reads everything as an administrator, and visible resources as a visitor. */
const readable = Effect.fnUntraced(function* (world: World) {
  for (const read of readsOf("own")) {
    for (const actor of ["admin", "visitor"] as const) {
      yield* check(world, { ...read, actor, method: "GET", headers: {} })
    }
  }
})

/** Removes public integrations from a list, since any organization can publish them to all. */
const withoutPublic = (text: string): string => {
  const { items } = JSON.parse(text) as { readonly items: ReadonlyArray<{ readonly visibility: string }> }
  return JSON.stringify(items.filter(({ visibility }) => visibility !== "public"))
}

/** All resources of the vault, as its own members read them. */
const inside = Effect.fnUntraced(function* (world: World) {
  const answers = new Map<string, string>()
  for (const { operation, path } of readsOf("vault")) {
    // The audit log records each export.
    if (operation === "pushes.export") continue
    const { status, text } = yield* world.inVault.call("admin", "GET", urlOf(path, world))
    answers.set(
      operation,
      `${status} ${operation.startsWith("integrations.list") && status === 200 ? withoutPublic(text) : text}`
    )
  }
  return answers
})

export const run = (requests: ReadonlyArray<FuzzRequest>) =>
  Effect.gen(function* () {
    const world = yield* makeWorld
    const before = yield* inside(world)
    for (const made of requests) yield* check(world, made)
    yield* readable(world)
    const after = yield* inside(world)
    for (const [operation, answer] of before) assert.strictEqual(after.get(operation), answer, operation)
  }).pipe(Effect.orDie)
