/** No byte of a secret is in the data folder, while it is in use or afterwards: all files are read for all of them. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeCipher } from "@lectern/adapter-sqlite/NodeCipher"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Tokens } from "@lectern/core/access/Tokens"
import { InstanceTable } from "@lectern/core/identity/InstanceRow"
import { Secrets } from "@lectern/core/identity/Secrets"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Harness, has } from "../../../packages/http/test/Harness.ts"
import { createSite } from "../../../packages/http/test/SiteSteps.ts"
import { createSpace } from "../../../packages/http/test/Steps.ts"
import { gitServer } from "../../../packages/services-node/test/GitServer.ts"
import { ask, fails, hasGit, info, outside, patience, small } from "./GitSteps.ts"

vi.setConfig({ testTimeout: patience })

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-secrets-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const instance = (data: string) =>
  Harness.layer.pipe(
    Layer.provideMerge(Lectern.layer({ ...outside, hasher: NodeHasher.layer, cipher: NodeCipher.layer })),
    Layer.provideMerge(SqliteStorage.layer({ filename: join(data, "lectern.db") })),
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
        secrets["the instance's secret"] = yield* (yield* Secrets).open(["instance", "instance", "secret"], row!.secret)
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

        yield* call("admin", "DELETE", `${at}/share-links/${id}`).pipe(has(204))
        yield* call("admin", "DELETE", at).pipe(has(204))
        yield* (yield* JobWorker).runDue
        holds()
      }).pipe(Effect.provide(instance(data)))
      for (const path of files(data)) assert.strictEqual(statSync(path).mode & 0o077, 0, path)
    })
  )
})
