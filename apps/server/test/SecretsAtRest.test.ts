/**
 * No byte of a secret is in the data folder, while it is in use or afterwards: all files are read for all
 * of them. And every kind there is, is read again once the key was changed.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeCipher } from "@lectern/adapter-sqlite/NodeCipher"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Tokens } from "@lectern/core/token/Tokens"
import { InstanceTable } from "@lectern/core/identity/InstanceRow"
import { Secrets } from "@lectern/core/identity/Secrets"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lease from "@lectern/core/job/Lease"
import * as Lectern from "@lectern/core/Lectern"
import { MailId, MailTable } from "@lectern/core/mail/Mail"
import { SecondFactorTable } from "@lectern/core/sign-in/SecondFactor"
import { OidcSessionTable } from "@lectern/core/sso/OidcSession"
import { SignOnProviderId } from "@lectern/core/sso/SignOnProvider"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { UserId } from "@lectern/core/user/User"
import { partitionOptions } from "@lectern/core/schema/OptionNames"
import * as Exchange from "@lectern/exchange/Exchange"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@lectern/core/identity/Ids"
import { rotate } from "@lectern/core/identity/KeyRotation"
import { keyIdOf } from "@lectern/core/identity/Seal"
import { sealedTables } from "@lectern/core/identity/SealedTables"
import type { SealedField, Table } from "@lectern/core/storage/Table"
import { Effect, Layer, Redacted } from "effect"
import { Harness, has } from "../../../packages/http/test/Harness.ts"
import { createSite } from "../../../packages/http/test/SiteSteps.ts"
import { createSpace } from "../../../packages/http/test/Steps.ts"
import { publishIntegration } from "../../../packages/http/test/IntegrationSteps.ts"
import { UnsafeRuntime } from "../../../packages/http/test/UnsafeRuntime.ts"
import { gitServer } from "../../../packages/services-node/test/GitServer.ts"
import { ask, fails, hasGit, info, outside, small } from "./GitSteps.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-secrets-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const sqlite = (data: string, alone = false) =>
  SqliteStorage.layer({ filename: join(data, "lectern.db"), exclusive: alone })

const [exchange, services] = partitionOptions(Exchange.optionNames, outside)

const lectern = Lectern.layer({
  ...services,
  extensions: [Exchange.extension(exchange)],
  hasher: NodeHasher.layer,
  cipher: NodeCipher.layer,
  integrationRuntime: UnsafeRuntime.layer
})

const instance = (data: string) =>
  Harness.layer.pipe(
    Layer.provideMerge(lectern),
    Layer.provideMerge(sqlite(data)),
    Layer.merge(Layer.succeed(CurrentActor, host))
  )

const files = (data: string): ReadonlyArray<string> =>
  readdirSync(data, { recursive: true, encoding: "utf8" })
    .map((name) => join(data, name))
    .filter((path) => statSync(path).isFile())

/** Every file but the one of the key itself. */
const assertSealed = (data: string, secrets: Readonly<Record<string, string>>) => {
  assert.isTrue(existsSync(join(data, "lectern.db-wal")))
  for (const path of files(data)) {
    if (path.endsWith("-key")) continue
    const bytes = readFileSync(path)
    for (const [name, secret] of Object.entries(secrets)) {
      assert.isAtLeast(secret.length, 8, name)
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64url")]) {
        assert.isFalse(bytes.includes(form), `${name} is in ${path}`)
      }
    }
  }
}

/** A program that logs a text, which does not stand in its script. */
const logging = (codes: ReadonlyArray<number>) =>
  `export default { fetch: async (request, env, { log }) => { log(String.fromCharCode(${codes.join()})); return new Response() } }`

const markdown = "A marked sentence, so that the test knows what it would find."

