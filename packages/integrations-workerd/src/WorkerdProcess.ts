/**
 * One process of `workerd` for one version of one integration, in a folder of its own that only we can
 * read. It ends when its pool ends it, when it takes more memory than it may, by itself, or with the process
 * that started it, also where that is killed.
 *
 * Limits: 96 MiB of heap and 384 MiB in all; 10 seconds to start; 1 MiB on its standard output for each event.
 */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import type { Server } from "node:http"
import { createRequire } from "node:module"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { Duration } from "effect"
import { maxSubrequests, RunFailed, type RunTrace } from "@lectern/core/integration/IntegrationRuntime"
import * as OutsideDoor from "./OutsideDoor.ts"
import { type AnswerBody, held, ProgramAnswer } from "./ProgramAnswer.ts"
import { type Head, ProgramSocket } from "./ProgramSocket.ts"
import { files, sockets } from "./WorkerdConfig.ts"
import { doneHeader, runHeader } from "./WorkerScripts.ts"
import type { RunLog } from "@lectern/core/integration/RunLog"

const heapMegabytes = 96
/** A busy process comes to 250 with nothing that it keeps, before V8 collects what lies beside its heap. */
const maxMegabytes = 384
const startTimeout = 10_000
/** Bytes that the entry never exceeds in the lines of one event, however they are escaped. */
const maxWritten = 1024 * 1024
/** How often the memory of a process is looked at while it has something to do. */
const memoryEvery = 100

/** Request to a process for one event. */
export interface Asked {
  readonly contentType: string
  readonly body: string | ReadonlyArray<Uint8Array>
  /** Of the body, in bytes. */
  readonly size: number
}

/** Outcome of a request. `done` tells what is known of the event once the script is done with it, or has ended. */
export type Outcome = (Answered & { readonly done: Promise<RunTrace> }) | RunFailed

export interface Answered {
  readonly status: number
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: AnswerBody
  /** The script is done with the event, and has logged nothing. */
  readonly isDone: boolean
  readonly cancel: () => void
}

/** One event, as far as it has come. */
interface Run {
  readonly lines: Array<RunLog>
  overstepped: boolean
  hasAnswered: boolean
  /** It is over. */
  readonly end: () => void
}

const traceOf = ({ lines, overstepped }: Run): Promise<RunTrace> => Promise.resolve({ logs: lines, overstepped })

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
const watched = '(read -r _ <&3 || kill -9 $$) >/dev/null 2>&1 & exec "$0" "$@" 3<&-'
const shell = "/bin/sh"

/**
 * A process that does not outlive this one, however this one ends; where there is no shell to see to that, one
 * that is ended with it alone.
 */
