/**
 * Measures streams of events: 1,000 streams of 100 tokens are opened on a server in a separate process. Reports the
 * memory that they add, the processor time of the server while they are idle, and the time until all of them have received
 * an event.
 *
 * Each stream is idle for `LECTERN_BENCH_IDLE` seconds (default: 30).
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, type IncomingMessage, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort, ready, serverEnvironment } from "./Http.ts"

const streamCount = 1_000
const streamsPerToken = 10
const events = 5
const idleSeconds = Number(process.env["LECTERN_BENCH_IDLE"] ?? 30)
const token = "a-token-of-the-bench-that-is-long-enough-0123456789"

/** Returns the resident memory of a process in KiB. */
const residentMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)

/** Returns the processor time of a process in ms. */
const processorTime = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export const run = async () => {
  const data = await mkdtemp(join(tmpdir(), "lectern-bench-streams-"))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, ["--expose-gc", "apps/server/src/main.ts", "serve"], {
    env: { ...serverEnvironment(data, port, token), LECTERN_CONNECTIONS_PER_ADDRESS: "0" },
    stdio: ["ignore", "ignore", "inherit"]
  })
  await ready(`${url}/readyz`)
  const call = async (method: string, path: string, body?: object, bearer = token) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { readonly id: string; readonly token: string; readonly items: [{ id: string }] }
  }
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const received = Array.from({ length: streamCount }, () => 0)
  /** Called when a stream has received an event. */
  let onEvent = () => {}
  const open = async (index: number, path: string, bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}`, accept: "text/event-stream" }
    const sent = request(`${url}/v1${path}`, { agent, headers }).end()
    const [response] = (await once(sent, "response")) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`A stream was refused: ${response.statusCode}`)
    response.on("data", (chunk: Buffer) => {
      if (!chunk.includes("event: space_updated")) return
      received[index]!++
      onEvent()
    })
    return response
  }
  try {
    const organization = (await call("GET", "/orgs")).items[0].id
    const { id: space } = await call("POST", `/orgs/${organization}/spaces`, { title: "Bench" })
    const tokens = [token]
    while (tokens.length < streamCount / streamsPerToken) {
      tokens.push((await call("POST", "/user/tokens", {})).token)
    }
    await sleep(3_000)
    const pid = server.pid!
    const memoryBefore = residentMemory(pid)
    const path = `/orgs/${organization}/events?types=space_updated`
    for (let i = 0; i < streamCount; i++) await open(i, path, tokens[i % tokens.length]!)
    await sleep(5_000)
    const memory = residentMemory(pid) - memoryBefore
    const timeBefore = processorTime(pid)
    await sleep(idleSeconds * 1_000)
    const idle = (processorTime(pid) - timeBefore) / idleSeconds
    const times: Array<number> = []
    for (let event = 1; event <= events; event++) {
      const all = new Promise<void>((resolve) => {
        onEvent = () => received.every((count) => count >= event) && resolve()
      })
      const startedAt = performance.now()
      await call("PATCH", `/spaces/${space}`, { title: `Title ${event}` })
      await all
      times.push(performance.now() - startedAt)
    }
    return [
      {
        streams: streamCount,
        "memory (MB)": Math.round(memory / 102.4) / 10,
        "idle CPU (ms/s)": Math.round(idle * 10) / 10,
        "event to all (ms)": Math.round(Math.max(...times)),
        "event to all, best (ms)": Math.round(Math.min(...times))
      }
    ]
  } finally {
    agent.destroy()
    server.kill()
    await once(server, "exit")
    await rm(data, { recursive: true, force: true })
  }
}
