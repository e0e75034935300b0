/**
 * Measures requests per second of Lectern's server and of a minimal server (`BareServer.ts`). Both get load in alternating
 * rounds of one run, so the ratio of their rates can be compared between machines. Some URLs and tokens are requested
 * much more often than others, as in practice (see `ReadMix.ts`).
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { once } from "node:events"
import autocannon from "autocannon"
import Database from "better-sqlite3"
import { makeMix, type Mix, type Read } from "./ReadMix.ts"
import { type SendRequest, editTree, firstRead, makeTree, treeSize } from "./PageTree.ts"

const seconds = 3
const rounds = 3
/** Duration of the warm-up of each server (s): some 40,000 requests, after which V8 has compiled the measured code. */
const warmUp = 8
const coldRuns = 5
const listSize = 100
const titles = 64

interface Target {
  process: ChildProcess
  readonly url: string
}

/** Rate of writes during the reads of a case. They change a space that no read requests. */
const writesPerSecond = 10

interface Case {
  readonly name: string
  readonly path?: (ids: Ids) => string
  readonly connections: number
  readonly method?: "PATCH"
  /** Bodies that each connection sends in turn, each from another start. */
  readonly bodies?: ReadonlyArray<string>
  /** Reads with several tokens. Default: reads of `path` with the administrator's token. */
  readonly mix?: (ids: Ids) => ReadonlyArray<Read>
  readonly hasConcurrentWrites?: boolean
  /** True if all requests differ, so that no response comes from a cache. */
  readonly isNew?: boolean
}

interface Ids {
  readonly organization: string
  readonly space: string
  readonly page: string
  readonly tree: string
  readonly mix: Mix
}

const cases: ReadonlyArray<Case> = [
  { name: "GET of 2,000 spaces and pages by 50 tokens", mix: ({ mix }) => mix.all, connections: 32 },
  {
    name: `The same, 100 URLs and ${writesPerSecond} writes a second`,
    mix: ({ mix }) => mix.hottest,
    connections: 32,
    hasConcurrentWrites: true
  },
  {
    name: "GET /v1/spaces/{id}, nothing kept",
    path: ({ space }) => `/v1/spaces/${space}`,
    connections: 32,
    isNew: true
  },
  {
    name: "GET …/content/page/{id}, nothing kept",
    path: ({ space, page }) => `/v1/spaces/${space}/content/page/${page}`,
    connections: 32,
    isNew: true
  },
  {
    name: "GET /v1/orgs/{id}/spaces, 100 of them",
    path: ({ organization }) => `/v1/orgs/${organization}/spaces?limit=100`,
    connections: 32
  },
  {
    name: `GET …/content/pages, ${treeSize.toLocaleString("en")} of them`,
    path: ({ tree }) => `/v1/spaces/${tree}/content/pages`,
    connections: 4
  },
  ...[1, 32].map((connections) => ({
    name: `PATCH /v1/spaces/{id}, ${connections} connection${connections === 1 ? "" : "s"}`,
    path: ({ space }: Ids) => `/v1/spaces/${space}`,
    connections,
    method: "PATCH" as const,
    // A PATCH with the current title would write nothing.
    bodies: Array.from({ length: titles }, (_, n) => JSON.stringify({ title: `A title that is written again, ${n}` }))
  }))
]

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, "close")
  return port
}

/** Returns the environment of a server that is measured: without limits, and without a catalogue of integrations. */
export const serverEnvironment = (data: string, port: number, token: string): NodeJS.ProcessEnv => ({
  ...process.env,
  LECTERN_DATA: data,
  LECTERN_PORT: String(port),
  LECTERN_BOOTSTRAP_TOKEN: token,
  LECTERN_CATALOGUE: "off",
  LECTERN_RATE_LIMIT: "0",
  LECTERN_LOG_LEVEL: "Error"
})

/** Waits until a URL responds with any status other than 503. */
export const ready = async (url: string) => {
  for (;;) {
    const hasStarted = await fetch(url).then(
      (response) => response.status !== 503,
      () => false
    )
    if (hasStarted) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns the CPU time of a process so far, in microseconds. 0 on systems other than Linux. */
export const cpuTime = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return 0
  }
}

