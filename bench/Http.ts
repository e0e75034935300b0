/**
 * Requests against the real server and the bare one, in turns: each figure is a ratio of what both
 * served in the same run, so that it means something on any machine.
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

const seconds = 3
const rounds = 3
const listSize = 100

interface Target {
  readonly process: ChildProcess
  readonly url: string
}

interface Case {
  readonly name: string
  readonly path: (ids: Ids) => string
  readonly connections: number
  readonly method?: "PATCH"
  readonly body?: string
}

interface Ids {
  readonly organization: string
  readonly space: string
  readonly page: string
}

const cases: ReadonlyArray<Case> = [
  { name: "GET /v1/spaces/{id}", path: ({ space }) => `/v1/spaces/${space}`, connections: 32 },
  {
    name: "GET …/content/page/{id}",
    path: ({ space, page }) => `/v1/spaces/${space}/content/page/${page}`,
    connections: 32
  },
  {
    name: "GET /v1/orgs/{id}/spaces, 100 of them",
    path: ({ organization }) => `/v1/orgs/${organization}/spaces?limit=100`,
    connections: 32
  },
  ...[1, 32].map((connections) => ({
    name: `PATCH /v1/spaces/{id}, ${connections} connection${connections === 1 ? "" : "s"}`,
    path: ({ space }: Ids) => `/v1/spaces/${space}`,
    connections,
    method: "PATCH" as const,
    body: JSON.stringify({ title: "A title that is written again and again" })
  }))
]

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, "close")
  return port
}

/** Waits until something answers there, whatever it says. */
const ready = async (url: string) => {
  for (;;) {
    const answered = await fetch(url).then(
      (response) => response.status !== 503,
      () => false
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** CPU time of a process so far, in microseconds (Linux; elsewhere 0). */
const cpuTime = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return 0
  }
}

const load = async (target: Target, token: string, ids: Ids, test: Case) => {
  const before = cpuTime(target.process.pid!)
  const result = await autocannon({
    url: target.url + test.path(ids),
    connections: test.connections,
    duration: seconds,
    headers: {
      authorization: `Bearer ${token}`,
      ...(test.body !== undefined && { "content-type": "application/json" })
    },
    ...(test.method && { method: test.method }),
    ...(test.body !== undefined && { body: test.body })
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${test.name}: ${result.non2xx} failed, ${result.errors} errors`)
  const requests = result.requests.total
  return { perSecond: requests / result.duration, cpu: (cpuTime(target.process.pid!) - before) / requests }
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

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
  const lectern = start(["apps/server/src/main.ts", "serve"], `http://127.0.0.1:${port}`)
  const bareFile = join(folder, "bare.db")
  let bare: Target | undefined
  try {
    await ready(`${lectern.url}/readyz`)
    const get = async (path: string) => {
      const response = await fetch(lectern.url + path, { headers: { authorization: `Bearer ${token}` } })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      return (await response.json()) as any
    }
    const [organization] = (await get("/v1/orgs")).items
    const [space] = (await get(`/v1/orgs/${organization.id}/spaces`)).items
    const { pages } = await get(`/v1/spaces/${space.id}/content/pages`)
    const page = pages.find((candidate: any) => candidate.type === "document")
    const ids = { organization: organization.id as string, space: space.id as string, page: page.id as string }
    const listed = `/v1/orgs/${organization.id}/spaces`
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    for (let i = 1; i < listSize; i++) {
      await fetch(lectern.url + listed, { method: "POST", headers, body: JSON.stringify({ title: `Space ${i}` }) })
    }

    // The bare server holds the very same resources.
    const db = new Database(bareFile)
    for (const table of ["token (hash", "space (id", "page (id"])
      db.exec(`CREATE TABLE ${table} TEXT PRIMARY KEY, doc TEXT NOT NULL)`)
    const insert = (table: string, key: string, doc: unknown) =>
      db.prepare(`INSERT INTO ${table} VALUES (?, ?)`).run(key, JSON.stringify(doc))
    insert("token", createHash("sha256").update(token).digest("base64url"), { user: "u" })
    for (const one of (await get(`${listed}?limit=${listSize}`)).items) insert("space", one.id, one)
    insert("page", ids.page, await get(`/v1/spaces/${ids.space}/content/page/${ids.page}`))
    db.close()
    bare = start(["bench/BareServer.ts", bareFile, String(barePort)], `http://127.0.0.1:${barePort}`)
    await ready(bare.url)

    const rows: Array<Record<string, string>> = []
    for (const test of cases) {
      const samples: Array<{ ours: number; theirs: number; ourCpu: number; theirCpu: number }> = []
      for (let round = 0; round < rounds; round++) {
        const theirs = await load(bare, token, ids, test)
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
    return rows
  } finally {
    lectern.process.kill()
    bare?.process.kill()
    await rm(folder, { recursive: true, force: true })
  }
}
