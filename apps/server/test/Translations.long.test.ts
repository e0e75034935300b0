/** Translations on a server that runs, by an engine in another process's place, and through its sudden end. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import { JobTable } from "@lectern/core/job/Job"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { begunServer, cleanUp, lectern, serve, type Server, temporaryFolder } from "./LecternProcess.ts"

const closing: Array<() => void> = []
afterEach(async () => {
  await cleanUp()
  for (const close of closing.splice(0)) close()
})

/** An engine with the interface of LibreTranslate, which counts how often it is asked for each text. */
const engine = async () => {
  const counts = new Map<string, number>()
  const held: Array<ServerResponse> = []
  let patience = Infinity
  let arrived = () => {}
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => (text += chunk))
    request.on("end", () => {
      if (request.url === "/languages") {
        response.end(JSON.stringify([{ code: "en" }, { code: "de" }]))
        return
      }
      const { q, api_key: key } = JSON.parse(text) as { readonly q: ReadonlyArray<string>; readonly api_key?: string }
      assert.strictEqual(key, "the key")
      for (const one of q) counts.set(one, (counts.get(one) ?? 0) + 1)
      if (patience-- <= 0) {
        held.push(response)
        arrived()
        return
      }
      response.end(JSON.stringify({ translatedText: q.map((one) => `${one} (de)`) }))
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    counts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Answers so many requests more, then none; resolves when one is left waiting. */
    holdAfter: (requests: number) => {
      patience = requests
      return new Promise<void>((resolve) => (arrived = resolve))
    },
    release: () => {
      patience = Infinity
      for (const response of held.splice(0)) response.destroy()
    }
  }
}

