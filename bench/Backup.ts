/**
 * Measures the latency of requests while `lectern backup` copies a large database, and without a backup. Requests are
 * sent at a constant rate. Latency counts from the scheduled time of a request, so it includes waiting for earlier ones.
 */
import { execFile, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import Database from "better-sqlite3"
import { freePort, ready } from "./Http.ts"

const main = "apps/server/src/main.ts"
/** Size of the database (bytes). `objectSize`: size of each object (bytes). */
const size = 1024 ** 3
const objectSize = 64 * 1024
/** Time between two requests (ms). Every tenth request is a write. */
const pace = 10
const baselineSeconds = 10

const fill = (filename: string) => {
  const database = new Database(filename)
  const insert = database.prepare("INSERT INTO lectern_object (hash, writtenAt, value) VALUES (?, ?, ?)")
  database.transaction(() => {
    for (let i = 0; i < size / objectSize; i++) {
      const value = randomBytes(objectSize / 2).toString("hex")
      insert.run(`bench-${i}`, Date.now(), value)
    }
  })()
  database.pragma("wal_checkpoint(TRUNCATE)")
  database.close()
}

/** Sends requests until `backupEnd` settles. Returns the latencies of the requests in ascending order (ms). */
const measureRequests = async (url: string, token: string, space: string, backupEnd: Promise<unknown>) => {
  const waits: Array<number> = []
  const openRequests = new Set<Promise<void>>()
  const controller = new AbortController()
  void backupEnd.finally(() => controller.abort())
  const startedAt = performance.now()
  for (let n = 0; !controller.signal.aborted; n++) {
    const dueAt = startedAt + n * pace
    const rest = dueAt - performance.now()
    if (rest > 0) await new Promise((done) => setTimeout(done, rest))
    const isWrite = n % 10 === 0
    const request = fetch(`${url}/v1/spaces/${space}`, {
      method: isWrite ? "PATCH" : "GET",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(isWrite && { body: JSON.stringify({ title: `Title ${n}` }) })
    }).then(async (response) => {
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${response.status}`)
      waits.push(performance.now() - dueAt)
      openRequests.delete(request)
    })
    openRequests.add(request)
  }
  await Promise.all(openRequests)
  return waits.sort((a, b) => a - b)
}

const row = (waits: ReadonlyArray<number>, seconds: number) => ({
  s: Number(seconds.toFixed(1)),
  requests: waits.length,
  "p50 ms": Number(waits[Math.floor(waits.length * 0.5)]!.toFixed(1)),
  "p99 ms": Number(waits[Math.floor(waits.length * 0.99)]!.toFixed(1)),
  "longest ms": Number(waits.at(-1)!.toFixed(1))
})

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  const data = join(folder, "data")
  try {
    const output = execFileSync(
      process.execPath,
      [main, "organization", "create", "--title", "Bench", "--email", "bench@example.com", "--data", data, "--json"],
      { encoding: "utf8" }
    )
    const { organization, user } = JSON.parse(output)
    const token = JSON.parse(
      execFileSync(process.execPath, [main, "token", "create", "--user", user.id, "--data", data, "--json"], {
        encoding: "utf8"
      })
    ).token as string
    fill(join(data, "lectern.db"))
    const port = await freePort()
    const server = spawn(process.execPath, [main, "serve", "--port", `${port}`, "--data", data], {
      stdio: "ignore",
      env: { ...process.env, LECTERN_CATALOGUE: "off" }
    })
    try {
      const url = `http://127.0.0.1:${port}`
      await ready(url)
      const created = await fetch(`${url}/v1/orgs/${organization.id}/spaces`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ title: "Bench" })
      })
      const { id: space } = (await created.json()) as { readonly id: string }
      const pause = new Promise((done) => setTimeout(done, baselineSeconds * 1000))
      const baseline = await measureRequests(url, token, space, pause)
      const startedAt = performance.now()
      const backup = promisify(execFile)(process.execPath, [main, "backup", join(folder, "backup"), "--data", data])
      const duringBackup = await measureRequests(url, token, space, backup)
      const seconds = (performance.now() - startedAt) / 1000
      await backup
      return {
        "requests alone": row(baseline, baselineSeconds),
        [`beside a backup of ${((await stat(join(folder, "backup", "lectern.db"))).size / 1024 ** 3).toFixed(2)} GiB`]:
          row(duringBackup, seconds)
      }
    } finally {
      server.kill()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
