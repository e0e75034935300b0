/**
 * Runs a server under mixed load for a given time: 20 spaces and 16 clients, each of which sends its next request after
 * the previous response. Clients read pages, list spaces, search, and rename spaces in turns. Every twentieth turn
 * creates a change request with a new page and merges it.
 *
 * `LECTERN_BENCH_SECONDS` sets the duration (default: 300). `LECTERN_BENCH_SERVER` names a program to start instead of
 * the sources, such as `dist/lectern`.
 */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, request } from "node:http"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { cpuTime, freePort, ready } from "./Http.ts"
import { numbers } from "./ReadMix.ts"

const seconds = Number(process.env["LECTERN_BENCH_SECONDS"] ?? 300)
const spaceCount = 20
const clientCount = 16
const pagesAtFirst = 20
/** Idle time before the server's memory is read again (ms). Idle threads exit after 30 seconds. */
const rest = 40_000

const words = "space page table token merge review search heading reader writer install upgrade backup section".split(
  " "
)

/** Returns Markdown of about 2 KB with two sections, a table and a list. */
const markdownOf = (random: () => number): string => {
  const pickWords = (count: number) =>
    Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(" ")
  return `${pickWords(80)}.\n\n## ${pickWords(3)}\n\n${pickWords(120)}.\n\n| a | b |\n| - | - |\n| ${pickWords(2)} | ${pickWords(2)} |\n\n* ${pickWords(9)}\n* ${pickWords(9)}\n`
}

interface ResponseSummary {
  readonly status: number
  readonly millis: number
  readonly body: any
}

const megabytes = (pid: number, field: string): number =>
  Math.round(
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
  )

