/**
 * One process of `workerd` for one version of one integration, in a folder of its own that only we can
 * read. It ends when its pool ends it, when it takes more memory than it may, by itself, or with the process
 * that started it, also where that is killed.
 *
 * Limits: 96 MiB of heap and 384 MiB in all; 10 seconds to start.
 */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Writable } from "node:stream"
import { Duration } from "effect"
import { maxLogBytes, maxSubrequests, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import * as OutsideDoor from "./OutsideDoor.ts"
import { Pool } from "undici"
import { files, sockets } from "./WorkerdConfig.ts"
import { maxTold, runHeader } from "./WorkerScripts.ts"
import type { RunLog } from "@lectern/core/integration/RunLog"

const heapMegabytes = 96
/** A busy process comes to 250 with nothing that it keeps, before V8 collects what lies beside its heap. */
const maxMegabytes = 384
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

/** Ends with the process that holds the other end of its third pipe, unless it is told that there is nothing to end. */
const watched = '(read -r _ <&3 || kill -9 $$) 2>/dev/null & exec "$0" "$@" 3<&-'
const shell = "/bin/sh"

/**
 * A process that does not outlive this one, however this one ends; where there is no shell to see to that, one
 * that is ended with it alone.
 */
const spawnBound = (program: string, args: ReadonlyArray<string>, cwd: string): ChildProcess => {
  const options = { cwd, env: {}, stdio: ["ignore", "ignore", "pipe", "pipe"] } satisfies SpawnOptions
  if (!existsSync(shell)) return spawn(program, args, options)
  const child = spawn(shell, ["-c", watched, program, ...args], options)
  const pipe = child.stdio[3] as Writable
  // Whoever watches may be gone before it is told.
  pipe.on("error", () => {})
  child.on("exit", () => pipe.end("\n"))
  return child
}

export class WorkerdProcess {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #servers: ReadonlyArray<Server>
  readonly #allowance: { left: number }
  readonly #logs: Map<string, (logs: ReadonlyArray<RunLog>) => void>
  readonly #said: { text: string }
  /** How many are connected at once is for whoever asks to bound; how long an answer takes, too. */
  readonly #events: Pool
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
    this.#events = new Pool("http://integration", {
      socketPath: join(folder, sockets.events),
      connections: null,
      headersTimeout: 0,
      bodyTimeout: 0
    })
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
      const child = spawnBound(program, ["serve", "config.capnp", "--experimental"], folder)
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

  /**
   * Asks for one event. `done` gives its logs once the script is done with it, or has ended. The process ends, with
   * all that runs in it, where the script takes more than `patience` until it answers, or `linger` behind that (ms).
   */
  async ask(
    { headers, body }: Asked,
    { patience, linger }: { readonly patience: number; readonly linger: number }
  ): Promise<Answered & { readonly done: Promise<ReadonlyArray<RunLog>> }> {
    const run = String(this.#runs++)
    const { promise: done, resolve } = Promise.withResolvers<ReadonlyArray<RunLog>>()
    this.#begin()
    this.#logs.set(run, (logs) => {
      this.#logs.delete(run)
      this.#finish()
      clearTimeout(timer)
      resolve(logs)
    })
    const late = () =>
      this.end(failed("timed-out", `It did not answer within ${Duration.format(Duration.millis(patience))}`))
    let timer = setTimeout(late, patience).unref()
    try {
      const answered = await this.#send(run, headers, body)
      clearTimeout(timer)
      this.#hasAnswered = true
      if (this.#logs.has(run)) {
        timer = setTimeout(
          () => this.end(failed("timed-out", "It went on for too long behind its answer")),
          linger
        ).unref()
      }
      return { ...answered, done }
    } catch (error) {
      clearTimeout(timer)
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

  async #send(run: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<Answered> {
    const answered = await this.#events.request({
      path: "/v1",
      method: "POST",
      headers: { ...headers, [runHeader]: run },
      body,
      responseHeaders: "raw"
    })
    // Whoever reads it is told; where nobody does any more, nobody needs to be.
    answered.body.on("error", () => {})
    return {
      status: answered.statusCode,
      // As they came: names and values in turns.
      rawHeaders: answered.headers as unknown as ReadonlyArray<string>,
      body: answered.body,
      cancel: () => answered.body.destroy()
    }
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
    void this.#events.destroy().catch(() => {})
    for (const tell of Array.from(this.#logs.values())) tell([])
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
    void rm(this.#folder, { recursive: true, force: true })
  }
}

/** Takes the logs of events, which a script sends once it is done with them. */
const listenToLogs = (logs: ReadonlyMap<string, (logs: ReadonlyArray<RunLog>) => void>): Server =>
  createServer((incoming, answer) => {
    let text = ""
    incoming.setEncoding("utf8").on("data", (part: string) => {
      // A script can write here what it likes: in bytes no more than its logs may have, as JSON.
      if (text.length <= maxLogBytes * 8 * maxTold) text += part
    })
    incoming.on("end", () => {
      for (const [run, lines] of toldIn(text)) logs.get(run)?.(lines)
      answer.end()
    })
  })

const levels = new Set(["debug", "info", "warn", "error"])

/** The logs of events by their runs, as far as what a script wrote is that. */
const toldIn = (text: string): ReadonlyArray<readonly [run: string, lines: ReadonlyArray<RunLog>]> => {
  try {
    const told: unknown = JSON.parse(text)
    return Array.isArray(told)
      ? told.flatMap((one) =>
          Array.isArray(one) && typeof one[0] === "string" && Array.isArray(one[1])
            ? [[one[0], one[1].filter(isLine)] as const]
            : []
        )
      : []
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
