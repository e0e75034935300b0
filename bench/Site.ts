/**
 * Measures published sites as websites:
 *
 * - a cached page, compared to a bare `node:http` that writes the same bytes
 * - uncached pages of 30 blocks, at 100 requests per second
 * - 10,000 cached pages, without and with writes to another space
 * - processor time of rendering a page of 300 blocks
 */
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, createServer, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import autocannon from "autocannon"
import { cpuTime, freePort, median, ready } from "./Http.ts"

const seconds = 3
const rounds = 3
const connections = 32
const pageCount = 10_000
/** Number of pages that are first requested by the measurement at 100 requests per second. */
const newCount = 400
const blocks = 30

const headers = { accept: "text/html", "accept-encoding": "br" }

const load = async (url: string, process: ChildProcess | undefined, paths: ReadonlyArray<string>) => {
  const cpuBefore = process === undefined ? 0 : cpuTime(process.pid!)
  let begun = 0
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    ...(paths.length === 1 && { requests: [{ method: "GET" as const, path: paths[0]! }] }),
    // Each connection starts with another path, like different readers.
    ...(paths.length > 1 && {
      setupClient: (client: autocannon.Client) => {
        const from = Math.floor((begun++ * paths.length) / connections)
        client.setRequests([...paths.slice(from), ...paths.slice(0, from)].map((path) => ({ method: "GET", path })))
      }
    })
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} failed, ${result.errors} errors`)
  const total = result.requests.total
  return {
    perSecond: total / result.duration,
    p99: result.latency.p99,
    cpu: process === undefined ? 0 : (cpuTime(process.pid!) - cpuBefore) / total
  }
}

const agent = new Agent({ keepAlive: true })

/**
 * Requests a page without decompressing it. Decompression creates so much garbage that its collection blocks this
 * process for 45 ms every 64 pages. These blocks would distort the measurement of the server.
 */
const fetchPage = (url: string) =>
  new Promise<void>((done, fail) => {
    const request = get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return fail(new Error(`${url}: ${response.statusCode}`))
      response.resume().on("end", done).on("error", fail)
    })
    request.on("error", fail)
  })

/** Requests each path once, in order and at a constant rate (per second), regardless of response times. */
const atRate = async (url: string, process: ChildProcess, paths: ReadonlyArray<string>, rate: number) => {
  const cpuBefore = cpuTime(process.pid!)
  const start = performance.now()
  const fetchOnTime = async (path: string, i: number) => {
    const dueAt = start + (i * 1000) / rate
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())))
    await fetchPage(url + path)
    return performance.now() - dueAt
  }
  const times = (await Promise.all(paths.map(fetchOnTime))).toSorted((a, b) => a - b)
  return {
    perSecond: (paths.length * 1000) / (performance.now() - start),
    p99: times[Math.floor(times.length * 0.99)]!,
    cpu: (cpuTime(process.pid!) - cpuBefore) / paths.length
  }
}

/** Waits until a process has finished its background work, mainly search indexing. */
const cpuIdle = async ({ pid }: ChildProcess) => {
  for (let previousCpu = -1, now = cpuTime(pid!); now - previousCpu > 20_000; now = cpuTime(pid!)) {
    previousCpu = now
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

/** Starts a separate process that responds to every request with the same bytes. */
const fetchBare = (port: number, url: string) =>
  spawn(process.execPath, [fileURLToPath(import.meta.url), String(port), url], { stdio: "ignore" })

/** Returns the path of a page. Every fiftieth page is the parent of the following 49. */
const pathOf = (i: number) => (i % 50 === 0 ? `page-${i}` : `page-${i - (i % 50)}/page-${i}`)

const text = (words: number) => Array.from({ length: words }, (_, i) => `word${i % 97}`).join(" ")

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  const token = randomBytes(32).toString("base64url")
  const [port, barePort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, ["apps/server/src/main.ts", "serve"], {
    env: {
      ...process.env,
      LECTERN_DATA: join(folder, "data"),
      LECTERN_PORT: String(port),
      LECTERN_BOOTSTRAP_TOKEN: token,
      LECTERN_LOG_LEVEL: "error",
      LECTERN_CATALOGUE: "off",
      LECTERN_RESPONSE_CACHE: "128"
    },
    stdio: "ignore"
  })
  let bareProcess: ChildProcess | undefined
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : await response.json()
  }
  try {
    await ready(`${url}/readyz`)
    const [organization] = (await call("GET", "/orgs")).items
    const space = await call("POST", `/orgs/${organization.id}/spaces`, { title: "Guide" })
    const elsewhere = await call("POST", `/orgs/${organization.id}/spaces`, { title: "Elsewhere" })
    const { id } = await call("POST", `/spaces/${space.id}/change-requests`, {})
    const draft = `/spaces/${space.id}/change-requests/${id}`
    const paragraphs = (count: number) => Array.from({ length: count }, (_, i) => `${i} ${text(20)}`).join("\n\n")
    for (let createdCount = 0; createdCount < pageCount; createdCount += 50) {
      const changes = Array.from({ length: 50 }, (_, i) => ({
        operation: "insert_page",
        ...(i === 0 ? { ref: `part-${createdCount}` } : { into: `part-${createdCount}` }),
        title: `Page ${createdCount + i}`,
        document: { markdown: `# Page ${createdCount + i}\n\n${paragraphs(blocks)}` }
      }))
      await call("POST", `${draft}/content`, { changes })
    }
    const longPage = { operation: "insert_page", title: "Long", document: { markdown: `# Long\n\n${paragraphs(300)}` } }
    await call("POST", `${draft}/content`, { changes: [longPage] })
    await call("POST", `${draft}/merge`)
    const site = await call("POST", `/orgs/${organization.id}/sites`, { title: "Bench", spaces: [space.id] })
    const { urls } = await call("POST", `/orgs/${organization.id}/sites/${site.id}/publish`)
    const { pathname: base } = new URL(urls.published)
    const page = `${base}${pathOf(1)}`
    const rows: Array<Record<string, string>> = []

    await cpuIdle(server)
    bareProcess = fetchBare(barePort, `${url}${page}`)
    await ready(`http://127.0.0.1:${barePort}`)
    await load(url, server, [page])
    await load(`http://127.0.0.1:${barePort}`, bareProcess, [page])
    const samples: Array<Record<"ours" | "theirs" | "ourCpu" | "theirCpu" | "p99", number>> = []
    for (let round = 0; round < rounds; round++) {
      const theirs = await load(`http://127.0.0.1:${barePort}`, bareProcess, [page])
      const ours = await load(url, server, [page])
      samples.push({
        ours: ours.perSecond,
        theirs: theirs.perSecond,
        ourCpu: ours.cpu,
        theirCpu: theirs.cpu,
        p99: ours.p99
      })
    }
    const medianOf = (figure: (sample: (typeof samples)[number]) => number) => median(samples.map(figure))
    rows.push({
      what: "a page that is kept",
      "/s": medianOf(({ ours }) => ours).toFixed(0),
      "bare /s": medianOf(({ theirs }) => theirs).toFixed(0),
      ratio: medianOf(({ ours, theirs }) => ours / theirs).toFixed(2),
      "CPU µs": `${medianOf(({ ourCpu }) => ourCpu).toFixed(0)} : ${medianOf(({ theirCpu }) => theirCpu).toFixed(0)}`,
      p99: medianOf(({ p99 }) => p99).toFixed(1)
    })

    const allUrls = Array.from({ length: pageCount }, (_, i) => `${base}${pathOf(i)}`)
    const newPageTimes = await atRate(url, server, allUrls.slice(-newCount), 100)
    rows.push({
      what: `pages never asked for, ${blocks} blocks, 100/s`,
      "/s": newPageTimes.perSecond.toFixed(0),
      "CPU µs": newPageTimes.cpu.toFixed(0),
      p99: newPageTimes.p99.toFixed(1)
    })
    for (let from = 0; from < allUrls.length; from += connections) {
      await Promise.all(allUrls.slice(from, from + connections).map((path) => fetch(url + path, { headers })))
    }
    const keepAliveLoad = await load(url, server, allUrls)
    rows.push({
      what: `${pageCount.toLocaleString("en")} pages that are kept`,
      "/s": keepAliveLoad.perSecond.toFixed(0),
      "CPU µs": keepAliveLoad.cpu.toFixed(0),
      p99: keepAliveLoad.p99.toFixed(1)
    })
    const writing = setInterval(() => {
      void call("PATCH", `/spaces/${elsewhere.id}`, { title: `Written ${Date.now()}` })
    }, 100)
    const concurrentLoad = await load(url, server, allUrls)
    clearInterval(writing)
    rows.push({
      what: "the same, with ten writes a second elsewhere",
      "/s": concurrentLoad.perSecond.toFixed(0),
      "CPU µs": concurrentLoad.cpu.toFixed(0),
      p99: concurrentLoad.p99.toFixed(1)
    })

    const long: Array<number> = []
    for (let i = 0; i < 60; i++) {
      await call("PATCH", `/orgs/${organization.id}/sites/${site.id}`, { title: `Bench ${i}` })
      const cpuBefore = cpuTime(server.pid!)
      const answer = await fetch(`${url}${base}long`)
      await answer.text()
      if (i >= 10) long.push(cpuTime(server.pid!) - cpuBefore)
    }
    rows.push({
      what: "a page of 300 blocks, drawn anew and compressed",
      "CPU µs": (long.reduce((sum, duration) => sum + duration, 0) / long.length).toFixed(0)
    })
    return rows
  } finally {
    server.kill()
    bareProcess?.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , port, url] = process.argv
  const answer = await fetch(url!, { headers })
  const sizes = Object.fromEntries(
    [...answer.headers].filter(
      ([name]) => !["date", "connection", "keep-alive", "content-encoding", "content-length"].includes(name)
    )
  )
  const body = Buffer.from(await answer.arrayBuffer())
  // `fetch` decompresses the response, so it is compressed again as on the wire.
  const { brotliCompressSync } = await import("node:zlib")
  const bytes = brotliCompressSync(body)
  createServer((_, response) =>
    response.writeHead(200, { ...sizes, "content-encoding": "br", "content-length": bytes.length }).end(bytes)
  ).listen(Number(port), "127.0.0.1")
}
