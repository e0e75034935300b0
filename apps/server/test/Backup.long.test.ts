/** The restore drill: a server under load is backed up, killed and restored, by the commands that operators have. */
import { existsSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { begunServer, cleanUp, lectern, lecternJson, type Server, serve, temporaryFolder } from "./LecternProcess.ts"

/** Writes until the server is gone; `count` tells how many writes have been answered. */
const writeOn = async (server: Server, space: string, state: { count: number }) => {
  try {
    for (;;) {
      const { status } = await server.call("PATCH", `/v1/spaces/${space}`, { title: `Title ${state.count + 1}` })
      assert.strictEqual(status, 200)
      state.count++
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

const refused = async (args: ReadonlyArray<string>, env?: Record<string, string>): Promise<string> => {
  const { code, stderr } = await lectern(args, env)
  assert.strictEqual(code, 1)
  return stderr
}

describe("lectern backup, restore and check", () => {
  afterAll(cleanUp)

  it("brings back all that was acknowledged before the backup began", async () => {
    const server = await begunServer()
    const { token } = server
    const { data, organization } = server.ready
    const key = readFileSync(join(data, "lectern.db-key"), "utf8").trim()
    const folder = temporaryFolder()
    const made = async (path: string, body: unknown) => {
      const { status, body: answer } = await server.call("POST", path, body)
      assert.strictEqual(status, 201)
      return answer.id as string
    }
    const spaces = await Promise.all(
      Array.from({ length: 4 }, () => made(`/v1/orgs/${organization.id}/spaces`, { title: "Title 0" }))
    )
    const site = await made(`/v1/orgs/${organization.id}/sites`, { title: "Docs" })
    const auth = `/v1/orgs/${organization.id}/sites/${site}/publishing/auth`
    const { privateKey } = (await server.call("GET", auth)).body
    const base64 = Buffer.alloc(1024 * 1024, "large file ").toString("base64")
    const changeRequest = await made(`/v1/spaces/${spaces[0]}/change-requests`, {})
    const content = `/v1/spaces/${spaces[0]}/change-requests/${changeRequest}`
    const files = [{ name: "large.txt", base64 }]
    for (const [path, body] of [
      ["/content", { changes: [{ operation: "insert_files", files }] }],
      ["/merge", undefined]
    ] as const) {
      const { status, body: said } = await server.call("POST", content + path, body)
      assert.strictEqual(status, 200, JSON.stringify(said))
    }

    const states = spaces.map(() => ({ count: 0 }))
    const load = Promise.all(spaces.map((space, i) => writeOn(server, space, states[i]!)))
    const first = await lecternJson(["backup", join(folder, "first"), "--data", data])
    assert.strictEqual(first.blobs.count, 1)
    const answered = states.map(({ count }) => count)
    assert.isAbove(Math.min(...answered), 0)
    await lecternJson(["backup", join(folder, "second"), "--since", join(folder, "first"), "--data", data])
    const report = await lecternJson(["check", "--data", data])
    assert.isTrue(report.ok)
    server.child.kill("SIGKILL")
    await Promise.all([load, server.finished])
    for (const name of ["first", "second"]) {
      assert.isTrue((await lecternJson(["check", "--backup", join(folder, name)])).ok)
      assert.isFalse(existsSync(join(folder, name, "lectern.db-key")))
    }

    const restored = join(folder, "restored")
    const restore = ["restore", join(folder, "second"), "--data", restored]
    assert.match(await refused(restore), /set LECTERN_SECRET_KEY to the key at the time of the backup/)
    assert.match(await refused(restore, { LECTERN_SECRET_KEY: "x".repeat(40) }), /did not encrypt the secrets/)
    const keyFile = join(restored, "lectern.db-key")
    writeFileSync(keyFile, "y".repeat(40))
    assert.match(await refused(restore, { LECTERN_SECRET_KEY: key }), /lectern\.db-key contains another key/)
    assert.deepStrictEqual(readdirSync(restored), ["lectern.db-key"])
    unlinkSync(keyFile)
    await lecternJson(restore, { LECTERN_SECRET_KEY: key })
    assert.match(await refused(restore, { LECTERN_SECRET_KEY: key }), /is not empty/)
    assert.strictEqual(statSync(join(restored, "lectern.db-key")).mode & 0o777, 0o600)
    assert.isTrue((await lecternJson(["check", "--data", restored])).ok)

    const again = await serve(restored, { token })
    for (const [i, space] of spaces.entries()) {
      const { title } = (await again.call("GET", `/v1/spaces/${space}`)).body
      const number = Number(title.slice("Title ".length))
      assert.isAtLeast(number, answered[i]!)
      assert.isAtMost(number, states[i]!.count + 1)
    }
    assert.strictEqual((await again.call("GET", auth)).body.privateKey, privateKey)
    const [file] = (await again.call("GET", `/v1/spaces/${spaces[0]}/content/files`)).body.items
    assert.strictEqual(Buffer.from(await (await fetch(file.downloadURL)).arrayBuffer()).toString("base64"), base64)
    await again.signal("SIGTERM")
  })

  it("makes backups by itself when it is told to", async () => {
    const folder = join(temporaryFolder(), "backups")
    const server = await begunServer({ env: { LECTERN_BACKUP: folder, LECTERN_LOG_LEVEL: "info" } })
    await new Promise<void>((done) => {
      let said = ""
      server.child.stderr!.on("data", (chunk: Buffer) => {
        said += chunk
        if (said.includes("A backup was made")) done()
      })
    })
    const [name] = readdirSync(folder)
    assert.isTrue((await lecternJson(["check", "--backup", join(folder, name!)])).ok)
    await server.signal("SIGTERM")
    assert.match(
      await refused(["serve", "--port", "0"], { LECTERN_BACKUP_KEEP: "0", LECTERN_BACKUP: folder }),
      /BACKUP_KEEP/
    )
  })

  it("says what is damaged, and ends with 1", async () => {
    const server = await begunServer()
    const { data } = server.ready
    await server.signal("SIGTERM")
    const database = new Database(join(data, "lectern.db"))
    database.exec("DELETE FROM lectern_object WHERE rowid = (SELECT rowid FROM lectern_object LIMIT 1)")
    database.close()
    assert.match(await refused(["check", "--data", data]), /The object \S{43} is missing[^]*restore it from a backup/)
    const { code, stdout } = await lectern(["check", "--data", data, "--json"])
    const report = JSON.parse(stdout)
    assert.strictEqual(code, 1)
    assert.isFalse(report.ok)
    assert.strictEqual(report.lostCount, 1)
    assert.match(await refused(["backup", join(data, "b"), "--data", join(data, "none")]), /No data found/)
  })

  it("says of rows what is wrong with them, and never fails by them", async () => {
    const server = await begunServer()
    const { data } = server.ready
    await server.signal("SIGTERM")
    const change = (sql: string) => {
      const database = new Database(join(data, "lectern.db"))
      database.unsafeMode().exec(sql)
      database.close()
    }
    change("CREATE TABLE aside AS SELECT * FROM t_revision; DELETE FROM t_revision")
    const said = await refused(["check", "--data", data])
    assert.match(said, /The revision \S+ of the space \S+ is missing[^]*restore it from a backup/)
    change("INSERT INTO t_revision SELECT * FROM aside; DROP TABLE aside; DELETE FROM lectern_search_page")
    const misindexed = /The search index of the space \S+ lacks [1-9][^]*`lectern search rebuild`/
    assert.match(await refused(["check", "--data", data]), misindexed)
    assert.deepStrictEqual(await lecternJson(["search", "rebuild", "--data", data]), { spaces: 4 })
    assert.isTrue((await lecternJson(["check", "--data", data])).ok)
    change("UPDATE lectern_search_data SET block = x'00'")
    assert.match(await refused(["check", "--data", data]), /have other words than[^]*`lectern search rebuild`/)
    assert.deepStrictEqual(await lecternJson(["search", "rebuild", "--data", data]), { spaces: 4 })
    assert.isTrue((await lecternJson(["check", "--data", data])).ok)
    change("DELETE FROM lectern_search_page")
    for (const table of ["t_space", "t_organization", "t_user", "t_member", "t_revision"]) {
      change(`CREATE TABLE aside AS SELECT rid, doc FROM ${table}; UPDATE ${table} SET doc = '{' || doc`)
      const broken = await refused(["check", "--data", data])
      assert.match(broken, new RegExp(`rows of ${table} are no JSON`))
      assert.match(broken, /other pages than it counts[^]*restore it from a backup/)
      change(`UPDATE ${table} SET doc = (SELECT doc FROM aside WHERE aside.rid = ${table}.rid); DROP TABLE aside`)
    }
  })

  it("a backup of data that lost a large file names it, holds the rest, and ends with 1", async () => {
    const server = await begunServer()
    const { data } = server.ready
    await server.signal("SIGTERM")
    const hash = "x".repeat(43)
    const database = new Database(join(data, "lectern.db"))
    database.exec(`INSERT INTO lectern_blob (hash, writtenAt, value, place) VALUES ('${hash}', 0, x'', 1)`)
    database.close()
    const folder = temporaryFolder()
    const said = await refused(["backup", join(folder, "one"), "--data", data])
    assert.match(said, /Backed up \S+ as of[^]*The data is damaged[^]*The blob x{43} is missing/)
    assert.match(
      await refused(["check", "--backup", join(folder, "one")]),
      /The blob x{43} is missing[^]*Everything else/
    )
    const { code, stdout } = await lectern(["backup", join(folder, "two"), "--data", data, "--json"])
    const report = JSON.parse(stdout)
    assert.strictEqual(code, 1)
    assert.deepStrictEqual([report.lost, report.blobs.count], [[{ hash }], 0])
    const key = readFileSync(join(data, "lectern.db-key"), "utf8").trim()
    const restore = ["restore", join(folder, "two"), "--data", join(folder, "restored")]
    assert.deepStrictEqual((await lecternJson(restore, { LECTERN_SECRET_KEY: key })).lost, [{ hash }])
  })
})