describe("Secrets at rest", () => {
  it.effect("are nowhere in the data folder", () =>
    Effect.gen(function* () {
      const data = yield* folder
      yield* Effect.gen(function* () {
        const { call, users, organization } = yield* Harness
        const secrets: Record<string, string> = {}
        const holds = () => assertSealed(data, secrets)

        // What is no secret is there to be read: the test would find one.
        const { id: space } = yield* createSpace({ title: "Docs" })
        yield* call("admin", "PATCH", `/v1/spaces/${space}`, { title: markdown.slice(0, 40) }).pipe(has(200))
        assert.isTrue(files(data).some((path) => readFileSync(path).includes(markdown.slice(0, 40))))

        const row = yield* (yield* Storage).repository(InstanceTable).get({ id: "instance" })
        secrets["the instance's secret"] = yield* (yield* Secrets).open(InstanceTable, row!, "secret")
        secrets["the key"] = readFileSync(join(data, "lectern.db-key"), "utf8").trim()
        holds()

        const tokens = yield* Tokens
        secrets["a token"] = Redacted.value((yield* tokens.create(users.admin)).token)
        secrets["a chosen token"] = "a-token-that-an-operator-chose-0123456789"
        yield* tokens.create(users.admin, { token: Redacted.make(secrets["a chosen token"]) })
        holds()

        const site = yield* createSite([space])
        const at = `/v1/orgs/${organization}/sites/${site.id}`
        const auth = yield* call("admin", "GET", `${at}/publishing/auth`).pipe(has(200))
        secrets["a site's key"] = JSON.parse(auth.text).privateKey
        const next = yield* call("admin", "POST", `${at}/publishing/auth/regenerate`).pipe(has(200))
        secrets["a site's new key"] = JSON.parse(next.text).privateKey
        assert.notStrictEqual(secrets["a site's key"], secrets["a site's new key"])
        holds()

        const link = yield* call("admin", "POST", `${at}/share-links`, { name: "For partners" }).pipe(has(201))
        const { id, urls } = JSON.parse(link.text)
        secrets["a share key"] = new URL(urls.published).pathname.split("/").at(-2)!
        assert.strictEqual(secrets["a share key"].length, 43)
        yield* call("admin", "PATCH", `${at}/share-links/${id}`, { active: false }).pipe(has(200))
        const links = yield* call("admin", "GET", `${at}/share-links`).pipe(has(200))
        assert.include(links.text, secrets["a share key"])
        holds()

        if (hasGit) {
          secrets["a Git user"] = "the-user-of-a-repository"
          secrets["a Git password"] = "p4ssw0rd-of/a-repository"
          const credentials = `${secrets["a Git user"]}:${secrets["a Git password"]}`
          const server = yield* gitServer({ credentials })
          server.init("docs.git")
          server.commit("docs.git", small)
          const inUrl = `${secrets["a Git user"]}:${encodeURIComponent(secrets["a Git password"])}`
          const url = server.urlOf("docs.git").replace("//", `//${inUrl}@`)
          yield* ask(space, "import", { url }).pipe(has(204))
          holds()
          yield* (yield* JobWorker).runDue
          assert.strictEqual((yield* info(space)).operation.state, "success")
          holds()
          yield* fails(space, "import", server.urlOf("none.git").replace("//", `//${inUrl}@`))
          holds()
        }

        const name = "sealed-integration"
        const asked = { method: "POST", path: `/v1/integrations/${name}` } as const
        const configure = (path: string, configuration: object) =>
          call("admin", "PATCH", path, { configuration }).pipe(has(200))
        secrets["an integration's secret"] = "what-a-publisher-keeps-there"
        secrets["a log"] = "what-a-program-writes-to-its-log"
        yield* publishIntegration(name, {
          secrets: { CLIENT_SECRET: secrets["an integration's secret"] },
          script: logging([...secrets["a log"]].map((letter) => letter.charCodeAt(0)))
        })
        const { id: installation } = yield* call("admin", asked.method, `${asked.path}/installations`, {
          organization
        }).pipe(
          has(201),
          Effect.map(({ text }) => JSON.parse(text))
        )
        const installed = `${asked.path}/installations/${installation}`
        secrets["a configuration"] = "the-oauth-token-of-an-organization"
        yield* configure(installed, { token: secrets["a configuration"] })
        secrets["a configuration of a space"] = "the-api-key-of-a-space"
        yield* configure(`${installed}/spaces/${space}`, { token: secrets["a configuration of a space"] })
        holds()
        secrets["a task"] = "what-a-task-is-to-do-later"
        yield* call("admin", "POST", `${asked.path}/tasks`, { task: { do: secrets["a task"] }, schedule: 60 }).pipe(
          has(204)
        )
        yield* (yield* JobWorker).runDue
        holds()
        secrets["a tunnel"] = "tunnel-of-a-developer"
        yield* call("admin", "PUT", `${asked.path}/dev`, { tunnelUrl: `http://127.0.0.1/${secrets["a tunnel"]}` }).pipe(
          has(204)
        )
        holds()
        yield* call("admin", "DELETE", `${asked.path}`).pipe(has(204))
        yield* (yield* JobWorker).runDue
        holds()

        yield* call("admin", "DELETE", `${at}/share-links/${id}`).pipe(has(204))
        yield* call("admin", "DELETE", at).pipe(has(204))
        yield* (yield* JobWorker).runDue
        holds()
      }).pipe(Effect.provide(instance(data)))
      for (const path of files(data)) assert.strictEqual(statSync(path).mode & 0o077, 0, path)
    })
  )

  it.effect("are sealed anew where the key is changed, every kind there is", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const before = yield* Effect.provide(
        Effect.gen(function* () {
          const { call, organization, users } = yield* Harness
          const { id: space } = yield* createSpace({ title: "Docs" })
          const site = yield* createSite([space])
          yield* call("admin", "POST", `/v1/orgs/${organization}/sites/${site.id}/share-links`, { name: "One" }).pipe(
            has(201)
          )
          const path = "/v1/integrations/one-of-each"
          yield* publishIntegration("one-of-each", { secrets: { KEY: "value" }, script: logging([97]) })
          const installing = yield* call("admin", "POST", `${path}/installations`, { organization }).pipe(has(201))
          const installed = `${path}/installations/${JSON.parse(installing.text).id}`
          yield* call("admin", "PATCH", installed, { configuration: { token: "a" } }).pipe(has(200))
          yield* call("admin", "PATCH", `${installed}/spaces/${space}`, { configuration: { token: "b" } }).pipe(
            has(200)
          )
          yield* (yield* JobWorker).runDue
          yield* call("admin", "PUT", `${path}/dev`, { tunnelUrl: "http://127.0.0.1/" }).pipe(has(204))
          yield* call("admin", "POST", `${path}/tasks`, { task: { a: 1 }, schedule: 60 }).pipe(has(204))
          yield* ask(space, "import", { url: "https://ann:password@127.0.0.1/docs.git" }).pipe(has(204))
          yield* call("admin", "POST", `/v1/orgs/${organization}/webhooks`, {
            url: "https://hooks.example.com/",
            types: ["change_request_merged"]
          }).pipe(has(201))
          yield* call("admin", "POST", `/v1/orgs/${organization}/oidc`, {
            label: "Acme",
            issuer: "https://id.example.com",
            clientID: "lectern",
            clientSecret: "a secret of a client"
          }).pipe(has(201))
          yield* sealRows(users.admin)
          return yield* everything
        }),
        instance(data)
      )
      // Whoever declares a field as sealed puts one of it here.
      const declared = sealedTables.flatMap((table) => table.sealed.map((field) => `${table.name} ${field}`))
      const seen = new Set(before.map(({ kind }) => kind))
      assert.deepStrictEqual(
        declared.filter((kind) => !seen.has(kind)),
        ["instance formerKey"]
      )

      const ports = Layer.mergeAll(Ids.layer, NodeHasher.layer, NodeCipher.layer, sqlite(data, true))
      const rotated = yield* Effect.provide(rotate, ports, { local: true })
      assert.deepStrictEqual(rotated, { sealed: before.length, unreadable: 0 })

      const after = yield* Effect.provide(everything, Layer.provideMerge(lectern, sqlite(data)), { local: true })
      const values = (all: typeof before) => all.map(({ kind, value }) => ({ kind, value }))
      assert.deepStrictEqual(values(after), values(before))
      assert.strictEqual(new Set(after.map(({ keyId }) => keyId)).size, 1)
      assert.notStrictEqual(after[0]!.keyId, before[0]!.keyId)
    })
  )
})