const spawnBound = (program: string, args: ReadonlyArray<string>, cwd: string): ChildProcess => {
  const options = { cwd, env: {}, stdio: ["ignore", "pipe", "pipe", "pipe"] } satisfies SpawnOptions
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
  readonly #outside: Server
  readonly #allowance: { left: number }
  readonly #runs = new Map<string, Run>()
  readonly #said: { text: string }
  readonly #events: ProgramSocket
  /** When nothing more is written by it either. */
  readonly #closed: Promise<unknown>
  /** Nobody else knows it, so that no script can speak of an event. */
  readonly #secret = randomUUID()
  #asked = 0
  #mayWrite = 0
  #isOver = false
  /** Why it was ended, where it was; `run`: what it was ended for, if that is known. */
  #ended: { readonly reason: RunFailed; readonly run: string | undefined } | undefined
  #memory: NodeJS.Timeout | undefined

  private constructor(
    child: ChildProcess,
    folder: string,
    outside: Server,
    allowance: { left: number },
    said: { text: string }
  ) {
    this.#child = child
    this.#folder = folder
    this.#outside = outside
    this.#allowance = allowance
    this.#said = said
    this.#events = new ProgramSocket(join(folder, sockets.events))
    this.#listen(child.stdout!)
    this.#closed = once(child, "close")
    child.on("exit", () => this.#exited())
    child.on("close", () => this.#over())
  }

  static async start(
    program: string,
    script: string,
    runtime: "v1" | "v2",
    options: OutsideDoor.OutsideDoorOptions
  ): Promise<WorkerdProcess> {
    const folder = await mkdtemp(join(tmpdir(), "lectern-"))
    const allowance = { left: 0 }
    const outside = OutsideDoor.open(options, allowance)
    const said = { text: "" }
    try {
      for (const [name, text] of Object.entries(files(script, runtime, folder, heapMegabytes))) {
        await writeFile(join(folder, name), text, { mode: 0o600 })
      }
      await listening(outside, join(folder, sockets.outside))
      const child = spawnBound(program, ["serve", "config.capnp", "--experimental"], folder)
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said.text = (said.text + text).slice(0, 4096)
      })
      await answering(child, join(folder, sockets.events), said)
      return new WorkerdProcess(child, folder, outside, allowance, said)
    } catch (error) {
      outside.close()
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get underWay(): number {
    return this.#runs.size
  }

  /**
   * Asks for one event; `over` is called when it is over. The process ends, with all that runs in it, where the
   * script takes more than `patience` until it answers, or `linger` behind that (ms).
   */
  ask(
    asked: Asked,
    { patience, linger }: { readonly patience: number; readonly linger: number },
    settle: (outcome: Outcome) => void,
    over: () => void
  ): void {
    const id = `${this.#secret}-${this.#asked++}`
    let trace: PromiseWithResolvers<RunTrace> | undefined
    const run: Run = {
      lines: [],
      overstepped: false,
      hasAnswered: false,
      end: () => {
        if (!this.#runs.delete(id)) return
        clearTimeout(timer)
        this.#rest()
        trace?.resolve({ logs: run.lines, overstepped: run.overstepped })
        over()
      }
    }
    this.#begin(id, run)
    const late = () =>
      this.#endFor(id, failed("timed-out", `It did not answer within ${Duration.format(Duration.millis(patience))}`))
    const tooLong = () => this.#endFor(id, failed("timed-out", "It went on for too long behind its answer"))
    let timer = setTimeout(late, patience).unref()
    const answer: ProgramAnswer = new ProgramAnswer(
      (head) => {
        clearTimeout(timer)
        run.hasAnswered = true
        const answered = answeredOf(head, answer, id)
        if (answered.isDone) run.end()
        else if (this.#runs.has(id)) {
          trace = Promise.withResolvers()
          timer = setTimeout(tooLong, linger).unref()
        }
        settle({ ...answered, done: trace?.promise ?? traceOf(run) })
      },
      () => {
        // Behind its head, whoever reads the answer is told.
        if (run.hasAnswered) return
        clearTimeout(timer)
        void this.#failure(id).then(({ reason, message }) => {
          run.end()
          settle(new RunFailed({ reason, message, logs: run.lines }))
        })
      }
    )
    const { contentType, body, size } = asked
    this.#events.ask(
      `POST /v1 HTTP/1.1\r\nhost: integration\r\ncontent-type: ${contentType}\r\n` +
        `${runHeader}: ${id}\r\ncontent-length: ${size}\r\n\r\n`,
      body,
      answer
    )
  }

  /** Ends the process, and what is under way in it. */
  end(): void {
    this.#isOver = true
    this.#child.kill("SIGKILL")
  }

  /** Ends it for a reason: for what one event did, where that is known. */
  #endFor(run: string | undefined, reason: RunFailed): void {
    this.#ended ??= { reason, run }
    this.end()
  }

  /** Why there is no answer. A process that gives none is of no more use, whether it has ended yet or not. */
  async #failure(id: string): Promise<RunFailed> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.end()
    await this.#closed
    if (this.#ended?.run === id) return this.#ended.reason
    return failed("crashed", this.#end)
  }

  /** How it ended, to those who were not what it was ended for. */
  get #end(): string {
    if (this.#ended !== undefined) return `It ended in the middle, together with others: ${this.#ended.reason.message}`
    const { text } = this.#said
    return `It ended in the middle${text === "" ? "" : `: ${text.slice(0, 500)}`}`
  }

  /** Id of the event that alone was under way when the process took too much; undefined where there were several. */
  #only(): string | undefined {
    const [id, ...others] = this.#runs.keys()
    return others.length === 0 ? id : undefined
  }

  #begin(id: string, run: Run): void {
    this.#allowance.left += maxSubrequests
    this.#mayWrite += maxWritten
    this.#memory ??= setInterval(() => this.#weigh(), memoryEvery).unref()
    this.#runs.set(id, run)
  }

  #rest(): void {
    if (this.#runs.size > 0) return
    this.#allowance.left = 0
    this.#mayWrite = 0
  }

  /**
   * Weighs the process: memory outside of the heap is not bounded by the heap's limit. One that has nothing to do
   * is weighed once more, and then no longer: events that follow each other need no timer each.
   */
  #weigh(): void {
    if (this.#runs.size === 0) this.#weighNoMore()
    const megabytes = (pagesOf(this.#child.pid) * 4096) / 1024 / 1024
    if (megabytes > maxMegabytes) this.#endFor(this.#only(), tooMuchMemory)
  }

  /** Reads what the entry writes of each event. */
  #listen(output: Readable): void {
    let rest = ""
    output.setEncoding("utf8").on("data", (part: string) => {
      this.#mayWrite -= part.length
      if (this.#mayWrite < 0) {
        rest = ""
        return this.#endFor(this.#only(), failed("too-large", "It writes more than it may"))
      }
      const lines = (rest + part).split("\n")
      rest = lines.pop()!
      for (const line of lines) this.#hear(line)
    })
  }

  #hear(line: string): void {
    const told = toldIn(line)
    const run = told && this.#runs.get(told.id)
    if (run === undefined) return
    if (told!.log === undefined) return run.end()
    run.lines.push(told!.log)
    run.overstepped ||= told!.isTooMuch
  }

  #weighNoMore(): void {
    clearInterval(this.#memory)
    this.#memory = undefined
  }

  #exited(): void {
    this.#isOver = true
    this.#weighNoMore()
    if (/heap out of memory/i.test(this.#said.text)) this.#ended ??= { reason: tooMuchMemory, run: this.#only() }
  }

  #over(): void {
    this.#events.end()
    for (const [id, run] of Array.from(this.#runs)) {
      if (run.hasAnswered && this.#ended !== undefined) {
        run.overstepped ||= this.#ended.run === id
        const message = run.overstepped ? this.#ended.reason.message : this.#end
        run.lines.push({ level: "error", message, timestamp: new Date().toISOString() })
      }
      run.end()
    }
    this.#outside.close()
    this.#outside.closeAllConnections()
    void rm(this.#folder, { recursive: true, force: true })
  }
}

/** Pages of memory that a process has; 0 where that is not told. The file is none on a disk, so nothing waits for it. */
const pagesOf = (pid: number | undefined): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1])
  } catch {
    return 0
  }
}

