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
import { type Delivery, type EventResult, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { responseOf, PendingEvent, completeCancelled, type Outcome, stateIn } from "./Answered.ts"
import { untilConnectable, untilExited, spawnBound } from "./BoundProcess.ts"
import type { EventRequest } from "./EventForms.ts"
import { EventBatches, type ProbeCallbacks, probeRequest } from "./EventsTogether.ts"
import { textsOf } from "./EventTexts.ts"
import * as OutsideDoor from "./OutsideDoor.ts"
import { ProgramResponse } from "./ProgramAnswer.ts"
import { type Bounds, failed, neverResponds, ProgramRuns, type Run, runHeader } from "./ProgramRuns.ts"
import { HeadTooLong, type Listener, ProgramSocket } from "./ProgramSocket.ts"
import type { BufferedBody } from "./TogetherAnswer.ts"
import { files, sockets } from "./WorkerdConfig.ts"
import { sequenceHeader } from "./WorkerScripts.ts"

const heapMegabytes = 96
/** Limit of resident memory. A busy process without live data reaches 250 MiB before V8 collects external memory. */
const maxMegabytes = 384
/** Maximum number of bytes in the lines of one event, including escapes. */
const maxWritten = 1024 * 1024
/** Interval in ms at which the memory of a busy process is measured. */
const memoryEvery = 100

export class WorkerdProcess {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #outside: Server
  readonly #runs = new ProgramRuns((id, reason) => this.#endFor(id, reason))
  readonly #errorOutput: { text: string }
  readonly #events: ProgramSocket
  /** Resolves when the output of the process has ended. */
  readonly #closed: Promise<unknown>
  readonly #ends: () => void
  /** Resolves when the process has exited and its folder is removed. */
  readonly gone: Promise<void>
  /** Secret prefix of event ids, so that a script can't forge lines about an event. */
  readonly #secret = randomUUID()
  readonly #together = new EventBatches(this.#secret, {
    sendOne: (event, asked) => this.#sendOne(event, asked),
    send: (asked, headers, answer) => this.#send(this.#secret, asked, headers, answer),
    probe: (found) => this.#find(found),
    fail: (event) => this.#fail(event),
    spoilt: (event) => this.#failSpoilt(event)
  })
  #asked = 0
  #mayWrite = 0
  #isOver = false
  /** Reason for which the process was killed, and the id of the event that caused it, if known. */
  #ended: { readonly reason: RunFailed; readonly run: string | undefined } | undefined
  #memory: NodeJS.Timeout | undefined

  private constructor(
    child: ChildProcess,
    folder: string,
    outside: Server,
    errorOutput: { text: string },
    ends: () => void
  ) {
    this.#child = child
    this.#folder = folder
    this.#outside = outside
    this.#errorOutput = errorOutput
    this.#ends = ends
    this.#events = new ProgramSocket(join(folder, sockets.events))
    this.#listen(child.stdout!)
    this.#closed = once(child, "close")
    child.on("exit", () => this.#exited())
    this.gone = new Promise((done) => child.on("close", () => void this.#over().then(done)))
  }

  /** Starts a process. `ends` is called as soon as it accepts no more events, for any reason. */
  static async start(
    program: string,
    script: string,
    runtime: "v1" | "v2",
    options: OutsideDoor.OutsideDoorOptions,
    ends: () => void
  ): Promise<WorkerdProcess> {
    const folder = await mkdtemp(join(tmpdir(), "lectern-"))
    let process: WorkerdProcess | undefined
    const outside = OutsideDoor.open(options, (id, url) =>
      process === undefined ? undefined : process.#runs.allowance(id, url)
    )
    const errorOutput = { text: "" }
    let child: ChildProcess | undefined
    try {
      const written = Object.entries(files(script, runtime, folder, heapMegabytes))
      for (const [name, text] of written) await writeFile(join(folder, name), text, { mode: 0o600 })
      await listening(outside, join(folder, sockets.outside))
      const names = [...written.map(([name]) => name), ...Object.values(sockets)]
      child = spawnBound(program, ["serve", "config.capnp", "--experimental"], folder, names)
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        errorOutput.text = (errorOutput.text + text).slice(0, 4096)
      })
      await untilConnectable(child, join(folder, sockets.events), errorOutput)
      process = new WorkerdProcess(child, folder, outside, errorOutput, ends)
      return process
    } catch (error) {
      // A process that did not start occupies its slot until it has exited.
      if (child !== undefined) await untilExited(child)
      outside.close()
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /**
   * Sends one event. `over` is called when the script has finished the event and the response has ended, at most `backgroundTimeout` ms
   * after the script. The process is killed, with all its events, if the response takes more than `responseTimeout` ms or work
   * after the response more than `backgroundTimeout` ms.
   */
  send(asked: EventRequest, bounds: Bounds, complete: (outcome: Outcome) => void, over: () => void): void {
    this.#sendOne(this.#eventOf(this.#asked++, bounds, complete, over), asked)
  }

  /**
   * Sends one event with a buffered response of at most `maxBytes` bytes. Events in one turn of the event loop are sent
   * together.
   */
  sendBuffered(
    delivery: Delivery,
    bounds: Bounds,
    maxBytes: number,
    complete: (outcome: Outcome<BufferedBody>) => void,
    over: () => void
  ): void {
    const number = this.#asked++
    const event = this.#eventOf(number, bounds, complete, over)
    this.#together.add({ number, event, delivery, maxBytes, timeout: bounds.responseTimeout })
  }

  /**
   * Sends events without bodies that the script handles one after another. `bounds` apply to each event. `onResult` is called
   * for each finished event, and `complete` after the last one, with the failure of the next event if it had started.
   */
  sendInSequence(
    deliveries: ReadonlyArray<Delivery>,
    bounds: Bounds,
    onResult: (answer: EventResult) => void,
    complete: (failure: RunFailed | undefined) => void
  ): void {
    const id = this.#idOf(this.#asked++)
    const idAt = (at: number) => `${id}.${at}`
    let at = 0
    /** Number of events that the script handled. Undefined until the entry has reported it. */
    let given: number | undefined
    let isComplete = false
    const end = (failure?: RunFailed) => {
      if (isComplete) return
      isComplete = true
      run.end()
      complete(failure)
    }
    const begin = (): Run => {
      const run = this.#begin(idAt(at), bounds, () => {
        const { status, logs, exceededLimit } = run
        // An event without a response has failed. Before the response of the entry, the connection reports the failure.
        if (isComplete) return
        if (status === undefined) return given === undefined ? undefined : fail()
        at++
        onResult({ status, logs, exceededLimit })
        // After the last event, the response of the entry is not awaited, since a script may block it.
        if (at === given || at === deliveries.length || this.#isOver) end()
        else next()
      })
      return run
    }
    const next = () => {
      run = begin()
    }
    const fail = () => {
      void this.#failure(() => idAt(at)).then(({ reason, message }) =>
        end(new RunFailed({ reason, message, logs: run.logs }))
      )
    }
    let run = begin()
    const spoilt = () => {
      this.#endFor(idAt(at), spoiltAnswers)
      fail()
    }
    /** Completes the running event, which `workerd` has cancelled because its promise can never resolve. */
    const giveUp = () => {
      if (run.isOver) return end()
      given = at + 1
      run.note(neverResponds)
      run.answered(500, true)
    }
    const answer = new ProgramResponse((head) => {
      const state = stateIn(head, id)
      if (state === undefined) return this.#find({ responds: giveUp, failed: fail, spoilt })
      if (state === "failed") return spoilt()
      given = Number(state)
      if (at === given) return end()
      if (this.#isOver) return fail()
      // When the probe has a response, all lines that the program wrote have been read. Missing lines were never
      // written.
      const over = () => (isComplete ? undefined : spoilt())
      this.#find({ responds: over, failed: fail, spoilt: over })
    }, fail)
    const { asked, listed } = textsOf(deliveries.map((delivery, n) => [n, delivery]))
    this.#send(id, asked, `${sequenceHeader}: ${listed}\r\n`, answer)
  }

  /** Reason for which the process was killed, if its program caused it. */
  get misbehaviour(): RunFailed | undefined {
    return this.#ended?.reason
  }

  /** Kills the process with all its events. */
  end(): void {
    this.#takeNoMore()
    this.#child.kill("SIGKILL")
  }

  #takeNoMore(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ends()
  }

  /** Kills the process for a reason. `run`: id of the event that caused it, if known. */
  #endFor(run: string | undefined, reason: RunFailed): void {
    if (this.#isOver) return
    this.#ended ??= { reason, run }
    this.end()
  }

  /** Returns the reason why an event has no response. Kills the process, which is unusable if it does not respond. */
  async #failure(id: () => string): Promise<RunFailed> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.end()
    await this.#closed
    if (this.#ended?.run === id()) return this.#ended.reason
    return failed("crashed", this.#end)
  }

  /** Message about the end of the process for events that did not cause it. */
  get #end(): string {
    if (this.#ended !== undefined) return `It ended in the middle, together with others: ${this.#ended.reason.message}`
    const { text } = this.#errorOutput
    return `It ended in the middle${text === "" ? "" : `: ${text.slice(0, 500)}`}`
  }

  #idOf(number: number): string {
    return `${this.#secret}-${number}`
  }

  #sendOne(event: PendingEvent, asked: EventRequest): void {
    const { id, run } = event
    /** True after a response without a valid marker. */
    let isUnanswered = false
    const answer: ProgramResponse = new ProgramResponse(
      (head) => {
        const state = stateIn(head, id)
        if (state !== undefined && state !== "failed") return event.respond(responseOf(head, answer, state))
        isUnanswered = true
        answer.drop()
        const spoilt = () => this.#failSpoilt(event)
        if (state === "failed") spoilt()
        else this.#find({ responds: () => completeCancelled(event), failed: () => this.#fail(event), spoilt })
      },
      (error) => {
        // After the headers, the reader of the body gets the failure.
        if (run.status !== undefined || isUnanswered) return
        if (error instanceof HeadTooLong) event.failed(failed("too-large", error.message))
        else this.#fail(event)
      },
      () => event.answerOver()
    )
    this.#send(id, asked, "", answer)
  }

  /** Sends a request without events, to determine whether the process still responds. */
  #find({ responds: answers, failed, spoilt }: ProbeCallbacks): void {
    const answer: ProgramResponse = new ProgramResponse(
      (head) => {
        isAnswered = true
        answer.drop()
        // In the next turn, all lines that were written before have been read.
        setImmediate(stateIn(head, this.#secret) === "" ? answers : spoilt)
      },
      () => {
        if (!isAnswered) failed()
      }
    )
    let isAnswered = false
    this.#send(this.#secret, probeRequest.asked, probeRequest.headers, answer)
  }

  /** Fails an event because the entry can't respond. The process is killed, since no other event would get a response. */
  #failSpoilt<Body>(event: PendingEvent<Body>): void {
    this.#endFor(event.id, spoiltAnswers)
    this.#fail(event)
  }

  #fail<Body>(event: PendingEvent<Body>): void {
    void this.#failure(() => event.id).then((failure) => event.failed(failure))
  }

  #eventOf<Body>(number: number, bounds: Bounds, complete: (outcome: Outcome<Body>) => void, over: () => void) {
    const id = this.#idOf(number)
    const begin = (ended: () => void) => this.#begin(id, bounds, ended)
    return new PendingEvent(id, begin, complete, over, bounds.backgroundTimeout)
  }

  #begin(id: string, bounds: Bounds, ended: () => void): Run {
    this.#mayWrite += maxWritten
    this.#memory ??= setInterval(() => this.#weigh(), memoryEvery).unref()
    return this.#runs.begin(id, bounds, () => {
      ended()
      if (this.#runs.size === 0) this.#mayWrite = 0
    })
  }

  #send(id: string, { contentType, body, size }: EventRequest, headers: string, answer: Listener): void {
    this.#events.ask(
      `POST /v1 HTTP/1.1\r\nhost: integration\r\ncontent-type: ${contentType}\r\n` +
        `${runHeader}: ${id}\r\n${headers}content-length: ${size}\r\n\r\n`,
      body,
      answer
    )
  }

  /**
   * Measures the memory of the process, since the limit of the heap does not include external memory. The timer stops after
   * one measurement of an idle process, so that consecutive events share a timer.
   */
  #weigh(): void {
    if (this.#runs.size === 0) this.#weighNoMore()
    const megabytes = (pagesOf(this.#child.pid) * 4096) / 1024 / 1024
    if (megabytes > maxMegabytes) this.#endFor(this.#runs.only, tooMuchMemory)
  }

  /** Reads the lines of the entry from standard output. */
  #listen(output: Readable): void {
    let rest = ""
    output.setEncoding("utf8").on("data", (part: string) => {
      this.#mayWrite -= part.length
      if (this.#mayWrite < 0) {
        rest = ""
        return this.#endFor(this.#runs.only, failed("too-large", "It writes more than it may"))
      }
      const lines = (rest + part).split("\n")
      rest = lines.pop()!
      for (const line of lines) this.#runs.handleLine(line)
    })
  }

  #weighNoMore(): void {
    clearInterval(this.#memory)
    this.#memory = undefined
  }

  #exited(): void {
    this.#takeNoMore()
    this.#weighNoMore()
    if (/heap out of memory/i.test(this.#errorOutput.text))
      this.#ended ??= { reason: tooMuchMemory, run: this.#runs.only }
  }

  async #over(): Promise<void> {
    this.#events.end()
    for (const [id, run] of this.#runs.all) {
      if (run.status !== undefined && this.#ended !== undefined) {
        run.exceededLimit ||= this.#ended.run === id
        const message = run.exceededLimit ? this.#ended.reason.message : this.#end
        run.note(message)
      }
      run.end()
    }
    this.#outside.close()
    this.#outside.closeAllConnections()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Returns the resident pages of a process, or 0 if unknown. The read is synchronous, since `/proc` is not on a disk. */
const pagesOf = (pid: number | undefined): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1])
  } catch {
    return 0
  }
}

const spoiltAnswers = failed("crashed", "The program has changed built-in objects that are needed to send its response")

const tooMuchMemory = failed("too-large", "It took more memory than it may")

const listening = (server: Server, path: string) =>
  new Promise<void>((done, fail) => {
    server.on("error", fail)
    server.listen(path, done)
  })
