/**
 * Measures concurrent readers of a site whose caches are outdated, because its space was just merged. The space has
 * 50,000 pages in 40 groups. For each kind of read, 200 requests start together. Requests for pages, their feeds,
 * pictures and PDFs each address a different page. The server is a separate process. Reports the statuses, the longest
 * wait, the longest block of the event loop (see `LoopTimer.ts`), and resident memory: its peak, and its value after an
 * idle period.
 *
 * `LECTERN_BENCH_PAGES` sets the number of pages (default: 50,000). `LECTERN_BENCH_KINDS` selects kinds of reads by
 * name, separated by commas (default: all `kinds`). `LECTERN_BENCH_DATA` names a data folder whose space is reused by
 * the next run.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort, ready, serverEnvironment } from "./Http.ts"
import type { Held } from "./LoopTimer.ts"

const pageCount = Number(process.env["LECTERN_BENCH_PAGES"] ?? 50_000)
const groupCount = 40
const herd = 200
/** Maximum number of changes in one request. */
const batchSize = 50
/** Timeout after which a request counts as lost, in ms. */
const timeout = 120_000
/** Idle time before memory is read again, in ms. Idle threads exit after 30 seconds. Default: 40,000. */
const idleTime = Number(process.env["LECTERN_BENCH_REST"] ?? 40) * 1000

const token = "a-token-of-the-bench-that-is-long-enough-0123456789"

interface World {
  readonly organization: string
  readonly space: string
  readonly site: string
  /** Path of the site on the server. */
  readonly base: string
  readonly groups: ReadonlyArray<string>
  readonly page: string
}

interface Response {
  readonly status: number
  readonly millis: number
  readonly bytes: number
}

const megabytes = (pid: number, field: string): number =>
  Math.round(
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
  )

const start = async (data: string) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const flags = process.env["LECTERN_BENCH_FLAGS"]?.split(" ") ?? []
  const child = spawn(
    process.execPath,
    [...flags, "--import", new URL("./LoopTimer.ts", import.meta.url).href, "apps/server/src/main.ts", "serve"],
    {
      env: serverEnvironment(data, port, token),
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    }
  )
  child.setMaxListeners(0)
  await ready(`${url}/readyz`)
  return { child, url }
}

const agent = new Agent({ keepAlive: true, maxSockets: herd })

/** Requests a path and discards the response body chunk by chunk, so the client does not buffer it. */
const read = (url: string, headers: Readonly<Record<string, string>>): Promise<Response> => {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let bytes = 0
    const onLost = () => resolve({ status: 0, millis: performance.now() - startedAt, bytes })
    const clientRequest = request(url, { agent, headers, timeout: timeout }, (response) => {
      response.on("data", (part: Buffer) => (bytes += part.length))
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, millis: performance.now() - startedAt, bytes })
      )
      response.on("error", onLost)
    })
    clientRequest.on("error", onLost)
    clientRequest.on("timeout", () => clientRequest.destroy())
    clientRequest.end()
  })
}

/** Returns a function that calls the API and returns the JSON of the response. */
const calling =
  (url: string) =>
  async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : await response.json()
  }

type Call = ReturnType<typeof calling>

/** Returns the slug of a page, which is derived from its title. */
const slugOf = (group: number, page: number) => `page-${group}-${page}`

const markdownOf = (group: number, page: number) =>
  `# Page ${group} ${page}\n\n${Array.from({ length: 3 }, (_, n) => `Paragraph ${n} of page ${page}, about install and upgrade, reads ${(page * 7919 + n) % 1013}.`).join("\n\n")}\n\n## Part\n\n* one\n* two\n`