const settled = async (server: Server, path: string): Promise<any> => {
  for (;;) {
    const { status, body } = await server.call("GET", path)
    assert.strictEqual(status, 200)
    if (body.status !== "running") return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const pages = 12

/** A space of so many pages, each with words of its own, and a translation of it. */
const prepare = async (server: Server) => {
  const organization = server.ready.organization.id as string
  const made = await server.call("POST", `/v1/orgs/${organization}/spaces`, { title: "Handbook", language: "en" })
  const space = made.body.id as string
  const changes = Array.from({ length: pages }, (_, i) => ({
    operation: "insert_page",
    title: `Page ${i}`,
    document: { markdown: `Words of page ${i}.\n\nMore of page ${i}.` }
  }))
  const request = await server.call("POST", `/v1/spaces/${space}/change-requests`, {})
  const changeRequest = `/v1/spaces/${space}/change-requests/${request.body.id}`
  assert.strictEqual((await server.call("POST", `${changeRequest}/content`, { changes })).status, 200)
  assert.strictEqual((await server.call("POST", `${changeRequest}/merge`, {})).status, 200)
  const translations = `/v1/orgs/${organization}/translations`
  const translation = await server.call("POST", translations, { language: "de", source: { space, language: "en" } })
  assert.strictEqual(translation.status, 201)
  return `${translations}/${translation.body.id}`
}

/** As if the minute had passed after which what a killed process had begun is another's to take over. */
const endLeases = async (data: string) => {
  const instance = await SqliteLectern.open({ file: join(data, "lectern.db"), background: false })
  const ended = await instance.run(
    Effect.flatMap(Storage, (storage) =>
      storage
        .repository(JobTable)
        .update(
          { status: "running", updatedAt: { gte: "" } },
          { lease: { holder: "killed", number: 1, until: "2000-01-01T00:00:00.000Z" as never } }
        )
    ).pipe(Effect.orDie)
  )
  await instance.close()
  return ended
}

describe("A server with translations", () => {
  it("goes on where it was killed, and asks for one page twice at most", async () => {
    const { counts, url, holdAfter, release } = await engine()
    const env = { LECTERN_TRANSLATOR: "libretranslate", LECTERN_TRANSLATOR_URL: url, LECTERN_TRANSLATOR_KEY: "the key" }
    const first = await begunServer({ env })
    const { data } = first.ready
    const path = await prepare(first)
    for (const done of [4, 3]) {
      const server = done === 4 ? first : await serve(data, { env, token: first.token })
      const waiting = holdAfter(done)
      if (done === 4) assert.strictEqual((await server.call("POST", `${path}/run`)).status, 204)
      await waiting
      assert.strictEqual((await server.call("GET", path)).body.status, "running")
      await server.signal("SIGKILL")
      release()
      assert.strictEqual(await endLeases(data), 1)
    }
    const server = await serve(data, { env, token: first.token })
    const translation = await settled(server, path)
    assert.deepInclude(translation, { status: "completed", untranslated: 0 })
    assert.notProperty(translation, "lastError")
    assert.deepInclude(translation.stats, { runs: 1, latestPages: pages, totalPages: pages })
    const twice = [...counts].filter(([, count]) => count > 1)
    assert.deepStrictEqual(
      Array.from({ length: pages }, (_, i) => counts.has(`Page ${i}`)),
      Array.from({ length: pages }, () => true)
    )
    // Each end left one page open, which has three texts.
    assert.isAtMost(Math.max(...counts.values()), 2)
    assert.lengthOf(twice, 2 * 3)

    const { body } = await server.call("GET", `/v1/spaces/${translation.result.space}/content`)
    assert.lengthOf(body.pages, pages)
    assert.strictEqual(body.pages[0].title, "Page 0 (de)")

    // And once more: there is nothing to ask for.
    const before = [...counts.values()].reduce((sum, count) => sum + count, 0)
    assert.strictEqual((await server.call("POST", `${path}/run`)).status, 204)
    const again = await settled(server, path)
    assert.deepStrictEqual(again.result, translation.result)
    assert.strictEqual(
      [...counts.values()].reduce((sum, count) => sum + count, 0),
      before
    )
    assert.strictEqual((await server.signal("SIGTERM")).code, 0)
  })

  it("tells of an engine that does not answer in time, and keeps its key to itself", async () => {
    const { url, holdAfter } = await engine()
    const env = {
      LECTERN_TRANSLATOR: "libretranslate",
      LECTERN_TRANSLATOR_URL: url,
      LECTERN_TRANSLATOR_KEY: "the key",
      LECTERN_TRANSLATOR_TIMEOUT: "1"
    }
    const server = await begunServer({ env })
    const path = await prepare(server)
    const waiting = holdAfter(0)
    await server.call("POST", `${path}/run`)
    await waiting
    const failed = await settled(server, path)
    assert.deepInclude(failed, { status: "pending", lastError: "The translation engine did not answer within 1s" })
    const { stdout, stderr } = await server.signal("SIGTERM")
    assert.notInclude(stdout + stderr, "the key")
  })

  it("refuses settings that can't be meant, in a sentence", async () => {
    const data = temporaryFolder()
    const refused: ReadonlyArray<readonly [env: Record<string, string>, about: string]> = [
      [{ LECTERN_TRANSLATOR: "magic" }, "pseudo, libretranslate, openai"],
      [{ LECTERN_TRANSLATOR: "libretranslate" }, "LECTERN_TRANSLATOR_URL"],
      [{ LECTERN_TRANSLATOR: "openai", LECTERN_TRANSLATOR_URL: "http://127.0.0.1/v1" }, "LECTERN_TRANSLATOR_MODEL"],
      [{ LECTERN_TRANSLATOR: "libretranslate", LECTERN_TRANSLATOR_URL: "example.com" }, "LECTERN_TRANSLATOR_URL is"],
      [
        {
          LECTERN_TRANSLATOR: "libretranslate",
          LECTERN_TRANSLATOR_URL: "http://127.0.0.1",
          LECTERN_TRANSLATOR_TIMEOUT: "0"
        },
        "LECTERN_TRANSLATOR_TIMEOUT is"
      ]
    ]
    for (const [env, about] of refused) {
      const { code, stdout } = await lectern(["serve", "--port", "0", "--data", data, "--json"], env)
      assert.strictEqual(code, 1)
      assert.include(JSON.parse(stdout).error.message, about)
    }
  })
})
