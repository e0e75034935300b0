/**
 * Measures objects retained in the heap of a server after ten imports of folders into ten spaces, and after a visitor
 * has read all pages. Reports growth between two heap snapshots by constructor and by owner (see `HeapSnapshot.ts`),
 * and resident memory one minute later.
 *
 * `LECTERN_BENCH_SNAPSHOTS=off` disables snapshots. Writing one takes some hundred MB in the server, which stay
 * resident.
 *
 * `LECTERN_BENCH_PAGES` names a folder that holds the folders to import (default: the documentation that comes with
 * Lectern). `LECTERN_BENCH_TIMES` sets the number of imports of each folder (default: 10).
 */
import { spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { HeapRequest, HeapUse } from "./HeapTaker.ts"
import * as HeapSnapshot from "./HeapSnapshot.ts"
import { freePort, ready, serverEnvironment } from "./Http.ts"

const pagesFolder = process.env["LECTERN_BENCH_PAGES"]
const times = Number(process.env["LECTERN_BENCH_TIMES"] ?? 10)
const takesSnapshots = process.env["LECTERN_BENCH_SNAPSHOTS"] !== "off"
const readers = 8
/** Idle time before the server's memory is read, in ms. */
const idleTime = 60_000
const maxRows = 12

const folders =
  pagesFolder === undefined
    ? [join(import.meta.dirname, "../docs")]
    : readdirSync(pagesFolder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(pagesFolder, name))

const residentOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024)

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-heap-"))
  const data = join(folder, "data")
  const token = randomBytes(32).toString("base64url")
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const takerUrl = new URL("./HeapTaker.ts", import.meta.url).href
  const server = spawn(process.execPath, ["--import", takerUrl, "apps/server/src/main.ts", "serve"], {
    env: serverEnvironment(data, port, token),
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  const fileOf = (name: string) => join(folder, `${name}.heapsnapshot`)
  const snapshotAt = (name: string): HeapRequest => (takesSnapshots ? { snapshot: fileOf(name) } : {})
  const take = async (heapRequest: HeapRequest): Promise<HeapUse> => {
    const firstMessage = once(server, "message")
    server.send(heapRequest)
    return (await firstMessage)[0] as HeapUse
  }
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  try {
    await ready(`${url}/readyz`)
    const [organization] = (await call("GET", "/orgs")).items
    await (await fetch(`${url}/sites/`)).text()
    const use = { before: await take(snapshotAt("before")) }
    const pages: Array<string> = []
    for (let time = 0; time < times; time++) {
      for (const one of folders) {
        const args = ["apps/server/src/main.ts", "import", one, "--data", data, "--json"]
        const { status, stdout } = spawnSync(process.execPath, args, {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"]
        })
        if (status !== 0) throw new Error(`lectern import: ${stdout}`)
        const { space } = JSON.parse(stdout)
        const site = await call("POST", `/orgs/${organization.id}/sites`, { title: `Site ${time}`, spaces: [space.id] })
        const { urls } = await call("POST", `/orgs/${organization.id}/sites/${site.id}/publish`)
        const base = new URL(urls.published)
        const sitemap = await (await fetch(`${url}${base.pathname}sitemap.xml`)).text()
        for (const [, page] of sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)) pages.push(new URL(page!).pathname)
      }
    }
    const remainingPages = pages.values()
    const reader = async () => {
      for (const path of remainingPages)
        await (await fetch(url + path, { headers: { accept: "text/html" } })).arrayBuffer()
    }
    await Promise.all(Array.from({ length: readers }, reader))
    const atEnd = residentOf(server.pid!)
    await sleep(idleTime)
    const resident = residentOf(server.pid!)
    const after = await take(snapshotAt("after"))
    if (takesSnapshots) {
      const [first, last] = ["before", "after"].map((name) => HeapSnapshot.read(fileOf(name)))
      console.log("By constructor, MB")
      console.table(HeapSnapshot.grown(first!.byConstructor, last!.byConstructor, maxRows))
      console.log("By owner, MB")
      console.table(HeapSnapshot.grown(first!.byOwner, last!.byOwner, maxRows))
    }
    return [
      {
        pages: pages.length,
        "heap before, MB": (use.before.heap / 1e6).toFixed(0),
        "heap after, MB": (after.heap / 1e6).toFixed(0),
        "RSS at the end, MB": atEnd,
        "RSS a minute later, MB": resident
      }
    ]
  } finally {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit")
    await rm(folder, { recursive: true, force: true })
  }
}