/** Creates the space and its site. */
const makeWorld = async (call: Call): Promise<World> => {
  const [organization] = (await call("GET", "/orgs")).items
  const space = await call("POST", `/orgs/${organization.id}/spaces`, { title: "Herd" })
  const { id } = await call("POST", `/spaces/${space.id}/change-requests`, {})
  const draft = `/spaces/${space.id}/change-requests/${id}`
  const front = { operation: "insert_page", title: "Front", document: { markdown: "# Front\n\nThe first page.\n" } }
  await call("POST", `${draft}/content`, { changes: [front] })
  const groups: Array<string> = []
  const perGroup = Math.floor((pageCount - groupCount - 1) / groupCount)
  for (let group = 0; group < groupCount; group++) {
    const insertResult = await call("POST", `${draft}/content?compat=false`, {
      changes: [{ operation: "insert_page", type: "group", title: `Group ${group}` }]
    })
    const parentPage = insertResult.changes[0].page.id
    groups.push(parentPage)
    for (let page = 0; page < perGroup; page += batchSize) {
      const changes = Array.from({ length: Math.min(batchSize, perGroup - page) }, (_, n) => ({
        operation: "insert_page",
        into: parentPage,
        title: `Page ${group} ${page + n}`,
        description: "What this page is about, in a sentence",
        document: { markdown: markdownOf(group, page + n) }
      }))
      await call("POST", `${draft}/content`, { changes })
    }
  }
  await call("POST", `${draft}/merge`)
  const site = await call("POST", `/orgs/${organization.id}/sites`, { title: "Herd", spaces: [space.id] })
  const { urls } = await call("POST", `/orgs/${organization.id}/sites/${site.id}/publish`)
  const { pages } = await call("GET", `/spaces/${space.id}/content/pages`)
  return {
    organization: organization.id,
    space: space.id,
    site: site.id,
    base: new URL(urls.published).pathname,
    groups,
    page: pages[0].id
  }
}

let merges = 0

/** Merges a change, so that the space has a revision that was not read yet. */
const merge = async (call: Call, { page, space }: World) => {
  const { id } = await call("POST", `/spaces/${space}/change-requests`, {})
  const draft = `/spaces/${space}/change-requests/${id}`
  const document = { markdown: `# Front\n\nThe first page, merged ${merges++} times.\n` }
  await call("POST", `${draft}/content`, { changes: [{ operation: "update_page", page, document }] })
  await call("POST", `${draft}/merge`)
}

interface Kind {
  readonly headers: Readonly<Record<string, string>>
  readonly path: (world: World, n: number) => string
}

const asReader = { accept: "text/html", "accept-encoding": "br" }
const asMember = { authorization: `Bearer ${token}`, "accept-encoding": "gzip" }

const pageAt = ({ base, groups }: World, n: number) => {
  const group = n % groups.length
  return `${base}group-${group}/${slugOf(group, Math.floor(n / groups.length) * 3)}`
}

const words = ["install", "upgrade", "paragraph", "reads", "page"]

const kinds: Readonly<Record<string, Kind>> = {
  pages: { headers: asReader, path: pageAt },
  "front page": { headers: asReader, path: ({ base }) => base },
  trees: { headers: asMember, path: ({ space }) => `/v1/spaces/${space}/content/pages` },
  revisions: { headers: asMember, path: ({ space }) => `/v1/spaces/${space}/content` },
  "API pages": { headers: asMember, path: ({ page, space }, n) => `/v1/spaces/${space}/content/page/${page}?n=${n}` },
  "API search": {
    headers: asMember,
    path: ({ space }, n) => `/v1/spaces/${space}/search?query=${words[n % words.length]}+${n}`
  },
  search: { headers: asReader, path: ({ base }, n) => `${base}~search?q=${words[n % words.length]}+${n}` },
  markdown: { headers: asReader, path: (world, n) => `${pageAt(world, n)}.md` },
  feeds: { headers: asReader, path: (world, n) => `${pageAt(world, n)}.atom` },
  sitemaps: { headers: asReader, path: ({ base }, n) => `${base}sitemap${n % 2 === 0 ? "" : `-${1 + (n % 4)}`}.xml` },
  "llms.txt": { headers: asReader, path: ({ base }, n) => `${base}llms.txt?part=${1 + (n % 20)}` },
  "llms-full.txt": { headers: asReader, path: ({ base }, n) => `${base}llms-full.txt?part=${1 + (n % 50)}` },
  "missing pages": { headers: asReader, path: ({ base }, n) => `${base}group-0/pages-0-${n}` },
  pictures: { headers: asReader, path: (world, n) => `${pageAt(world, n)}.png` },
  PDFs: { headers: asReader, path: (world, n) => pageAt(world, n).replace(/[^/]*$/, `~pdf?page=${n}`) }
}

