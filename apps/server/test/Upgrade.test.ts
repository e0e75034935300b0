/** Data of every earlier version opens with this one, after a backup where it has to be changed. */
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { restore, verify } from "@lectern/adapter-sqlite/durability/Restore"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { version } from "@lectern/cli/Version"
import { cleanUp, lectern, lecternJson, serve, temporaryFolder } from "./LecternProcess.ts"

/** A data folder as `releases/make.ts` wrote it down. */
interface Release {
  readonly version: string
  readonly format: number
  readonly token: string
  readonly user: string
  readonly organization: string
  readonly space: string
  readonly changeRequest: string
  readonly site: string
  /** By their paths in the data folder, in base64. */
  readonly files: Readonly<Record<string, string>>
}

const folder = join(import.meta.dirname, "releases")
const releases = readdirSync(folder)
  .filter((name) => name.endsWith(".json.gz"))
  .sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
  .map((name) => JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString()) as Release)

/** The data folder as it was. */
const unpacked = ({ files }: Release): string => {
  const data = temporaryFolder()
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(data, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(data, path), Buffer.from(bytes, "base64"), { mode: 0o600 })
  }
  return data
}

const root = resolve(import.meta.dirname, "../../..")

/** As it was a step before. */
const aStepBack = (filename: string, format: number) => {
  const database = new Database(filename)
  for (const name of ["_term", "_entry", "", "_word", "_page", "_space"]) {
    database.exec(`DROP TABLE lectern_search${name}`)
  }
  database.pragma(`user_version = ${format - 1}`)
  return database
}

describe("Upgrades", () => {
  afterAll(cleanUp)

  it.each(releases)("data of version $version in format $format opens, with all that is in it", async (release) => {
    const { token, user, organization, space, changeRequest, site } = release
    const server = await serve(unpacked(release), { token })
    assert.isFalse(server.ready.firstStart)
    const get = async (path: string) => {
      const { status, body } = await server.call("GET", path)
      assert.strictEqual(status, 200, path)
      return body
    }
    assert.strictEqual((await get("/v1/user")).id, user)
    assert.deepInclude(await get(`/v1/orgs/${organization}`), { id: organization, title: "Acme" })
    const { pages } = await get(`/v1/spaces/${space}/content/pages`)
    assert.deepStrictEqual(
      [pages[0].title, pages.length, JSON.stringify(pages).includes("Second steps")],
      ["Handbook", pages.length, true]
    )
    const page = await get(`/v1/spaces/${space}/content/page/${pages[0].id}?format=markdown`)
    assert.include(page.markdown, "with **bold** words")
    const { items: files } = await get(`/v1/spaces/${space}/content/files`)
    assert.deepStrictEqual(
      files.map(({ name, size }: { name: string; size: number }) => [name, size]),
      [["large.png", 1_200_000]]
    )
    assert.strictEqual((await get(`/v1/spaces/${space}/change-requests/${changeRequest}`)).subject, "Later")
    assert.strictEqual((await get(`/v1/orgs/${organization}/sites/${site}`)).title, "Docs")
    const patched = await server.call("PATCH", `/v1/spaces/${space}`, { title: "It can be written, too" })
    assert.strictEqual(patched.status, 200)
    assert.strictEqual((await server.signal("SIGTERM")).code, 0)
  })

  it("an older version is backed up before it is changed, and what would change is said", async () => {
    const newest = releases.at(-1)!
    const data = unpacked(newest)
    const filename = join(data, "lectern.db")
    const database = aStepBack(filename, newest.format)
    // As if it had fewer indexes then.
    const spaces = database.prepare("SELECT count(*) FROM t_space").pluck().get()
    database.exec(
      "UPDATE lectern_table SET fingerprint = json_set(fingerprint, '$.unique', json('[[\"id\"]]')) WHERE name = 'space'"
    )
    database.close()
    const checked = await lecternJson(["upgrade", "--check", "--data", data])
    assert.strictEqual(
      checked.newest,
      newest.format,
      "The data has a new version: run node apps/server/test/releases/make.ts, and commit what it makes"
    )
    assert.deepInclude(checked, { software: version, version: newest.format - 1, upgraded: false })
    assert.strictEqual(checked.steps.length, 1)
    assert.deepInclude(checked.relaid, { name: "space", rows: spaces })
    assert.notInclude(readdirSync(data), "before-upgrade")

    assert.isTrue((await lecternJson(["upgrade", "--data", data])).upgraded)
    const [backup, ...others] = readdirSync(join(data, "before-upgrade"))
    assert.deepStrictEqual(others, [])
    assert.match(backup!, new RegExp(`^version-${newest.format - 1}-`))
    const kept = join(data, "before-upgrade", backup!)
    await Effect.runPromise(verify(kept))
    const before = new Database(join(kept, "lectern.db"), { readonly: true })
    assert.strictEqual(before.pragma("user_version", { simple: true }), newest.format - 1)
    before.close()
  })

  it("a large file that is damaged is named, and stops neither the upgrade nor a way back from it", async () => {
    const newest = releases.at(-1)!
    const data = unpacked(newest)
    const blobs = join(data, "lectern.db-blobs")
    const [hash] = readdirSync(blobs)
    truncateSync(join(blobs, hash!), 10)
    aStepBack(join(data, "lectern.db"), newest.format).close()
    const { stdout, stderr } = await lectern(["upgrade", "--data", data])
    assert.include(stdout + stderr, `The blob ${hash} is damaged. The backup before the upgrade has the same loss`)
    const [backup] = readdirSync(join(data, "before-upgrade"))
    const restored = join(temporaryFolder(), "data")
    const { lost } = await Effect.runPromise(
      restore({ folder: join(data, "before-upgrade", backup!), filename: join(restored, "lectern.db") })
    )
    assert.deepStrictEqual(lost, [{ hash: hash!, damaged: true }])
    const before = new Database(join(restored, "lectern.db"), { readonly: true })
    assert.strictEqual(before.pragma("user_version", { simple: true }), newest.format - 1)
    before.close()
  })

  it("this version stands in the changelog, and is that of every package", () => {
    assert.match(
      readFileSync(join(root, "docs/changelog.md"), "utf8"),
      new RegExp(`^## ${version.replaceAll(".", "\\.")}\\b`, "m")
    )
    const packages = ["packages", "apps"].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => join(root, folder, name, "package.json"))
    )
    for (const path of packages) {
      assert.strictEqual(JSON.parse(readFileSync(path, "utf8")).version, version, path)
    }
  })
})
