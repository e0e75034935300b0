/** `lectern push` and `lectern pull`: the real command, against a real server. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { packTar } from "modern-tar"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { begunServer, cleanUp, lectern, type Server, temporaryFolder } from "../../../server/test/LecternProcess.ts"
import { filesIn, folderOnBranch, newSpace, proxy, run, runWell, write } from "./PushSteps.ts"

const page = (title: string, ...paragraphs: ReadonlyArray<string>) => `# ${title}\n\n${paragraphs.join("\n\n")}\n`

const files = {
  "SUMMARY.md": "# Table of contents\n\n* [One](one.md)\n* [Two](guide/two.md)\n",
  "one.md": page("One", "Alpha is first.", "Beta is second.", "Gamma is third."),
  "guide/two.md": page("Two", "See [one](../one.md) and ![dot](dot.svg)."),
  "guide/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>\n'
}

let server: Server
beforeAll(async () => {
  server = await begunServer()
})
afterAll(cleanUp)

/** Returns a text with other bytes, which must occur in it. */
const changed = (text: string, from: string, to: string) => {
  assert.include(text, from)
  return text.replace(from, to)
}

const changeRequestOf = async (space: string, number: number) =>
  (await server.call("GET", `/v1/spaces/${space}/change-requests/${number}`)).body

/** Replaces the text of a page of a change request. */
const edit = async (space: string, changeRequest: string, title: string, markdown: string) => {
  const path = `/v1/spaces/${space}/change-requests/${changeRequest}`
  const { body } = await server.call("GET", `${path}/content/pages`)
  const { id } = body.pages.find((one: { readonly title: string }) => one.title === title)
  const change = { operation: "update_page", page: id, document: { markdown } }
  const { status } = await server.call("POST", `${path}/content`, { changes: [change] })
  assert.strictEqual(status, 200)
}