const loop = async (child: ChildProcess, message: "start" | "stop"): Promise<Held | undefined> => {
  const firstMessage = once(child, "message")
  child.send(message)
  return (await firstMessage)[0] as Held
}

/** Sends the concurrent requests and samples the server process until they complete. */
const send = async (child: ChildProcess, url: string, kind: Kind, world: World) => {
  const paths = Array.from({ length: herd }, (_, n) => kind.path(world, n))
  await loop(child, "start")
  let maxOpen = 0
  const watch = setInterval(() => (maxOpen = Math.max(maxOpen, megabytes(child.pid!, "VmRSS"))), 20)
  const responses = await Promise.all(paths.map((path) => read(url + path, kind.headers)))
  clearInterval(watch)
  const loopStats = child.exitCode === null && child.signalCode === null ? await loop(child, "stop") : undefined
  const statuses = new Map<number, number>()
  for (const { status } of responses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return {
    statuses: Array.from(statuses, ([status, count]) => `${count} × ${status}`).join(", "),
    "longest s": (Math.max(...responses.map(({ millis }) => millis)) / 1000).toFixed(1),
    MB: (responses.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1),
    "loop ms": loopStats === undefined ? "the server ended" : loopStats.longest.toFixed(0),
    "collection ms": loopStats?.collection.toFixed(0) ?? "",
    "CPU s": ((loopStats?.total ?? 0) / 1000).toFixed(1),
    "RSS during": maxOpen
  }
}

export const run = async () => {
  const dataFolder = process.env["LECTERN_BENCH_DATA"]
  const folder = await mkdtemp(join(tmpdir(), "lectern-herd-"))
  const data = dataFolder ?? join(folder, "data")
  await mkdir(data, { recursive: true })
  const notePath = join(data, "herd.json")
  const rows: Array<Record<string, unknown>> = []
  const wantedKinds = process.env["LECTERN_BENCH_KINDS"]?.split(",") ?? Object.keys(kinds)
  let server = await start(data)
  try {
    if (!existsSync(notePath)) {
      writeFileSync(notePath, JSON.stringify(await makeWorld(calling(server.url))))
      server.child.kill()
      await once(server.child, "exit")
      server = await start(data)
    }
    const world: World = JSON.parse(readFileSync(notePath, "utf8"))
    await sleep(4000)
    for (const name of wantedKinds) {
      const call = calling(server.url)
      // The first page of any site loads the rendering code.
      await read(`${server.url}${world.base}`, asReader)
      await merge(call, world)
      const memoryBefore = megabytes(server.child.pid!, "VmRSS")
      const figures = await send(server.child, server.url, kinds[name]!, world)
      await sleep(idleTime)
      const isAlive = server.child.exitCode === null && server.child.signalCode === null
      const after = isAlive ? megabytes(server.child.pid!, "VmRSS") : 0
      const row = { kind: name, ...figures, "RSS before": memoryBefore, "RSS after": after }
      console.log(JSON.stringify(row))
      rows.push(row)
      if (!isAlive) server = await start(data)
    }
  } finally {
    server.child.kill()
    if (server.child.exitCode === null && server.child.signalCode === null) await once(server.child, "exit")
    await rm(folder, { recursive: true, force: true })
  }
  return rows
}
