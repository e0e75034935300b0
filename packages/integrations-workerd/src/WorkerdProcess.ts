/**
 * One process of `workerd` for one version of one integration, in a folder of its own that only we can
 * read. It ends when its pool ends it, when it takes more memory than it may, or by itself.
 *
 * Limits: 96 MiB of heap and 256 MiB in all; 10 seconds to start.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, request, type Server } from "node:http"
import { createRequire } from "node:module"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { maxLogBytes, maxSubrequests, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import * as OutsideDoor from "./OutsideDoor.ts"
import { files, sockets } from "./WorkerdConfig.ts"
import { runHeader } from "./WorkerScripts.ts"
import type { RunLog } from "@lectern/core/integration/RunLog"

const heapMegabytes = 96
const maxMegabytes = 256
const startTimeout = 10_000
/** How often the memory of a process is looked at while it has something to do. */
const memoryEvery = 100

/** What is asked of a process for one event. */
export interface Asked {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface Answered {
  readonly status: number
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: AsyncIterable<Uint8Array>
  readonly cancel: () => void
}

const failed = (reason: RunFailed["reason"], message: string) => new RunFailed({ reason, message, logs: [] })

/** The program itself, as the package brings it for this machine; undefined where it has none. */
export const binary = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve(`@cloudflare/workerd-${process.platform}-${machine}/bin/workerd`, {
      paths: [createRequire(import.meta.url).resolve("workerd")]
    })
  } catch {
    return undefined
  }
}

const machine = process.arch === "x64" ? "64" : process.arch

export class WorkerdProcess {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #servers: ReadonlyArray<Server>
  readonly #allowance: { left: number }
  readonly #logs: Map<string, (logs: ReadonlyArray<RunLog>) => void>
  readonly #said: { text: string }
  #underWay = 0
  #runs = 0
  #hasAnswered = false
  #isOver = false
  /** Why it was ended, where it was. */
  #reason: RunFailed | undefined
  #memory: NodeJS.Timeout | undefined

  private constructor(
    child: ChildProcess,
    folder: string,
    servers: ReadonlyArray<Server>,
    allowance: { left: number },
    logs: Map<string, (logs: ReadonlyArray<RunLog>) => void>,
    said: { text: string }
  ) {
    this.#child = child
    this.#folder = folder
    this.#servers = servers
    this.#allowance = allowance
    this.#logs = logs
    this.#said = said
    child.on("exit", () => this.#over())
  }

  static async start(
    program: string,
    script: string,
    runtime: "v1" | "v2",
    options: OutsideDoor.OutsideDoorOptions
  ): Promise<WorkerdProcess> {
    const folder = await mkdtemp(join(tmpdir(), "lectern-"))
    const logs = new Map<string, (logs: ReadonlyArray<RunLog>) => void>()
    const allowance = { left: 0 }
    const servers = [listenToLogs(logs), OutsideDoor.open(options, allowance)] as const
    const said = { text: "" }
    try {
      for (const [name, text] of Object.entries(files(script, runtime, folder, heapMegabytes))) {
        await writeFile(join(folder, name), text, { mode: 0o600 })
      }
      await listening(servers[0], join(folder, sockets.host))
      await listening(servers[1], join(folder, sockets.outside))
      const child = spawn(program, ["serve", "config.capnp", "--experimental"], {
        cwd: folder,
        env: {},
        stdio: ["ignore", "ignore", "pipe"]
      })
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said.text = (said.text + text).slice(0, 4096)
      })
      await answering(child, join(folder, sockets.events), said)
      return new WorkerdProcess(child, folder, servers, allowance, logs, said)
    } catch (error) {
      for (const server of servers) server.close()
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get underWay(): number {
    return this.#underWay
  }

  /** Asks for one event. `done` gives its logs once the script is done with it, or has ended. */
  async ask({ headers, body }: Asked): Promise<Answered & { readonly done: Promise<ReadonlyArray<RunLog>> }> {
    const run = String(this.#runs++)
    const { promise: done, resolve } = Promise.withResolvers<ReadonlyArray<RunLog>>()
    this.#begin()
    this.#logs.set(run, (logs) => {
      this.#logs.delete(run)
      this.#finish()
      resolve(logs)
    })
    try {
      const answered = await this.#send(run, headers, body)
      this.#hasAnswered = true
      return { ...answered, done }
    } catch (error) {
      this.#logs.get(run)?.([])
      throw error instanceof RunFailed ? error : await this.#failure()
    }
  }