/** Inserts rows of kinds that need a mail server, a provider or an app. */
const sealRows = Effect.fnUntraced(function* (user: UserId) {
  const storage = yield* Storage
  const { seal } = yield* Secrets
  const at = Timestamps.at(0)
  const mail = MailId.make("mail")
  yield* storage.repository(MailTable).insert({
    id: mail,
    kind: "test",
    key: "test",
    payload: yield* seal(MailTable, { id: mail }, "payload", { link: "https://example.com/" }),
    urgent: false,
    status: "failed",
    lease: Lease.free(at),
    attempts: 1,
    expiresAt: at,
    createdAt: at,
    updatedAt: at
  })
  yield* storage.repository(OidcSessionTable).insert({
    id: "session",
    provider: SignOnProviderId.make("provider"),
    token: "token",
    subject: "subject",
    idToken: yield* seal(OidcSessionTable, { id: "session" }, "idToken", "an ID token"),
    until: at
  })
  yield* storage.repository(SecondFactorTable).insert({
    user,
    secret: yield* seal(SecondFactorTable, { user }, "secret", "a secret of an app"),
    recoveryCodes: [],
    failures: 0
  })
})

/** Every sealed value that there is, opened. */
const everything = Effect.gen(function* () {
  const storage = yield* Storage
  const secrets = yield* Secrets
  const found: Array<{ readonly kind: string; readonly keyId: string | undefined; readonly value: unknown }> = []
  for (const table of sealedTables) {
    for (const row of yield* storage.repository(table).list({ where: {} })) {
      for (const field of table.sealed as ReadonlyArray<SealedField<Table.Row<Table>>>) {
        if (row[field] === undefined) continue
        const value: unknown = yield* secrets.open(table, row, field)
        found.push({ kind: `${table.name} ${field}`, keyId: keyIdOf(row[field]), value })
      }
    }
  }
  return found
})
