/**
 * The whole application without a network: the real handler on each adapter, with members of every role in one
 * organization and a member of another one. The test clock starts in 2026.
 *
 * Every response is checked against the general conventions: a request id, a JSON body with its content
 * type, and the common error body for failures.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { Role } from "@lectern/core/access/Role"
import { partitionOptions } from "@lectern/core/schema/OptionNames"
import { Tokens } from "@lectern/core/token/Tokens"
import * as Lectern from "@lectern/core/Lectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { ResponseCacheOptions } from "@lectern/http/server/cache/ResponseCache"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { assert, it, type Vitest } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { endpointOf, failuresOf, conditionsFor } from "./Endpoints.ts"
import { problemsOf, releases } from "./HostedSchemas.ts"
import { ErrorBody } from "./Shapes.ts"
import { memoryLayer } from "../../core/test/Adapters.ts"

/** Members of the organization by role, a member of another organization, and a client without a token. */
export type Person = Role | "guest" | "outsider" | "nobody"
export type Caller = Person | { readonly token: string }

export const people = ["admin", "create", "review", "edit", "comment", "read", "guest", "outsider"] as const

export interface Answer {
  readonly request: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Uint8Array
}

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

/** Start of the test clock. */
export const start = Date.UTC(2026, 0, 1)

const keptAtOnce = { bytes: 4 * 1024 * 1024, admitFirst: true }

const baseUrl = "http://127.0.0.1:4000"

export class Harness extends Context.Service<
  Harness,
  {
    readonly organization: string
    /** Organization of the outsider. */
    readonly elsewhere: string
    readonly users: Readonly<Record<Exclude<Person, "nobody">, UserId>>
    /** Strings and bytes are sent unchanged, other values as JSON. */
    readonly call: (
      actor: Caller,
      method: Method,
      path: string,
      body?: unknown,
      headers?: Record<string, string>
    ) => Effect.Effect<Answer>
    /** Sends a request unchanged, without a token. */
    readonly send: (path: string, init: RequestInit & { readonly duplex?: "half" }) => Effect.Effect<Answer>
    /** Endpoints that responded with success, as `group.endpoint`. */
    readonly succeeded: ReadonlySet<string>
  }
>()("@lectern/http/test/Harness") {
  static readonly layer = Layer.effect(
    Harness,
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      // The response cache must be correct in every test.
      const app = yield* Effect.provideService(HttpApp.make, ResponseCacheOptions, keptAtOnce)
      const organizations = yield* Organizations
      const users = yield* Users
      const tokens = yield* Tokens
      const fetch = yield* WebHandler.make(app)
      const succeeded = new Set<string>()

      const newcomer = Effect.fnUntraced(function* (name: string) {
        const { id } = yield* users.create({ email: `${name}@example.com`, displayName: name })
        const { token } = yield* tokens.create(id)
        return { id, token: Redacted.value(token) }
      })
      const team = Object.fromEntries(
        yield* Effect.forEach(people, (name) => Effect.map(newcomer(name), (made) => [name, made] as const))
      ) as Record<(typeof people)[number], { readonly id: UserId; readonly token: string }>
      const found = (title: string, administrator: UserId) =>
        organizations.create({ title }, administrator).pipe(Effect.provideService(CurrentActor, host))
      const acme = yield* found("Acme", team.admin.id)
      const elsewhere = yield* found("Elsewhere", team.outsider.id)
      for (const name of people) {
        if (name === "admin" || name === "outsider") continue
        yield* organizations.join(acme.id, team[name].id, name === "guest" ? null : name)
      }

      const send = Effect.fnUntraced(function* (path: string, init: RequestInit) {
        const url = path.startsWith("http") ? path : baseUrl + path
        const answer = yield* Effect.promise(async (): Promise<Answer> => {
          const response = await fetch(new Request(url, init))
          const bytes = new Uint8Array(await response.arrayBuffer())
          return {
            request: `${init.method} ${path}`,
            status: response.status,
            headers: response.headers,
            text: new TextDecoder().decode(bytes),
            bytes
          }
        })
        checkConventions(answer, init.method ?? "GET")
        checkStatus(answer, init.method ?? "GET", new URL(url).pathname)
        checkHostedSchemas(answer, init.method ?? "GET", new URL(url).pathname)
        const endpoint = endpointOf(init.method ?? "GET", new URL(url).pathname)
        if (answer.status < 300 && endpoint !== undefined) succeeded.add(endpoint)
        return answer
      })

      return Harness.of({
        organization: acme.id,
        elsewhere: elsewhere.id,
        users: Object.fromEntries(people.map((name) => [name, team[name].id])) as Record<
          (typeof people)[number],
          UserId
        >,
        send,
        succeeded,
        call: (actor, method, path, body, headers) => {
          const token = typeof actor === "object" ? actor.token : actor === "nobody" ? undefined : team[actor].token
          return send(path, {
            method,
            headers: {
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
              ...(body !== undefined && { "content-type": "application/json" }),
              ...headers
            },
            ...(body !== undefined && {
              body: typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body)
            })
          })
        }
      })
    })
  )
}

const checkConventions = ({ request, status, headers, text }: Answer, method: string) => {
  assert.match(headers.get("x-request-id") ?? "", /^[1-9A-Za-z]{22}(-[0-9a-z]+)?$/, `${request} has no id`)
  if (method === "HEAD" || status === 204 || status === 304) {
    assert.strictEqual(text, "", `${request} has a body`)
    return
  }
  if (status < 400) return checkLocations(request, headers, text)
  assert.strictEqual(headers.get("content-type"), "application/json", request)
  const { error } = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(text))
  assert.strictEqual(error.code, status, `${request} answered ${text}`)
  if (status === 429) assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/, `${request} has to say when`)
  // Programs and backends of others may fail or be busy. Lectern itself must not.
  const isPutOff = status === 503 && headers.has("retry-after")
  if (status !== 502 && !isPutOff) assert.isBelow(status, 500, `${request} answered ${text}`)
  assert.notMatch(error.message, /\bat .*:\d+:\d+/, `${request} tells of its inside`)
}

