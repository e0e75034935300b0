import { execFileSync } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { belowTitle } from "../../../packages/core/test/content/BelowTitle.ts"
import { begunServer, cleanUp, lectern, lecternJson, start, temporaryFolder } from "./LecternProcess.ts"

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** One JSON object that says what is wrong, and exit code 1. */
const refusal = async (args: ReadonlyArray<string>, env?: Record<string, string>): Promise<string> => {
  const { code, stdout } = await lectern([...args, "--json"], env)
  assert.strictEqual(code, 1)
  const answer = JSON.parse(stdout)
  assert.deepStrictEqual(Object.keys(answer), ["error"])
  assert.isString(answer.error.message)
  return answer.error.message
}

describe("lectern's commands", () => {
  afterEach(cleanUp)

  it("refuse a folder without data, and begin none there", async () => {
    const none = join(temporaryFolder(), "mistyped")
    for (const args of [["check"], ["jobs"], ["token", "list", "--user", "u"]]) {
      assert.strictEqual(await refusal([...args, "--data", none]), `No data found in ${none}`)
    }
    assert.isFalse(existsSync(none))
  })

  it("have not worked where somebody ends them", async () => {
    const pipe = join(temporaryFolder(), "settings")
    execFileSync("mkfifo", [pipe])
    const { child, finished } = start(["settings"], { LECTERN_CONFIG: pipe })
    // Opens once the command reads it, and waits for what is written.
    const settings = await open(pipe, "w")
    child.kill("SIGTERM")
    assert.strictEqual((await finished).code, 1)
    await settings.close()
  })

  it("organizations, users and tokens, while the server runs on the same data", async () => {
    const server = await begunServer()
    const { data } = server.ready
    const made = await lecternJson([
      "organization",
      "create",
      "--title",
      "Acme",
      "--email",
      "ann@example.com",
      "--data",
      data
    ])
    assert.deepStrictEqual(Object.keys(made), ["organization", "user", "token"])
    assert.strictEqual(
      (await server.call("GET", `/v1/orgs/${made.organization.id}`, undefined, made.token)).body.title,
      "Acme"
    )

    const reader = await lecternJson([
      "user",
      "create",
      "--organization",
      made.organization.id,
      "--email",
      "Bob@example.com",
      "--role",
      "read",
      "--data",
      data
    ])
    assert.deepStrictEqual(Object.keys(reader), ["user", "token"])
    const refused = await server.call("POST", `/v1/orgs/${made.organization.id}/spaces`, {}, reader.token)
    assert.strictEqual(refused.status, 403)

    const { token } = await lecternJson([
      "token",
      "create",
      "--user",
      reader.user.id,
      "--expires",
      "30d",
      "--data",
      data
    ])
    assert.strictEqual((await server.call("GET", "/v1/user", undefined, token)).body.id, reader.user.id)
    const { tokens } = await lecternJson(["token", "list", "--user", reader.user.id, "--data", data])
    assert.strictEqual(tokens.length, 2)
    const expiring = tokens.find((one: { expiresAt?: string }) => one.expiresAt !== undefined)
    assert.strictEqual(Date.parse(expiring.expiresAt) - Date.parse(expiring.createdAt), 30 * 24 * 3600 * 1000)

    await lecternJson(["token", "revoke", expiring.id, "--data", data])
    assert.strictEqual((await server.call("GET", "/v1/user", undefined, token)).status, 401)
    assert.strictEqual((await server.call("GET", "/v1/user", undefined, reader.token)).status, 200)
  })

  it("one user may belong to several organizations", async () => {
    const data = temporaryFolder()
    const create = (title: string, email: string) =>
      lecternJson(["organization", "create", "--title", title, "--email", email, "--data", data])
    const [first, second] = [await create("First", "a@example.com"), await create("Second", "b@example.com")]
    const joined = await lecternJson([
      "user",
      "create",
      "--organization",
      second.organization.id,
      "--email",
      "A@EXAMPLE.com",
      "--role",
      "guest",
      "--data",
      data
    ])
    assert.strictEqual(joined.user.id, first.user.id)
    const again = await refusal([
      "user",
      "create",
      "--organization",
      second.organization.id,
      "--email",
      "a@example.com",
      "--role",
      "admin",
      "--data",
      data
    ])
    assert.include(again, "already")
  })

  it("what can't be done is one JSON object and exit code 1", async () => {
    const data = temporaryFolder()
    const refused: ReadonlyArray<readonly [args: ReadonlyArray<string>, about: string]> = [
      [["organization", "create", "--title", "Acme"], "--email"],
      [["organization", "create", "--title", "x", "--email", "a@b.c"], "2 to 255"],
      [["organization", "create", "--title", "Acme", "--email", "nobody"], "e-mail"],
      [["user", "create", "--organization", "x", "--email", "a@b.c", "--role", "read"], "no organization x"],
      [["user", "create", "--organization", "x", "--email", "a@b.c", "--role", "king"], "king"],
      [["token", "create", "--user", "x"], "no user x"],
      [["token", "create", "--user", "x", "--expires", "soon"], "soon"],
      [["token", "list", "--user", "x"], "no user x"],
      [["token", "revoke", "x"], "no token x"],
      [["import", join(data, "nowhere")], "no such folder"],
      [["import", data], "No Markdown files"],
      [["import", data, data, "--title", "Both"], "one folder"],
      [["nonsense"], "nonsense"]
    ]
    // Two at a time: most of it is the start of a process.
    for (let i = 0; i < refused.length; i += 2) {
      const pair = refused.slice(i, i + 2)
      const messages = await Promise.all(pair.map(([args]) => refusal([...args, "--data", data])))
      for (const [n, message] of messages.entries()) assert.include(message, pair[n]![1])
    }
  })

  it.skipIf(!existsSync("/dev/full"))("have failed where their answer can't be written", async () => {
    const full = openSync("/dev/full", "w")
    const { code, stderr } = await lectern(["settings"], {}, full)
    closeSync(full)
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, "lectern: Standard output can't be written: the disk is full\n")
  })

  it("a refusal without --json is one sentence on standard error", async () => {
    const data = temporaryFolder()
    const { code, stdout, stderr } = await lectern(["token", "revoke", "x", "--data", data])
    assert.deepStrictEqual([code, stdout, stderr], [1, "", `lectern: No data found in ${data}\n`])
  })
})