  /** Ends the process; `reason` is what those are told who wait for it. */
  end(reason?: RunFailed): void {
    this.#reason ??= reason
    this.#isOver = true
    this.#child.kill("SIGKILL")
  }

  #send(run: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<Answered> {
    return new Promise((answer, fail) => {
      const asking = request({
        socketPath: join(this.#folder, sockets.events),
        path: "/v1",
        method: "POST",
        headers: { ...headers, host: "integration", "content-length": body.byteLength, [runHeader]: run }
      })
      asking.on("error", fail)
      asking.on("response", (response) =>
        answer({
          status: response.statusCode ?? 500,
          rawHeaders: response.rawHeaders,
          body: response,
          cancel: () => response.destroy()
        })
      )
      asking.end(body)
    })
  }

  /** Why there is no answer. A process that gives none is of no more use, whether it has ended yet or not. */
  async #failure(): Promise<RunFailed> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "exit")
      this.end()
      await ended
    }
    if (this.#reason !== undefined) return this.#reason
    const { text } = this.#said
    if (/heap out of memory/i.test(text)) return failed("crashed", "It took more memory than it may")
    return this.#hasAnswered
      ? failed("crashed", "It ended in the middle")
      : failed("unreachable", `It could not be started: ${text.slice(0, 500)}`)
  }

  #begin(): void {
    this.#allowance.left += maxSubrequests
    if (this.#underWay++ === 0) this.#memory = setInterval(() => void this.#weigh(), memoryEvery).unref()
  }

  #finish(): void {
    if (--this.#underWay > 0) return
    this.#allowance.left = 0
    clearInterval(this.#memory)
  }

  /** What lies outside of the heap is not bounded by it. */
  async #weigh(): Promise<void> {
    const pages = await readFile(`/proc/${this.#child.pid}/statm`, "utf8").catch(() => undefined)
    const megabytes = (Number(pages?.split(" ")[1] ?? 0) * 4096) / 1024 / 1024
    if (megabytes > maxMegabytes) this.end(failed("crashed", "It took more memory than it may"))
  }

  #over(): void {
    this.#isOver = true
    clearInterval(this.#memory)
    for (const tell of Array.from(this.#logs.values())) tell([])
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
    void rm(this.#folder, { recursive: true, force: true })
  }
}

/** Takes the logs of events, which a script sends once it is done with one. */
const listenToLogs = (logs: ReadonlyMap<string, (logs: ReadonlyArray<RunLog>) => void>): Server =>
  createServer((incoming, answer) => {
    let text = ""
    incoming.setEncoding("utf8").on("data", (part: string) => {
      // A script can write here what it likes: in bytes no more than its logs may have, as JSON.
      if (text.length <= maxLogBytes * 8) text += part
    })
    incoming.on("end", () => {
      logs.get(incoming.url?.slice(1) ?? "")?.(linesOf(text))
      answer.end()
    })
  })

const levels = new Set(["debug", "info", "warn", "error"])

const linesOf = (text: string): ReadonlyArray<RunLog> => {
  try {
    const lines: unknown = JSON.parse(text)
    return Array.isArray(lines) ? lines.filter(isLine) : []
  } catch {
    return []
  }
}

const isLine = (line: any): line is RunLog =>
  typeof line === "object" &&
  levels.has(line?.level) &&
  typeof line.message === "string" &&
  typeof line.timestamp === "string"

const listening = (server: Server, path: string) =>
  new Promise<void>((done, fail) => {
    server.on("error", fail)
    server.listen(path, done)
  })

/** Waits until the process takes connections. */
const answering = (child: ChildProcess, path: string, said: { readonly text: string }) =>
  new Promise<void>((done, fail) => {
    const until = performance.now() + startTimeout
    const end = (error?: RunFailed) => {
      child.off("exit", onExit).off("error", onError)
      if (error === undefined) return done()
      child.kill("SIGKILL")
      fail(error)
    }
    const onExit = () => end(failed("unreachable", `It could not be started: ${said.text.slice(0, 500)}`))
    const onError = (error: Error) => end(failed("unreachable", `It could not be started: ${error.message}`))
    child.on("exit", onExit).on("error", onError)
    const attempt = () => {
      if (child.exitCode !== null) return
      const socket = connect(path)
      socket.on("connect", () => {
        socket.destroy()
        end()
      })
      socket.on("error", () => {
        if (performance.now() > until) end(failed("unreachable", "It took too long to start"))
        else setTimeout(attempt, 5).unref()
      })
    }
    attempt()
  })
