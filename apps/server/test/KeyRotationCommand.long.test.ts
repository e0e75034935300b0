/** `lectern key rotate`, as operators run it. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, lectern, lecternJson, serve } from "./LecternProcess.ts"

const refused = async (args: ReadonlyArray<string>, env?: Record<string, string>): Promise<string> => {
  const { code, stdout, stderr } = await lectern(args, env)
  assert.strictEqual(code, 1, stdout)
  return stderr
}

describe("lectern key rotate", () => {
  afterEach(cleanUp)

  it("changes the key once nobody works on the data: the one beside it, and the one of the environment", async () => {
    const server = await begunServer()
    const { data } = server.ready
    const { token } = server
    const organization: string = server.ready.organization.id
    const site = await server.call("POST", `/v1/orgs/${organization}/sites`, { title: "Docs" })
    const auth = `/v1/orgs/${organization}/sites/${site.body.id}/publishing/auth`
    const { privateKey } = (await server.call("GET", auth)).body
    const path = join(data, "lectern.db-key")
    const before = readFileSync(path, "utf8")

    assert.match(await refused(["key", "rotate", "--data", data]), /The data is in use: stop the server/)
    assert.strictEqual(readFileSync(path, "utf8"), before)
    assert.isFalse(existsSync(`${path}-next`))
    assert.match(
      await refused(["key", "rotate", "--data", data, "--new-key-file", path]),
      /Lectern generates the new key/
    )
    await server.signal("SIGTERM")

    const { code, stdout, stderr } = await lectern(["key", "rotate", "--data", data])
    assert.strictEqual(code, 0, stderr)
    const after = readFileSync(path, "utf8")
    assert.notStrictEqual(after, before)
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    assert.isFalse(existsSync(`${path}-next`))
    assert.match(stdout, /3 secrets are encrypted/)
    for (const key of [before, after]) assert.notInclude(stdout + stderr, key.trim())

    const again = await serve(data, { token })
    assert.strictEqual((await again.call("GET", auth)).body.privateKey, privateKey)
    await again.signal("SIGTERM")

    writeFileSync(path, before)
    assert.match(await refused(["token", "list", "--user", "nobody", "--data", data]), /did not encrypt the secrets/)

    // From here on the environment has the key.
    rmSync(path)
    const given = { LECTERN_SECRET_KEY: after.trim() }
    const rotate = ["key", "rotate", "--data", data] as const
    assert.match(await refused(rotate, given), /provide the new key/)
    const same = await refused([...rotate, "--new-key-variable", "NEW_KEY"], { ...given, NEW_KEY: after.trim() })
    assert.match(same, /NEW_KEY equals LECTERN_SECRET_KEY/)
    assert.notInclude(same, after.trim())

    const file = join(data, "new-key")
    writeFileSync(file, "short")
    assert.match(await refused([...rotate, "--new-key-file", file], given), /must have 32 to 256/)
    const next = "another-key-".repeat(4)
    writeFileSync(file, `${next}\n`)
    const rotated = await lecternJson([...rotate, "--new-key-file", file], given)
    assert.deepStrictEqual(rotated, { sealed: 3, unreadable: 0, key: "LECTERN_SECRET_KEY" })
    assert.isFalse(existsSync(path))
    assert.match(
      await refused(["token", "list", "--user", "nobody", "--data", data], given),
      /did not encrypt the secrets/
    )
    const { tokens } = await lecternJson(["token", "list", "--user", server.ready.user.id, "--data", data], {
      LECTERN_SECRET_KEY: next
    })
    assert.isNotEmpty(tokens)
  })

  it("makes nothing where there is no data", async () => {
    assert.match(await refused(["key", "rotate", "--data", "none-at-all"]), /No data found/)
    assert.isFalse(existsSync("none-at-all"))
  })
})