describe("lectern push", () => {
  it("makes the folder a change request named after the branch, and updates it", async () => {
    const space = await newSpace(server)
    const target = { server, space }
    const folder = folderOnBranch(files, "feature/one")
    const planned = await runWell("push", folder, target, "--dry-run")
    assert.deepInclude(planned, { status: "planned", changeCount: 3, conflictCount: 0 })
    assert.isFalse(existsSync(join(folder, ".lectern")))

    const first = await runWell("push", folder, target)
    assert.deepInclude(first, { status: "pushed", changeCount: 3, conflictCount: 0, problems: [] })
    const changeRequest = await changeRequestOf(space, first.changeRequest.number)
    assert.deepInclude(changeRequest, { subject: "feature/one", status: "open" })

    write(folder, { "one.md": changed(files["one.md"], "Gamma is third.", "Gamma is pushed.") })
    await edit(space, changeRequest.id, "One", "Alpha is edited.\n\nBeta is second.\n\nGamma is third.")
    const second = await runWell("push", folder, target)
    assert.deepInclude(second, { conflictCount: 0, uploadedFiles: 1 })
    assert.strictEqual(second.changeRequest.id, first.changeRequest.id)

    const named = await runWell("push", folder, target, "--change-request", "other")
    assert.notStrictEqual(named.changeRequest.id, first.changeRequest.id)
    const again = await runWell("push", folder, target)
    assert.strictEqual(again.uploadedFiles, 0)
  })

  it("lists conflicts, and merges when they are resolved", async () => {
    const space = await newSpace(server)
    const target = { server, space }
    const folder = folderOnBranch(files, "main")
    const { merged } = await runWell("push", folder, target, "--merge")
    assert.isString(merged)
    assert.strictEqual((await runWell("push", folder, target, "--merge")).status, "unchanged")

    write(folder, { "one.md": changed(files["one.md"], "Beta is second.", "Beta is pushed.") })
    const { changeRequest } = await runWell("push", folder, target)
    await edit(space, changeRequest.id, "One", "Alpha is first.\n\nBeta is edited.\n\nGamma is third.")
    write(folder, { "one.md": changed(files["one.md"], "Beta is second.", "Beta is pushed again.") })
    const refused = await run("push", folder, target, "--merge")
    assert.strictEqual(refused.code, 1)
    assert.match(
      refused.json.error.message,
      /^The change request \d+ can't be merged before its conflicts are resolved$/
    )
    assert.strictEqual(refused.json.conflictCount, 1)
    const path = `/v1/spaces/${space}/change-requests/${changeRequest.id}`
    const [conflict] = (await server.call("GET", `${path}/changes`)).body.conflicts
    assert.strictEqual((await server.call("POST", `${path}/conflicts/${conflict.id}`, { keep: "main" })).status, 200)
    await runWell("push", folder, target, "--merge")
  })

  it("prints a sentence for each failure", async () => {
    const folder = folderOnBranch(files, "main")
    const space = await newSpace(server)
    const words = ["push", folder, "--server", server.url, "--space"]
    const env = { LECTERN_TOKEN: server.token }
    const message = async (args: ReadonlyArray<string>, variables: Record<string, string> = env) => {
      const { code, stderr } = await lectern(args, variables)
      assert.strictEqual(code, 1)
      return stderr.replace(/^lectern: |\n$/g, "")
    }
    assert.include(await message([...words, space], {}), "Set LECTERN_TOKEN")
    assert.include(await message([...words, "none"]), "There is no space")
    assert.include(await message([...words, space], { LECTERN_TOKEN: "wrong" }), "token")
    assert.include(
      await message(["push", temporaryFolder(), ...words.slice(2), space, "--change-request", "x"]),
      "No Markdown"
    )
    const elsewhere = folderOnBranch(files)
    assert.include(await message(["push", elsewhere, ...words.slice(2), space]), "--change-request")
    const tokenFile = join(temporaryFolder(), "token")
    writeFileSync(tokenFile, `${server.token}\n`)
    assert.strictEqual((await lectern([...words, space, "--token-file", tokenFile])).code, 0)
  })

  it("repeats requests that the server can't process now", async () => {
    const space = await newSpace(server)
    const seen = new Map<string, number>()
    const front = await proxy(
      () => server.url,
      ({ method, url }) => {
        const key = `${method} ${url.replace(/\?.*/, "")}`
        const count = (seen.get(key) ?? 0) + 1
        seen.set(key, count)
        return (["cut", 429, 503] as const)[count - 1]
      }
    )
    const target = { server: { url: front.url, token: server.token }, space }
    const folder = folderOnBranch(files, "main")
    assert.strictEqual((await runWell("push", folder, target, "--merge")).status, "pushed")
    const other = temporaryFolder()
    await runWell("pull", other, target)
    assert.deepStrictEqual(filesIn(other), filesIn(folder))
    front.close()
  })

  it("shows a preview if a site has the space", async () => {
    const space = await newSpace(server)
    const sites = `/v1/orgs/${server.ready.organization.id}/sites`
    const { body: site } = await server.call("POST", sites, { title: "Site", spaces: [space] })
    const { preview } = await runWell("push", folderOnBranch(files, "main"), { server, space })
    // The URL has a token, which is moved to a cookie.
    const opened = await fetch(preview, { redirect: "manual" })
    const cookie = opened.headers.getSetCookie().map((one) => one.replace(/;.*/, ""))
    const response = await fetch(new URL(opened.headers.get("location")!, preview), {
      headers: { cookie: cookie.join("; ") }
    })
    assert.strictEqual(response.status, 200)
    assert.include(await response.text(), "Alpha is first.")
    await server.call("DELETE", `${sites}/${site.id}`)
  })
})

