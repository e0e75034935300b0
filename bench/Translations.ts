/**
 * Measures translations of a space of 1,000 pages by the pseudo-translator, on the real server over a SQLite file: the
 * first run, a run without changes, and a run after an edit of one page. During a run, `/healthz` is requested every 5
 * ms. Its longest response time shows how long the event loop was blocked.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { cpuTime } from "./Http.ts"

const pages = 1_000
const perBatch = 50
const pollMillis = 20
const pingMillis = 5

const words =
  "the server keeps every page of a space as it was written and shows it to whoever may read it in the order that its owners chose"
const sentence = (seed: number, length: number) =>
  Array.from({ length }, (_, i) => words.split(" ")[(seed * 7 + i * 3) % 25]).join(" ")

/** Returns about 450 words with typical constructs of documentation. */
const markdown = (page: number) =>
  [
    `Welcome to **page ${page}**. ${sentence(page, 40)}, see [the next one](https://example.com/${page + 1}).`,
    ...Array.from({ length: 5 }, (_, section) =>
      [
        `## Section ${section} of page ${page}`,
        `${sentence(page + section, 50)} with \`option-${section}\` and {{ space.vars.name }}.`,
        `* ${sentence(section, 8)}\n* ${sentence(section + 1, 8)} **${sentence(section, 2)}**`,
        `\`\`\`ts\nconst value = ${page + section}\n\`\`\``,
        `| Name | Meaning |\n| --- | --- |\n| \`a\` | ${sentence(section, 5)} |\n| \`b\` | ${sentence(section + 2, 5)} |`
      ].join("\n\n")
    )
  ].join("\n\n")

type Call = (method: string, path: string, body?: unknown) => Promise<any>

/** Returns a function that calls the API as the administrator. */
const calling =
  (url: string, token: string): Call =>
  async (method, path, body) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
  }

const change = async (call: Call, space: string, batches: ReadonlyArray<ReadonlyArray<unknown>>) => {
  const { id } = await call("POST", `/spaces/${space}/change-requests`, {})
  for (const changes of batches) {
    await call("POST", `/spaces/${space}/change-requests/${id}/content`, { changes })
  }
  await call("POST", `/spaces/${space}/change-requests/${id}/merge`, {})
}

/**
 * Sends requests repeatedly until the returned function is called. That function returns the longest response time
 * (ms).
 */
const pinging = (url: string) => {
  let longestTurn = 0
  const stop = new AbortController()
  const finished = (async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now()
      await (await fetch(`${url}/healthz`)).text()
      longestTurn = Math.max(longestTurn, performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, pingMillis))
    }
  })()
  return async () => {
    stop.abort()
    await finished
    return longestTurn
  }
}

const measure = async (server: ChildProcess, { url, token, organization }: any) => {
  const call = calling(url, token)
  const { id: space } = await call("POST", `/orgs/${organization.id}/spaces`, { title: "Handbook", language: "en" })
  const batches = Array.from({ length: pages / perBatch }, (_, batch) =>
    Array.from({ length: perBatch }, (_, i) => ({
      operation: "insert_page",
      title: `Page ${batch * perBatch + i}`,
      document: { markdown: markdown(batch * perBatch + i) }
    }))
  )
  await change(call, space, batches)
  const translations = `/orgs/${organization.id}/translations`
  const { id } = await call("POST", translations, { language: "de", source: { space, language: "en" } })

  const runOnce = async () => {
    const stop = pinging(url)
    const cpu = cpuTime(server.pid!)
    const startedAt = performance.now()
    await call("POST", `${translations}/${id}/run`)
    let translation: any
    do {
      await new Promise((resolve) => setTimeout(resolve, pollMillis))
      translation = await call("GET", `${translations}/${id}`)
    } while (translation.status === "running")
    const seconds = (performance.now() - startedAt) / 1000
    if (translation.lastError !== undefined) throw new Error(translation.lastError)
    return {
      seconds: Number(seconds.toFixed(2)),
      "cpu s": Number(((cpuTime(server.pid!) - cpu) / 1_000_000).toFixed(2)),
      "longest ping ms": Number((await stop()).toFixed(1)),
      pages: translation.stats.latestPages,
      words: translation.stats.latestWords
    }
  }

  const first = await runOnce()
  const second = await runOnce()
  const { pages: tree } = await call("GET", `/spaces/${space}/content/pages`)
  const edited = { operation: "update_page", page: tree[0].id, document: { markdown: `${markdown(0)}\n\nOne more.` } }
  await change(call, space, [[edited]])
  return { "1,000 pages": first, "the same again": second, "one page edited": await runOnce() }
}

export const run = async () => {
  const data = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  const main = join(import.meta.dirname, "../apps/server/src/main.ts")
  const server = spawn(process.execPath, [main, "serve", "--port", "0", "--data", data, "--json"], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const [line] = (await once(createInterface(server.stdout), "line")) as [string]
    return await measure(server, JSON.parse(line))
  } finally {
    server.kill()
    await once(server, "exit")
    await rm(data, { recursive: true, force: true })
  }
}