/** A failure must be listed in the description of the operation, and so must statuses of conditional requests. */
const checkStatus = ({ request, status, text }: Answer, method: string, path: string) => {
  const isListed = endpointOf(method, path) !== undefined
  if (isListed && status === 206) assert.include(["ranges", "replaced"], conditionsFor(method, path), request)
  if (isListed && status === 304) assert.include(["ranges", "replaced", "held"], conditionsFor(method, path), request)
  if (isListed && status === 307) assert.strictEqual(conditionsFor(method, path), "replaced", request)
  const listed = status < 400 ? undefined : failuresOf(method, path)
  if (listed !== undefined) assert.isTrue(listed.has(status), `${request} is not said to answer ${status}: ${text}`)
}

/** Resources that the hosted service also has must match both releases of its client's description. */
const checkHostedSchemas = ({ request, status, headers, text }: Answer, method: string, path: string) => {
  if (status >= 300 || text === "" || headers.get("content-type") !== "application/json") return
  for (const release of releases) {
    const problems = problemsOf(release, method, path, status, text)
    if (problems.length > 0) {
      const found = [...new Set(problems.map(({ at, problem }) => `${at} ${problem}`))].join("\n")
      throw new Error(`${request} is not what @gitbook/api ${release} describes:\n${found}\n${text.slice(0, 1000)}`)
    }
  }
}

/** The `location` of a resource must be a URL that the API serves. */
const checkLocations = (request: string, headers: Headers, text: string) => {
  if (headers.get("content-type") !== "application/json") return
  for (const [, location = ""] of text.matchAll(/"location":"([^"]+)"/g)) {
    if (!location.startsWith(`${baseUrl}/v1/`)) continue
    assert.isDefined(endpointOf("GET", new URL(location).pathname), `${request} tells of ${location}`)
  }
}

const said = ({ request, status, text }: Answer) => `${request} answered ${status} ${text.slice(0, 1000)}`

/** Returns the body of a response, which must have a status and match a schema. */
export const answers =
  <S extends Schema.Codec<unknown, unknown>>(status: number, shape: S) =>
  <R>(call: Effect.Effect<Answer, never, R>): Effect.Effect<S["Type"], never, R> =>
    Effect.map(call, (answer) => {
      assert.strictEqual(answer.status, status, said(answer))
      try {
        return Schema.decodeUnknownSync(shape)(JSON.parse(answer.text))
      } catch (error) {
        throw new Error(`${said(answer)}\n${error instanceof Error ? error.message : ""}`, { cause: error })
      }
    })

/** Returns a response, which must have a status. */
export const has =
  (status: number) =>
  <R>(call: Effect.Effect<Answer, never, R>): Effect.Effect<Answer, never, R> =>
    Effect.tap(call, (answer) => Effect.sync(() => assert.strictEqual(answer.status, status, said(answer))))

/** Returns the error of a failed call. */
export const refused =
  (status: number) =>
  <R>(call: Effect.Effect<Answer, never, R>): Effect.Effect<typeof ErrorBody.Type.error, never, R> =>
    Effect.map(call.pipe(answers(status, ErrorBody)), ({ error }) => error)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-http-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const onSqlite = Layer.unwrap(
  Effect.map(folder, (folder) => SqliteStorage.layer({ filename: join(folder, "lectern.db") }))
)

/** Suites create many organizations as one administrator, with hostnames that don't exist. */
const usual = { organizations: { perUser: 10_000 }, addressProof: "never" as const }

type Options = Lectern.LecternOptions & Exchange.ExchangeOptions

const lectern = (options: Options) => {
  const [exchange, others] = partitionOptions(Exchange.optionNames, options)
  return Lectern.layer({ ...usual, ...others, extensions: [Exchange.extension(exchange)] })
}

const adapters = {
  memory: (options: Options) => lectern(options).pipe(Layer.provideMerge(memoryLayer)),
  SQLite: (options: Options) => lectern({ ...options, hasher: NodeHasher.layer }).pipe(Layer.provideMerge(onSqlite))
}

export type Services = Harness | Layer.Success<ReturnType<(typeof adapters)["SQLite"]>>

/**
 * Runs tests on each adapter: memory in `pnpm test`, SQLite in `pnpm test:all`. The tests of a suite share an instance
 * and its clock.
 */
export const onEachAdapter = (
  name: string,
  tests: (it: Vitest.MethodsNonLive<Services>) => void,
  options: Options = {}
) => {
  const adapter = process.env["LECTERN_TEST"] === "all" ? "SQLite" : "memory"
  it.layer(Harness.layer.pipe(Layer.provideMerge(adapters[adapter](options))))(`${name} (${adapter})`, tests)
}

/**
 * Runs tests only on the memory adapter, for suites that don't depend on storage. `references` are set for all of them.
 */
export const onMemory = (
  name: string,
  tests: (it: Vitest.MethodsNonLive<Services>) => void,
  options: Options = {},
  references: Layer.Layer<never> = Layer.empty
) =>
  it.layer(Harness.layer.pipe(Layer.provideMerge(adapters.memory(options)), Layer.provideMerge(references)))(
    name,
    tests
  )
