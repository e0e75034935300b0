/**
 * Measures starts of the server from its sources, from the bundle and as the binary, in turns. Processor time is that
 * of the process until it is ready. Memory is the resident memory after an idle period.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import { buildBinary } from "../bundle/Binary.ts"
import { bundleServer } from "../bundle/Commands.ts"
import { root } from "../bundle/BuildStamp.ts"

const rounds = 5
/**
 * Idle time before the memory of a server is read (ms). Idle threads exit after 30 seconds, and V8 collects their
 * garbage 8 seconds later.
 */
const rest = 45_000

const status = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, "utf8")

/** Returns the processor time of a process (ms), in steps of 10. */
const processorTime = (pid: number): number => {
  const fields = status(pid, "stat").split(") ")[1]!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const megabytes = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(status(pid, "status"))?.[1]) / 1024

const started = async (command: ReadonlyArray<string>, data: string, port: number) => {
  const [program = "", ...args] = command
  const startedAt = performance.now()
  const child = spawn(program, [...args, "serve", "--port", String(port), "--data", data], {
    stdio: ["ignore", "ignore", "pipe"]
  })
  const pid = child.pid!
  const isOver = over(child.stderr)
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok === true) break
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`)
    await setTimeout(2)
  }
  const [wall, cpu] = [performance.now() - startedAt, processorTime(pid)]
  const end = async () => {
    child.kill("SIGTERM")
    await once(child, "exit")
  }
  await isOver
  return { pid, wall, cpu, end }
}

/** Waits for the log line at the end of the start. A first start publishes integrations after the server is ready. */
const over = (log: Readable): Promise<void> =>
  new Promise((done, failed) => {
    let text = ""
    log.setEncoding("utf8").on("data", (part: string) => {
      text += part
      if (text.includes("Lectern is ready")) done()
    })
    log.once("end", () => failed(new Error(`The server ended: ${text}`)))
  })

const median = (values: ReadonlyArray<number>): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

export const run = async () => {
  const programs = {
    source: [process.execPath, join(root, "apps/server/src/main.ts")],
    bundle: [process.execPath, await bundleServer()],
    binary: [await buildBinary()]
  }
  const results = Object.keys(programs).map((name) => ({
    name,
    ready: [] as Array<number>,
    readyCpu: [] as Array<number>,
    first: [] as Array<number>,
    firstCpu: [] as Array<number>,
    firstMemory: [] as Array<number>,
    memory: [] as Array<number>
  }))
  for (let round = 0; round < rounds; round++) {
    for (const [i, command] of Object.values(programs).entries()) {
      const result = results[i]!
      const data = mkdtempSync(join(tmpdir(), "lectern-start-"))
      const port = 21_000 + round * 10 + i
      const first = await started(command, data, port)
      result.first.push(first.wall)
      result.firstCpu.push(first.cpu)
      if (round === 0) {
        await setTimeout(rest)
        result.firstMemory.push(megabytes(first.pid))
      }
      await first.end()
      const next = await started(command, data, port)
      result.ready.push(next.wall)
      result.readyCpu.push(next.cpu)
      if (round === 0) {
        await setTimeout(rest)
        result.memory.push(megabytes(next.pid))
      }
      await next.end()
      rmSync(data, { recursive: true, force: true })
    }
  }
  const [source] = results
  return results.map(({ name, ...all }) => {
    const medianOf = (key: keyof typeof all) => Math.round(median(all[key]))
    const ratioToSource = (key: keyof typeof all) => (median(all[key]) / median(source![key])).toFixed(2)
    return {
      from: name,
      "ready ms": medianOf("ready"),
      "ready CPU ms": medianOf("readyCpu"),
      "of source's": `${ratioToSource("ready")} (${ratioToSource("readyCpu")})`,
      "first start ms": medianOf("first"),
      "first start CPU ms": medianOf("firstCpu"),
      "of source's ": `${ratioToSource("first")} (${ratioToSource("firstCpu")})`,
      "idle MB": medianOf("memory"),
      "after a first start": medianOf("firstMemory")
    }
  })
}