/** Number of unique requests so far. */
let newPageCount = 0

const load = async (target: Target, token: string, ids: Ids, test: Case, duration = seconds) => {
  const cpuBefore = cpuTime(target.process.pid!)
  const authorization = `Bearer ${token}`
  const writing =
    test.hasConcurrentWrites === true ? writeConcurrently(target.url, ids.space, authorization) : undefined
  let requestCount = 0
  const options: autocannon.Options = {
    url: target.url + (test.path?.(ids) ?? ""),
    connections: test.connections,
    duration,
    headers: { authorization, ...(test.bodies && { "content-type": "application/json" }) },
    ...(test.method && { method: test.method })
  }
  if (test.isNew === true) {
    options.requests = [
      {
        setupRequest: (request) => ({
          ...request,
          headers: { ...request.headers, "if-none-match": `"${newPageCount++}"` }
        })
      }
    ]
  }
  const { bodies } = test
  if (bodies !== undefined) {
    options.setupClient = (client) => {
      const first = (requestCount++ * Math.ceil(bodies.length / test.connections)) % bodies.length
      client.setRequests([...bodies.slice(first), ...bodies.slice(0, first)].map((body) => ({ body })))
    }
  }
  const mix = test.mix?.(ids)
  if (mix !== undefined) {
    // Each connection sends its own part of the reads.
    const part = Math.floor(mix.length / test.connections)
    options.setupClient = (client) => {
      const reads = mix.slice(requestCount * part, ++requestCount * part)
      client.setRequests(reads.map(({ path, token }) => ({ path, headers: { authorization: `Bearer ${token}` } })))
    }
  }
  const result = await autocannon(options)
  await writing?.()
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${test.name}: ${result.non2xx} failed, ${result.errors} errors`)
  const requests = result.requests.total
  return { perSecond: requests / result.duration, cpu: (cpuTime(target.process.pid!) - cpuBefore) / requests }
}

/** Writes at a constant rate until the returned function is called. */
const writeConcurrently = (url: string, space: string, authorization: string) => {
  let lastWrite = Promise.resolve()
  let writeCount = 0
  const timer = setInterval(() => {
    lastWrite = lastWrite.then(async () => {
      const response = await fetch(`${url}/v1/spaces/${space}`, {
        method: "PATCH",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ title: `Written ${writeCount++}` })
      })
      if (!response.ok) throw new Error(`A write beside: ${response.status}`)
      await response.arrayBuffer()
    })
  }, 1_000 / writesPerSecond)
  return () => {
    clearInterval(timer)
    return lastWrite
  }
}

export const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  const token = randomBytes(32).toString("base64url")
  const [port, barePort] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    LECTERN_DATA: join(folder, "data"),
    LECTERN_PORT: String(port),
    LECTERN_BOOTSTRAP_TOKEN: token,
    LECTERN_LOG_LEVEL: "Error"
  }
  const start = (args: ReadonlyArray<string>, url: string): Target => ({
    process: spawn(process.execPath, args, { env, stdio: "ignore" }),
    url
  })
  const startLectern = () => start(["apps/server/src/main.ts", "serve"], `http://127.0.0.1:${port}`)
  const lectern = startLectern()
  const bareFile = join(folder, "bare.db")
  let bareTarget: Target | undefined
  try {
    await ready(`${lectern.url}/readyz`)
    const sendRequest: SendRequest = async (path, body) => {
      const response = await fetch(lectern.url + path, {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      return response.json()
    }
    const [organization] = (await sendRequest("/v1/orgs")).items
    const listUrl = `/v1/orgs/${organization.id}/spaces`
    const [space] = (await sendRequest(listUrl)).items
    const { pages } = await sendRequest(`/v1/spaces/${space.id}/content/pages`)
    const page = pages.find((candidate: any) => candidate.type === "document")
    for (let i = 2; i < listSize; i++) await sendRequest(listUrl, { title: `Space ${i}` })
    const tree = await makeTree(sendRequest, organization.id)
    const mix = await makeMix(sendRequest, organization.id, join(folder, "data", "lectern.db"))
    const ids: Ids = { organization: organization.id, space: space.id, page: page.id, tree, mix }

    // The minimal server responds with copies of Lectern's rows.
    const db = new Database(bareFile)
    for (const table of ["token (hash", "space (id", "page (id", "tree (id"])
      db.exec(`CREATE TABLE ${table} TEXT PRIMARY KEY, doc TEXT NOT NULL)`)
    const insert = (table: string, key: string, doc: unknown) =>
      db.prepare(`INSERT INTO ${table} VALUES (?, ?)`).run(key, JSON.stringify(doc))
    for (const one of [token, ...mix.tokens]) {
      insert("token", createHash("sha256").update(one).digest("base64url"), { user: "u" })
    }
    for (const one of (await sendRequest(`${listUrl}?limit=${listSize}`)).items) insert("space", one.id, one)
    for (const one of mix.spaces) {
      const { id, pages } = one
      db.prepare("INSERT OR IGNORE INTO space VALUES (?, ?)").run(
        id,
        JSON.stringify(await sendRequest(`/v1/spaces/${id}`))
      )
      for (const page of pages) insert("page", page, await sendRequest(`/v1/spaces/${id}/content/page/${page}`))
    }
    insert("page", ids.page, await sendRequest(`/v1/spaces/${ids.space}/content/page/${ids.page}`))
    const pageTree = await sendRequest(`/v1/spaces/${ids.tree}/content/pages`)
    insert("tree", ids.tree, pageTree)
    db.close()
    bareTarget = start(["bench/BareServer.ts", bareFile, String(barePort)], `http://127.0.0.1:${barePort}`)
    await ready(bareTarget.url)

    const rows: Array<Record<string, string>> = []
    for (const test of cases) {
      const samples: Array<{ ours: number; theirs: number; ourCpu: number; theirCpu: number }> = []
      for (const target of [bareTarget, lectern]) {
        await load(target, token, ids, { ...test, connections: Math.max(test.connections, 8) }, warmUp)
      }
      for (let round = 0; round < rounds; round++) {
        const theirs = await load(bareTarget, token, ids, test)
        const ours = await load(lectern, token, ids, test)
        samples.push({ ours: ours.perSecond, theirs: theirs.perSecond, ourCpu: ours.cpu, theirCpu: theirs.cpu })
      }
      rows.push({
        request: test.name,
        "lectern /s": median(samples.map(({ ours }) => ours)).toFixed(0),
        "bare /s": median(samples.map(({ theirs }) => theirs)).toFixed(0),
        ratio: median(samples.map(({ ours, theirs }) => ours / theirs)).toFixed(2),
        "CPU µs": `${median(samples.map(({ ourCpu }) => ourCpu)).toFixed(0)} : ${median(samples.map(({ theirCpu }) => theirCpu)).toFixed(0)}`
      })
    }

    const coldTimes: Array<number> = []
    for (let run = 0; run < coldRuns; run++) {
      await editTree(sendRequest, ids.tree, pageTree.pages[run].id, run)
      coldTimes.push(await firstRead(lectern.url, ids.tree, token))
    }
    const started: Array<number> = []
    for (let run = 0; run < coldRuns; run++) {
      lectern.process.kill()
      await once(lectern.process, "exit")
      lectern.process = startLectern().process
      await ready(`${lectern.url}/readyz`)
      await sendRequest(`/v1/spaces/${ids.tree}`)
      started.push(await firstRead(lectern.url, ids.tree, token))
    }
    rows.push({ request: "Page tree of a revision that was never read", "first ms": median(coldTimes).toFixed(1) })
    rows.push({ request: "Page tree, the first after a start", "first ms": median(started).toFixed(1) })
    return rows
  } finally {
    lectern.process.kill()
    bareTarget?.process.kill()
    await rm(folder, { recursive: true, force: true })
  }
}