const tooMuchMemory = failed("too-large", "It took more memory than it may")

/** The headers as the script made them, and whether the entry says in them that it is done with this event. */
const withoutDone = (headers: ReadonlyArray<string>, id: string) => {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === doneHeader)
  return at === -1
    ? { isDone: false, rawHeaders: headers }
    : { isDone: headers[at + 1] === id, rawHeaders: headers.toSpliced(at, 2) }
}

const answeredOf = ({ status, rawHeaders: sent }: Head, answer: ProgramAnswer, id: string): Answered => {
  const { isDone, rawHeaders } = withoutDone(sent, id)
  return {
    status,
    rawHeaders,
    isDone,
    body: answer,
    cancel: () => {
      // What is short is read to its end, so that the connection can be used again.
      if (lengthIn(rawHeaders) <= held) answer.drop()
      else answer.giveUp()
    }
  }
}

/** How long an answer is; one that does not say may be of any length. */
const lengthIn = (rawHeaders: ReadonlyArray<string>): number => {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && /^content-length$/i.test(name))
  return at === -1 ? Number.POSITIVE_INFINITY : Number(rawHeaders[at + 1])
}

const levels = new Set(["debug", "info", "warn", "error"])

/** Reads a line, as far as a script left it as the entry wrote it. */
const toldIn = (line: string) => {
  try {
    const told: unknown = JSON.parse(line)
    if (!Array.isArray(told) || typeof told[0] !== "string") return undefined
    const [id, log, isTooMuch] = told as [string, unknown, unknown]
    return log === undefined || isLog(log) ? { id, log, isTooMuch: isTooMuch === true } : undefined
  } catch {
    return undefined
  }
}

const isLog = (log: any): log is RunLog =>
  typeof log === "object" &&
  levels.has(log?.level) &&
  typeof log.message === "string" &&
  typeof log.timestamp === "string"

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