describe("lectern import", () => {
  afterEach(cleanUp)

  it("makes a space in the only organization, and updates it the next time", async () => {
    const server = await begunServer()
    const { data } = server.ready
    const folder = folderOf({
      "SUMMARY.md": "* [Home](README.md)\n* [Gone](gone.md)\n* [A](a.md)\n",
      "README.md": "# Home\n\n[a](a.md)\n",
      "a.md": "# A\n\nOne.\n"
    })
    const outside = join(temporaryFolder(), "secret.md")
    writeFileSync(outside, "secret")
    symlinkSync(outside, join(folder, "linked.md"))

    const first = await lecternJson(["import", folder, "--data", data])
    assert.deepStrictEqual(first.added, ["README.md", "a.md"])
    assert.deepStrictEqual(
      first.problems.map(({ path, line }: { path: string; line?: number }) => [path, line]),
      [
        ["linked.md", undefined],
        ["SUMMARY.md", 2]
      ]
    )
    const pages = await server.call("GET", `/v1/spaces/${first.space.id}/content/pages`)
    assert.deepStrictEqual(
      pages.body.pages.map(({ title }: { title: string }) => title),
      ["Home", "A"]
    )

    writeFileSync(join(folder, "a.md"), "# A\n\nTwo.\n")
    writeFileSync(join(folder, "b.md"), "# B\n")
    rmSync(join(folder, "README.md"))
    const second = await lecternJson(["import", folder, "--data", data])
    assert.strictEqual(second.space.id, first.space.id)
    assert.deepStrictEqual([second.added, second.changed, second.removed], [["b.md"], ["a.md"], ["README.md"]])
    const third = await lecternJson(["import", folder, "--data", data])
    assert.deepStrictEqual([third.added, third.changed, third.removed], [[], [], []])
    assert.strictEqual(third.revision, second.revision)
  })

  it("into a space that is named, and into a new one with a title", async () => {
    const server = await begunServer()
    const { data } = server.ready
    const folder = folderOf({ "README.md": "# Home\n" })
    const named = await lecternJson(["import", folder, "--space", server.ready.space.id, "--data", data])
    assert.strictEqual(named.space.id, server.ready.space.id)
    const titled = await lecternJson([
      "import",
      folder,
      "--organization",
      server.ready.organization.id,
      "--title",
      "Handbook",
      "--data",
      data
    ])
    assert.notStrictEqual(titled.space.id, named.space.id)
    assert.strictEqual(titled.space.title, "Handbook")
  })

  it("of several folders, each into its space, all or none that can't be read", async () => {
    const server = await begunServer()
    const { data } = server.ready
    const one = folderOf({ "README.md": "# One\n", "a.md": "# A\n" })
    const two = folderOf({ "README.md": "# Two\n" })
    const { code, stdout } = await lectern(["import", one, two, "--json", "--data", data])
    assert.strictEqual(code, 0)
    const imported = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      imported.map(({ added }) => added),
      [["README.md", "a.md"], ["README.md"]]
    )
    for (const [n, title] of ["One", "Two"].entries()) {
      const { body } = await server.call("GET", `/v1/spaces/${imported[n].space.id}/content/pages`)
      assert.strictEqual(body.pages[0].title, title)
    }
    const listed = `/v1/orgs/${server.ready.organization.id}/spaces`
    const { count } = (await server.call("GET", listed)).body
    const refused = await lectern([
      "import",
      folderOf({ "a.md": "# A\n" }),
      temporaryFolder(),
      "--json",
      "--data",
      data
    ])
    assert.strictEqual(refused.code, 1)
    assert.include(JSON.parse(refused.stdout).error.message, "No Markdown files")
    assert.strictEqual((await server.call("GET", listed)).body.count, count)
  })

  it("of two imports into one space at once, one wins", async () => {
    const server = await begunServer()
    const { data } = server.ready
    const files = (text: string) =>
      Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`p${i}.md`, `# P\n\n${text}\n`]))
    const space = server.ready.space.id
    const both = await Promise.all(
      [folderOf(files("one")), folderOf(files("two"))].map((folder) =>
        lectern(["import", folder, "--space", space, "--json", "--data", data])
      )
    )
    // They may also come one after the other; what must never be is a mixture.
    const codes = both.map(({ code }) => code).sort()
    assert.include([JSON.stringify([0, 1]), JSON.stringify([0, 0])], JSON.stringify(codes))
    for (const { code, stdout } of both) {
      if (code === 1) assert.include(JSON.parse(stdout).error.message, "at the same time")
    }
    const { pages } = (await server.call("GET", `/v1/spaces/${space}/content/pages`)).body
    const texts = new Set<string>()
    for (const { id } of pages) {
      const page = await server.call("GET", `/v1/spaces/${space}/content/page/${id}`)
      texts.add(belowTitle(page.body.markdown))
    }
    assert.strictEqual(texts.size, 1)
  })
})
