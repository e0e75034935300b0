/**
 * One `workerd` process for one version of one integration, in a private folder. It ends when the pool ends it, when it
 * exceeds its memory limit, by itself, or with the server process, even if the server is killed.
 *
 * Limits: 96 MiB of heap and 384 MiB in total; 1 MiB on standard output for each event.
 */
import type { ChildProcess } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import type { Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { type Delivery, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { responseOf, PendingEvent, completeCancelled, type Outcome, stateIn } from "./EventResponse.ts"
import { untilConnectable, untilExited, spawnBound } from "./BoundProcess.ts"
import type { EventRequest } from "./EventRequests.ts"
import { EventBatches, type ProbeCallbacks, probeRequest } from "./EventBatches.ts"
import * as OutboundProxy from "./OutboundProxy.ts"
import { ProgramResponse } from "./ProgramResponse.ts"
import { type RunTimeouts, failed, ProgramRuns, type Run, runHeader } from "./ProgramRuns.ts"
import { HeadTooLong, type Listener, ProgramSocket } from "./ProgramSocket.ts"
import type { BufferedBody } from "./BatchResponse.ts"
import { files, sockets } from "./WorkerdConfig.ts"

const heapMegabytes = 96
/** Limit of resident memory. A busy process without live data reaches 250 MiB before V8 collects external memory. */
const maxMegabytes = 384
/** Maximum number of bytes in the lines of one event, including escapes. */
const maxWrittenBytes = 1024 * 1024
/** Interval in ms at which the memory of a busy process is measured. */
const memoryInterval = 100

export class WorkerdProcess {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #proxy: Server
  readonly #runs = new ProgramRuns((id, reason) => this.#endFor(id, reason))
  readonly #errorOutput: { text: string }
  readonly #events: ProgramSocket
  /** Resolves when the output of the process has ended. */
  readonly #outputClosed: Promise<unknown>
  readonly #onRetire: () => void
  /** Resolves when the process has exited and its folder is removed. */
  readonly exited: Promise<void>
  /** Secret prefix of event ids, so that a script can't forge lines about an event. */
  readonly #secret = randomUUID()
  readonly #batches = new EventBatches(this.#secret, {
    sendOne: (event, request) => this.#sendOne(event, request),
    send: (request, headers, response) => this.#send(this.#secret, request, headers, response),
    probe: (callbacks) => this.#probe(callbacks),
    fail: (event) => this.#fail(event),
    spoilt: (event) => this.#failSpoilt(event)
  })
  #nextNumber = 0
  #writeBudget = 0
  #hasEnded = false
  /** Reason for which the process was killed, and the id of the event that caused it, if known. */
  #endReason: { readonly reason: RunFailed; readonly run: string | undefined } | undefined
  #memoryTimer: NodeJS.Timeout | undefined

  private constructor(
    child: ChildProcess,
    folder: string,
    proxy: Server,
    errorOutput: { text: string },
    onRetire: () => void
  ) {
    this.#child = child
    this.#folder = folder
    this.#proxy = proxy
    this.#errorOutput = errorOutput
    this.#onRetire = onRetire
    this.#events = new ProgramSocket(join(folder, sockets.events))
    this.#listen(child.stdout!)
    this.#outputClosed = once(child, "close")
    child.on("exit", () => this.#exited())
    this.exited = new Promise((resolve) => child.on("close", () => void this.#handleExit().then(resolve)))
  }

  /** Starts a process. `onRetire` is called as soon as the process accepts no more events, for any reason. */
  static async start(
    program: string,
    script: string,
    runtime: "v1" | "v2",
    options: OutboundProxy.ProxyOptions,
    onRetire: () => void
  ): Promise<WorkerdProcess> {
    const folder = await mkdtemp(join(tmpdir(), "lectern-"))
    let process: WorkerdProcess | undefined
    const proxy = OutboundProxy.open(options, (id, url) =>
      process === undefined ? undefined : process.#runs.allowance(id, url)
    )
    const errorOutput = { text: "" }
    let child: ChildProcess | undefined
    try {
      const writtenFiles = Object.entries(files(script, runtime, folder, heapMegabytes))
      for (const [name, text] of writtenFiles) await writeFile(join(folder, name), text, { mode: 0o600 })
      await untilListening(proxy, join(folder, sockets.outside))
      const names = [...writtenFiles.map(([name]) => name), ...Object.values(sockets)]
      child = spawnBound(program, ["serve", "config.capnp", "--experimental"], folder, names)
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        errorOutput.text = (errorOutput.text + text).slice(0, 4096)
      })
      await untilConnectable(child, join(folder, sockets.events), errorOutput)
      process = new WorkerdProcess(child, folder, proxy, errorOutput, onRetire)
      return process
    } catch (error) {
      // A process that did not start occupies its slot until it has exited.
      if (child !== undefined) await untilExited(child)
      proxy.close()
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /**
   * Sends one event. `onEnd` is called when the script has finished the event and the response has ended, at most
   * `backgroundTimeout` ms after the script. The process is killed, with all its events, if the response takes more
   * than `responseTimeout` ms or work after the response more than `backgroundTimeout` ms.
   */
  send(request: EventRequest, bounds: RunTimeouts, complete: (outcome: Outcome) => void, onEnd: () => void): void {
    this.#sendOne(this.#eventOf(this.#nextNumber++, bounds, complete, onEnd), request)
  }

  /**
   * Sends one event with a buffered response of at most `maxBytes` bytes. Events in one turn of the event loop are sent
   * together.
   */
  sendBuffered(
    delivery: Delivery,
    bounds: RunTimeouts,
    maxBytes: number,
    complete: (outcome: Outcome<BufferedBody>) => void,
    onEnd: () => void
  ): void {
    const number = this.#nextNumber++
    const event = this.#eventOf(number, bounds, complete, onEnd)
    this.#batches.add({ number, event, delivery, maxBytes, timeout: bounds.responseTimeout })
  }

  /** Reason why the process was killed. Undefined if the program did not cause the end. */
  get misbehaviour(): RunFailed | undefined {
    return this.#endReason?.reason
  }

  /** Kills the process with all its events. */
  end(): void {
    this.#stopAccepting()
    this.#child.kill("SIGKILL")
  }

  #stopAccepting(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#onRetire()
  }

  /** Kills the process for a reason. `run`: id of the event that caused it, if known. */
  #endFor(run: string | undefined, reason: RunFailed): void {
    if (this.#hasEnded) return
    this.#endReason ??= { reason, run }
    this.end()
  }

  /** Returns the reason why an event has no response. Kills the process, which is unusable if it does not respond. */
  async #failureOf(id: () => string): Promise<RunFailed> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.end()
    await this.#outputClosed
    if (this.#endReason?.run === id()) return this.#endReason.reason
    return failed("crashed", this.#endMessage)
  }

  /** Message about the end of the process for events that did not cause it. */
  get #endMessage(): string {
    if (this.#endReason !== undefined)
      return `It ended in the middle, together with others: ${this.#endReason.reason.message}`
    const { text } = this.#errorOutput
    return `It ended in the middle${text === "" ? "" : `: ${text.slice(0, 500)}`}`
  }

  #idOf(number: number): string {
    return `${this.#secret}-${number}`
  }

  #sendOne(event: PendingEvent, request: EventRequest): void {
    const { id, run } = event
    /** True after a response without a valid marker. */
    let isUnanswered = false
    const response: ProgramResponse = new ProgramResponse(
      (head) => {
        const state = stateIn(head, id)
        if (state !== undefined && state !== "failed") return event.respond(responseOf(head, response, state))
        isUnanswered = true
        response.drop()
        const failBroken = () => this.#failSpoilt(event)
        if (state === "failed") failBroken()
        else
          this.#probe({ responds: () => completeCancelled(event), failed: () => this.#fail(event), spoilt: failBroken })
      },
      (error) => {
        // After the headers, the reader of the body gets the failure.
        if (run.status !== undefined || isUnanswered) return
        if (error instanceof HeadTooLong) event.failed(failed("too-large", error.message))
        else this.#fail(event)
      },
      () => event.responseEnded()
    )
    this.#send(id, request, "", response)
  }

  /** Sends a request without events, to determine whether the process still responds. */
  #probe({ responds, failed, spoilt }: ProbeCallbacks): void {
    const response: ProgramResponse = new ProgramResponse(
      (head) => {
        hasResponse = true
        response.drop()
        // In the next turn, all lines that were written before have been read.
        setImmediate(stateIn(head, this.#secret) === "" ? responds : spoilt)
      },
      () => {
        if (!hasResponse) failed()
      }
    )
    let hasResponse = false
    this.#send(this.#secret, probeRequest.request, probeRequest.headers, response)
  }

  /**
   * Fails an event because the entry can't respond. The process is killed, since no other event would get a response.
   */
  #failSpoilt<Body>(event: PendingEvent<Body>): void {
    this.#endFor(event.id, brokenResponses)
    this.#fail(event)
  }

  #fail<Body>(event: PendingEvent<Body>): void {
    void this.#failureOf(() => event.id).then((failure) => event.failed(failure))
  }

  #eventOf<Body>(number: number, bounds: RunTimeouts, complete: (outcome: Outcome<Body>) => void, onEnd: () => void) {
    const id = this.#idOf(number)
    const begin = (onEnd: () => void) => this.#startRun(id, bounds, onEnd)
    return new PendingEvent(id, begin, complete, onEnd, bounds.backgroundTimeout)
  }

  #startRun(id: string, bounds: RunTimeouts, onEnd: () => void): Run {
    this.#writeBudget += maxWrittenBytes
    this.#memoryTimer ??= setInterval(() => this.#measureMemory(), memoryInterval).unref()
    return this.#runs.start(id, bounds, () => {
      onEnd()
      if (this.#runs.size === 0) this.#writeBudget = 0
    })
  }

  #send(id: string, { contentType, body, size }: EventRequest, headers: string, response: Listener): void {
    this.#events.request(
      `POST /v1 HTTP/1.1\r\nhost: integration\r\ncontent-type: ${contentType}\r\n` +
        `${runHeader}: ${id}\r\n${headers}content-length: ${size}\r\n\r\n`,
      body,
      response
    )
  }

  /**
   * Measures the memory of the process, since the limit of the heap does not include external memory. The timer stops
   * after one measurement of an idle process, so that consecutive events share a timer.
   */
  #measureMemory(): void {
    if (this.#runs.size === 0) this.#stopMeasuring()
    const megabytes = (pagesOf(this.#child.pid) * 4096) / 1024 / 1024
    if (megabytes > maxMegabytes) this.#endFor(this.#runs.singleRun, tooMuchMemory)
  }

  /** Reads the lines of the entry from standard output. */
  #listen(output: Readable): void {
    let incompleteLine = ""
    output.setEncoding("utf8").on("data", (part: string) => {
      this.#writeBudget -= part.length
      if (this.#writeBudget < 0) {
        incompleteLine = ""
        return this.#endFor(this.#runs.singleRun, failed("too-large", "It writes more than it may"))
      }
      const lines = (incompleteLine + part).split("\n")
      incompleteLine = lines.pop()!
      for (const line of lines) this.#runs.handleLine(line)
    })
  }

  #stopMeasuring(): void {
    clearInterval(this.#memoryTimer)
    this.#memoryTimer = undefined
  }

  #exited(): void {
    this.#stopAccepting()
    this.#stopMeasuring()
    if (/heap out of memory/i.test(this.#errorOutput.text))
      this.#endReason ??= { reason: tooMuchMemory, run: this.#runs.singleRun }
  }

  async #handleExit(): Promise<void> {
    this.#events.end()
    for (const [id, run] of this.#runs.all) {
      if (run.status !== undefined && this.#endReason !== undefined) {
        run.exceededLimit ||= this.#endReason.run === id
        const message = run.exceededLimit ? this.#endReason.reason.message : this.#endMessage
        run.note(message)
      }
      run.end()
    }
    this.#proxy.close()
    this.#proxy.closeAllConnections()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/**
 * Returns the resident pages of a process, or 0 if unknown. The read is synchronous, since `/proc` is not on a disk.
 */
const pagesOf = (pid: number | undefined): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1])
  } catch {
    return 0
  }
}

const brokenResponses = failed(
  "crashed",
  "The program has changed built-in objects that are needed to send its response"
)

const tooMuchMemory = failed("too-large", "It took more memory than it may")

const untilListening = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.on("error", reject)
    server.listen(path, resolve)
  })