/** Returns a function that sends requests over persistent connections. */
const requester = (url: string, token: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: clientCount })
  return (path: string, method = "GET", body?: object): Promise<ResponseSummary> => {
    const startedAt = performance.now()
    const text = body && JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const clientRequest = request(
        url + path,
        {
          agent,
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(text !== undefined && {
              "content-type": "application/json",
              "content-length": Buffer.byteLength(text)
            })
          }
        },
        (response) => {
          const parts: Array<Buffer> = []
          response.on("data", (part: Buffer) => parts.push(part))
          response.once("error", reject)
          response.once("end", () => {
            const millis = performance.now() - startedAt
            const answer = Buffer.concat(parts).toString()
            resolve({
              status: response.statusCode ?? 0,
              millis,
              body: method === "POST" && answer !== "" ? JSON.parse(answer) : answer
            })
          })
        }
      )
      clientRequest.once("error", reject)
      clientRequest.end(text)
    })
  }
}

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  const token = randomBytes(32).toString("base64url")
  const port = await freePort()
  const serverCommand = process.env["LECTERN_BENCH_SERVER"]
  const [program, ...args] =
    serverCommand === undefined ? [process.execPath, "apps/server/src/main.ts"] : [serverCommand]
  const server = spawn(program!, [...args, "serve"], {
    stdio: "ignore",
    env: {
      ...process.env,
      LECTERN_DATA: join(folder, "data"),
      LECTERN_PORT: String(port),
      LECTERN_BOOTSTRAP_TOKEN: token,
      LECTERN_LOG_LEVEL: "error"
    }
  })
  try {
    const url = `http://127.0.0.1:${port}`
    const pid = server.pid!
    await ready(`${url}/readyz`)
    const sendRequest = requester(url, token)
    const random = numbers(20_261_123)
    const pick = <A>(items: ReadonlyArray<A>): A => items[Math.floor(random() * items.length)]!
    const insert = (title: string) => ({
      operation: "insert_page",
      title,
      document: { markdown: markdownOf(random) }
    })

    const { items } = JSON.parse((await sendRequest("/v1/orgs")).body)
    const spacesOf = `/v1/orgs/${items[0].id}/spaces`
    const spaces: Array<{ readonly id: string; readonly pages: Array<string> }> = []
    for (let s = 0; s < spaceCount; s++) {
      const { id } = (await sendRequest(spacesOf, "POST", { title: `Manual ${s}` })).body
      const changeRequests = `/v1/spaces/${id}/change-requests`
      const draft = (await sendRequest(changeRequests, "POST", {})).body.id
      const changes = Array.from({ length: pagesAtFirst }, (_, n) => insert(`Page ${n}`))
      await sendRequest(`${changeRequests}/${draft}/content`, "POST", { changes })
      await sendRequest(`${changeRequests}/${draft}/merge`, "POST")
      const { pages } = JSON.parse((await sendRequest(`/v1/spaces/${id}/content/pages`)).body)
      spaces.push({ id, pages: pages.map((page: any) => page.id) })
    }

    const durations: Array<number> = []
    const kinds = new Map<string, Array<number>>()
    const statuses = new Map<number, number>()
    const notedAs = (kind: string) => {
      const kindTimes = kinds.get(kind) ?? []
      kinds.set(kind, kindTimes)
      return (summary: ResponseSummary): ResponseSummary => {
        durations.push(summary.millis)
        kindTimes.push(summary.millis)
        statuses.set(summary.status, (statuses.get(summary.status) ?? 0) + 1)
        return summary
      }
    }
    const noted = {
      read: notedAs("read"),
      list: notedAs("list"),
      search: notedAs("search"),
      rename: notedAs("rename"),
      create: notedAs("create a change request"),
      edit: notedAs("edit it"),
      merge: notedAs("merge it")
    }
    let turns = 0
    const turn = async (): Promise<void> => {
      const n = turns++
      const space = pick(spaces)
      if (n % 20 === 19) {
        const changeRequests = `/v1/spaces/${space.id}/change-requests`
        const { id } = noted.create(await sendRequest(changeRequests, "POST", {})).body
        const changes = [insert(`Page of turn ${n}`)]
        noted.edit(await sendRequest(`${changeRequests}/${id}/content`, "POST", { changes }))
        noted.merge(await sendRequest(`${changeRequests}/${id}/merge`, "POST"))
        return
      }
      if (n % 4 === 0) noted.read(await sendRequest(`/v1/spaces/${space.id}/content/page/${pick(space.pages)}`))
      else if (n % 4 === 1) noted.list(await sendRequest(`${spacesOf}?limit=50`))
      else if (n % 4 === 2)
        noted.search(await sendRequest(`/v1/spaces/${space.id}/search?query=${pick(words)}+${pick(words)}`))
      else noted.rename(await sendRequest(`/v1/spaces/${space.id}`, "PATCH", { title: `Renamed ${n}` }))
    }

    const memoryBefore = megabytes(pid, "VmRSS")
    const load = loadavg()[0]!.toFixed(1)
    const cpuBefore = cpuTime(pid)
    const startedAt = performance.now()
    const quarters: Array<number> = []
    const client = async (): Promise<void> => {
      while (performance.now() - startedAt < seconds * 1000) {
        await turn()
        if (performance.now() - startedAt > (quarters.length + 1) * seconds * 250)
          quarters.push(megabytes(pid, "VmRSS"))
      }
    }
    await Promise.all(Array.from({ length: clientCount }, client))
    const atEnd = megabytes(pid, "VmRSS")
    const cpu = (cpuTime(pid) - cpuBefore) / 1e6
    const peakMemory = megabytes(pid, "VmHWM")
    await setTimeout(rest)
    const after = megabytes(pid, "VmRSS")

    const percentileOf = (waits: ReadonlyArray<number>, share: number) =>
      Number(waits[Math.floor(waits.length * share)]?.toFixed(1))
    const row = (waits: Array<number>) => {
      waits.sort((a, b) => a - b)
      return {
        requests: waits.length,
        "p50 ms": percentileOf(waits, 0.5),
        "p99 ms": percentileOf(waits, 0.99),
        "longest ms": Number(waits.at(-1)?.toFixed(1))
      }
    }
    console.log(
      `${seconds} s, a load of ${load} before. Resident MB: ${memoryBefore} before, ${quarters.join(", ")} by quarters, ` +
        `${atEnd} at the end, ${peakMemory} at most, ${after} after ${rest / 1000} s of rest. ` +
        `The server took ${cpu.toFixed(0)} s of the processor, ${((cpu * 1e6) / durations.length).toFixed(0)} µs a request. ` +
        `Statuses: ${Array.from(statuses, ([status, count]) => `${count} of ${status}`).join(", ")}`
    )
    return { all: row(durations), ...Object.fromEntries(Array.from(kinds, ([kind, waits]) => [kind, row(waits)])) }
  } finally {
    server.kill()
    if (server.exitCode === null) await once(server, "exit")
    await rm(folder, { recursive: true, force: true })
  }
}