describe("lectern pull", () => {
  it("writes only files that changed, and keeps local changes", async () => {
    const space = await newSpace(server)
    const target = { server, space }
    const folder = folderOnBranch({ ...files, "left-out.txt": "Not imported.\n" }, "main")
    await runWell("push", folder, target, "--merge")
    const local = filesIn(folder)
    assert.deepInclude(await runWell("pull", folder, target), { changed: [], removed: [], unchanged: 4 })
    assert.deepStrictEqual(filesIn(folder), local)

    const other = temporaryFolder()
    await runWell("pull", other, target)
    assert.deepStrictEqual(filesIn(other), files)
    assert.strictEqual(readFileSync(join(other, ".lectern/.gitignore"), "utf8"), "*\n")

    // Somebody pushes from the other folder: an edit, a new page, and a removed one.
    rmSync(join(other, "guide"), { recursive: true })
    write(other, {
      "SUMMARY.md": "# Table of contents\n\n* [One](one.md)\n* [Three](three.md)\n",
      "one.md": changed(files["one.md"], "Alpha", "The alpha"),
      "three.md": page("Three", "New.")
    })
    await runWell("push", other, target, "--change-request", "other", "--merge")

    write(folder, { "one.md": changed(files["one.md"], "Gamma", "The gamma") })
    const before = filesIn(folder)
    const refused = await run("pull", folder, target)
    assert.strictEqual(refused.code, 1)
    assert.include(refused.json.error.message, "local changes that were not pushed: one.md")
    assert.deepStrictEqual(refused.json.localChanges, ["one.md"])
    assert.deepStrictEqual(filesIn(folder), before)

    // A push merges the local change, so that the next pull has both.
    await runWell("push", folder, target, "--merge")
    const pulled = await runWell("pull", folder, target)
    assert.sameMembers(pulled.changed, ["SUMMARY.md", "one.md", "three.md"])
    assert.sameMembers(pulled.removed, ["guide/two.md", "guide/dot.svg"])
    const after = filesIn(folder)
    assert.strictEqual(after["one.md"], page("One", "The alpha is first.", "Beta is second.", "The gamma is third."))
    assert.strictEqual(after["left-out.txt"], "Not imported.\n")
    assert.isFalse(existsSync(join(folder, "guide")))

    write(folder, { "three.md": "Mine\n" })
    await runWell("pull", folder, target, "--force")
    assert.strictEqual(filesIn(folder)["three.md"], page("Three", "New."))
  })

  it("reads a change request, and its edits can be pushed back", async () => {
    const space = await newSpace(server)
    const target = { server, space }
    const folder = folderOnBranch(files, "feature")
    const { changeRequest } = await runWell("push", folder, target)
    await edit(space, changeRequest.id, "One", "Alpha is edited.\n\nBeta is second.\n\nGamma is third.")
    assert.deepStrictEqual((await runWell("pull", folder, target, "--change-request", "feature")).changed, ["one.md"])
    await edit(space, changeRequest.id, "One", "Alpha is edited twice.\n\nBeta is second.\n\nGamma is third.")
    write(folder, { "one.md": changed(filesIn(folder)["one.md"]!, "Gamma is third.", "Gamma is pushed.") })
    assert.strictEqual((await runWell("push", folder, target)).conflictCount, 0)
    await runWell("pull", folder, target, "--change-request", "feature")
    const text = page("One", "Alpha is edited twice.", "Beta is second.", "Gamma is pushed.")
    assert.strictEqual(filesIn(folder)["one.md"], text)
    const missing = await run("pull", folder, target, "--change-request", "none")
    assert.include(missing.json.error.message, 'There is no open change request "none"')
  })

  it("changes nothing if the server sends a path outside of the folder", async () => {
    const space = await newSpace(server)
    await runWell("push", folderOnBranch(files, "main"), { server, space }, "--merge")
    const folder = folderOnBranch({ "one.md": "Old\n" })
    const outside = ["../outside.md", ".git/hooks/pre-commit", "two.md"]
    for (const name of outside) {
      const archive = await packTar([{ header: { name, size: 1, type: "file" }, body: "x" }])
      const front = createServer((request, response) => {
        if (request.url!.includes("/content/export")) response.end(archive)
        else response.setHeader("content-type", "application/json").end('{"revision": "r"}')
      })
      await new Promise<void>((listening) => void front.listen(0, "127.0.0.1", listening))
      const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
      const { code, json } = await run("pull", folder, { server: { url, token: "x" }, space })
      if (name === "two.md") assert.deepStrictEqual(json.changed, ["two.md"])
      else {
        assert.strictEqual(code, 1)
        assert.include(json.error.message, "outside of the folder")
        assert.deepStrictEqual(filesIn(folder), { "one.md": "Old\n" })
      }
      front.close()
    }
  })
})
