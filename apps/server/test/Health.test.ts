/** A server whose data is not what it should be: what it says, and what it does not do. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { InvalidSecretKey } from "@lectern/core/identity/SecretKey"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { OrganizationTable } from "@lectern/core/organization/Organization"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Data from "../src/Data.ts"
import { cleanUp, lectern, lecternJson, serve, type Server, temporaryFolder } from "./LecternProcess.ts"

const key = "a-key-that-an-operator-keeps-0123456789"

const ready = async (server: Server) => {
  const response = await fetch(`${server.url}/readyz`)
  return { status: response.status, text: await response.text() }
}

/** Asked until it is so: the store is tried once a second. */
const turns = async (server: Server, status: number) => {
  for (;;) {
    const answer = await ready(server)
    if (answer.status === status) return answer.text
  }
}

describe("lectern serve", () => {
  afterEach(cleanUp)

  it("stops to write when its database is gone, and tells of what is open or set in vain", async () => {
    const data = join(temporaryFolder(), "data")
    mkdirSync(data)
    chmodSync(data, 0o755)
    const file = join(data, "lectern.db")
    const backups = join(temporaryFolder(), "backups")
    writeFileSync(backups, "")
    const env = {
      LECTERN_BACKUP: backups,
      LECTERN_PORTT: "1",
      LECTERN_RATE_LIMITS: "1",
      LECTERN_SOMETHING_ELSE: "1"
    }
    const server = await serve(data, { env })
    const space = `/v1/spaces/${server.ready.space.id}`
    assert.strictEqual((await ready(server)).text, '{"status":"ready"}')
    assert.strictEqual((await server.call("PATCH", space, { title: "One" })).status, 200)

    const organization = ["organization", "create", "--title", "Acme", "--email", "a@example.com", "--data", data]
    const made = JSON.stringify(await lecternJson(organization))
    assert.include(made, `${server.url}/v1/orgs/`)
    assert.notInclude(made, ":4000/")

    renameSync(file, `${file}.away`)
    const { status, body } = await server.call("PATCH", space, { title: "Two" })
    assert.strictEqual(status, 503)
    assert.match(body.error.message, /The database was removed while the server runs: nothing is written/)
    assert.notInclude(body.error.message, data)
    assert.match(await turns(server, 503), /The database was removed/)
    renameSync(`${file}.away`, file)
    await turns(server, 200)
    assert.strictEqual((await server.call("GET", space)).body.title, "One")

    const db = new Database(file)
    db.pragma("wal_checkpoint(TRUNCATE)")
    db.close()
    writeFileSync(file, readFileSync(file).subarray(0, 8192))
    assert.match(await turns(server, 503), /The database was cut off/)
    const { stderr } = await server.signal("SIGTERM")
    assert.match(stderr, /The data folder is accessible to other users \(mode 755\): run chmod 700/)
    assert.notInclude(stderr, "lectern.db in the data folder")
    assert.match(
      stderr.slice(0, stderr.indexOf("Lectern is ready")),
      /Backups can't be made and are retried every hour: The folder [^ ]+\/backups can't be used: a file has its name, or the name of a parent folder/
    )
    const told = stderr.match(/The storage is (?:unavailable: The database was [a-z]+ ?[a-z]*|available again)/g)
    assert.deepStrictEqual(told, [
      "The storage is unavailable: The database was removed while",
      "The storage is available again",
      "The storage is unavailable: The database was cut off"
    ])
    assert.match(stderr, /LECTERN_PORTT is not a setting and has no effect: did you mean LECTERN_PORT\?/)
    assert.match(stderr, /LECTERN_RATE_LIMITS is not a setting and has no effect: did you mean LECTERN_RATE_LIMIT\?/)
    assert.match(stderr, /LECTERN_SOMETHING_ELSE is not a setting and has no effect"/)
  })

  it("refuses a key that is too short before anything is written", async () => {
    const data = join(temporaryFolder(), "data")
    const { code, stderr } = await lectern(["serve", "--port", "0", "--data", data], { LECTERN_SECRET_KEY: "short" })
    assert.strictEqual(code, 1)
    assert.match(stderr, /LECTERN_SECRET_KEY has to be 32 to 256/)
    assert.isFalse(existsSync(data))
  })
})

const opened = (options: Parameters<typeof Data.layer>[0]) =>
  Effect.runPromise(
    Effect.flatMap(Storage, (storage) => storage.repository(OrganizationTable).count({})).pipe(
      Effect.provide(Data.layer(options), { local: true }),
      Effect.scoped
    )
  )

/** Message of a start on this folder. */
const refusal = (options: Parameters<typeof Data.layer>[0]): Promise<string> =>
  opened(options).then(
    () => assert.fail("It was opened"),
    (failure: unknown) => {
      assert.isTrue(failure instanceof StorageError || failure instanceof InvalidSecretKey, String(failure))
      const { message } = failure as Error
      assert.notInclude(message, options.data)
      return message
    }
  )

describe("The data folder", () => {
  afterEach(cleanUp)

  it("is opened with the key that it was made with, and no other is made", async () => {
    const data = temporaryFolder()
    const file = join(data, "lectern.db-key")
    await opened({ data })
    const kept = readFileSync(file, "utf8")
    assert.match(kept, /^[\w-]{43}\n$/)
    assert.match(await refusal({ data, secretKey: Redacted.make(key) }), /key in LECTERN_SECRET_KEY did not/)
    rmSync(file)
    assert.match(await refusal({ data }), /not in the file lectern\.db-key/)
    assert.isFalse(existsSync(file))
    writeFileSync(file, kept)
    await opened({ data })

    const elsewhere = temporaryFolder()
    await opened({ data: elsewhere, secretKey: Redacted.make(key) })
    assert.isFalse(existsSync(join(elsewhere, "lectern.db-key")))
    assert.match(await refusal({ data: elsewhere }), /not in the file lectern\.db-key/)
    await opened({ data: elsewhere, secretKey: Redacted.make(key) })
  })

  it("that was used is begun anew only where that is wanted", async () => {
    const data = temporaryFolder()
    const file = join(data, "lectern.db")
    await opened({ data })
    rmSync(file)
    assert.match(await refusal({ data }), /lectern\.db is gone, though lectern\.db-key is there.*--first-start/)
    writeFileSync(file, "")
    assert.match(await refusal({ data }), /lectern\.db is empty.*LECTERN_FIRST_START/)
    await opened({ data, firstStart: true })
    await opened({ data })
    writeFileSync(file, readFileSync(file).subarray(0, 8192))
    assert.match(await refusal({ data }), /The database is damaged/)
  })
})
