/**
 * One process of `workerd` for one version of one integration, in a folder of its own that only we can
 * read. It ends when its pool ends it, when it takes more memory than it may, by itself, or with the process
 * that started it, also where that is killed.
 *
 * Limits: 96 MiB of heap and 384 MiB in all; 1 MiB on its standard output for each event.
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
import { answeredOf, AskedEvent, givenUp, type Outcome, saidIn } from "./Answered.ts"
import { answering, ended, spawnBound } from "./BoundProcess.ts"
import type { Asked } from "./EventForms.ts"
import { EventsTogether, type Found, requestForNone } from "./EventsTogether.ts"
import { textsOf } from "./EventTexts.ts"
import * as OutsideDoor from "./OutsideDoor.ts"
import { ProgramAnswer } from "./ProgramAnswer.ts"
import { type Bounds, failed, neverAnswers, ProgramRuns, type Run, runHeader } from "./ProgramRuns.ts"
import { HeadTooLong, type Listener, ProgramSocket } from "./ProgramSocket.ts"
import type { WholeBody } from "./TogetherAnswer.ts"
import { files, sockets } from "./WorkerdConfig.ts"
import { inTurnHeader } from "./WorkerScripts.ts"

const heapMegabytes = 96
/** A busy process comes to 250 with nothing that it keeps, before V8 collects what lies beside its heap. */
const maxMegabytes = 384
/** Bytes that the entry never exceeds in the lines of one event, however they are escaped. */
const maxWritten = 1024 * 1024
/** How often the memory of a process is looked at while it has something to do. */
const memoryEvery = 100

export class WorkerdProcess {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #outside: Server
  readonly #runs = new ProgramRuns((id, reason) => this.#endFor(id, reason))
  readonly #said: { text: string }
  readonly #events: ProgramSocket
  /** When nothing more is written by it either. */
  readonly #closed: Promise<unknown>
  readonly #ends: () => void
  /** When nothing is left of it. */
  readonly gone: Promise<void>
  /** Nobody else knows it, so that no script can speak of an event. */
  readonly #secret = randomUUID()
  readonly #together = new EventsTogether(this.#secret, {
    alone: (event, asked) => this.#askAlone(event, asked),
    send: (asked, headers, answer) => this.#send(this.#secret, asked, headers, answer),
    find: (found) => this.#find(found),
    fail: (event) => this.#fail(event),
    spoilt: (event) => this.#failSpoilt(event)
  })
  #asked = 0
  #mayWrite = 0
  #isOver = false
  /** Why it was ended, where it was; `run`: what it was ended for, if that is known. */
  #ended: { readonly reason: RunFailed; readonly run: string | undefined } | undefined
  #memory: NodeJS.Timeout | undefined

  private constructor(child: ChildProcess, folder: string, outside: Server, said: { text: string }, ends: () => void) {
    this.#child = child
    this.#folder = folder
    this.#outside = outside
    this.#said = said
    this.#ends = ends
    this.#events = new ProgramSocket(join(folder, sockets.events))
    this.#listen(child.stdout!)
    this.#closed = once(child, "close")
    child.on("exit", () => this.#exited())
    this.gone = new Promise((done) => child.on("close", () => void this.#over().then(done)))
  }

  /** `ends` is called as soon as it takes no more, however that came about. */
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
    const said = { text: "" }
    let child: ChildProcess | undefined
    try {
      const written = Object.entries(files(script, runtime, folder, heapMegabytes))
      for (const [name, text] of written) await writeFile(join(folder, name), text, { mode: 0o600 })
      await listening(outside, join(folder, sockets.outside))
      const names = [...written.map(([name]) => name), ...Object.values(sockets)]
      child = spawnBound(program, ["serve", "config.capnp", "--experimental"], folder, names)
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said.text = (said.text + text).slice(0, 4096)
      })
      await answering(child, join(folder, sockets.events), said)
      process = new WorkerdProcess(child, folder, outside, said, ends)
      return process
    } catch (error) {
      // One that did not begin to answer has its place until it is gone.
      if (child !== undefined) await ended(child)
      outside.close()
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /**
   * Asks for one event; `over` is called when the script is done with it, and the answer has come: for that it is waited
   * no longer than for what the script does behind it. The process ends, with all that runs in it, where the script
   * takes more than `patience` until it answers, or `linger` behind that (ms).
   */
  ask(asked: Asked, bounds: Bounds, settle: (outcome: Outcome) => void, over: () => void): void {
    this.#askAlone(this.#eventOf(this.#asked++, bounds, settle, over), asked)
  }

  /**
   * The same for an answer in one piece, of at most so many bytes. Those that come in the same turn of the event loop
   * are asked for together.
   */
  askWhole(
    delivery: Delivery,
    bounds: Bounds,
    maxBytes: number,
    settle: (outcome: Outcome<WholeBody>) => void,
    over: () => void
  ): void {
    const number = this.#asked++
    const event = this.#eventOf(number, bounds, settle, over)
    this.#together.ask({ number, event, delivery, maxBytes, patience: bounds.patience })
  }

  /**
   * Asks for events that have no bodies, one after another; the bounds are those of each. `heard` is called for each that
   * is done with; `settle` once no more will be, with what became of the next, if it was begun.
   */
  askInTurn(
    deliveries: ReadonlyArray<Delivery>,
    bounds: Bounds,
    heard: (answer: EventResult) => void,
    settle: (failure: RunFailed | undefined) => void
  ): void {
    const id = this.#idOf(this.#asked++)
    const idAt = (at: number) => `${id}.${at}`
    let at = 0
    /** How many of them were given to the script, once the entry has said so. */
    let given: number | undefined
    let isSettled = false
    const end = (failure?: RunFailed) => {
      if (isSettled) return
      isSettled = true
      run.end()
      settle(failure)
    }
    const begin = (): Run => {
      const run = this.#begin(idAt(at), bounds, () => {
        const { status, logs, exceededLimit } = run
        // One that has no answer has failed, as the connection tells, unless that has given its answer.
        if (isSettled) return
        if (status === undefined) return given === undefined ? undefined : fail()
        at++
        heard({ status, logs, exceededLimit })
        // Behind the last one nothing is left to wait for: a script may keep the entry from its answer.
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
    /** The event that is under way is given up by `workerd` itself, as one that nothing will ever answer. */
    const giveUp = () => {
      if (run.isOver) return end()
      given = at + 1
      run.note(neverAnswers)
      run.answered(500, true)
    }
    const answer = new ProgramAnswer((head) => {
      const said = saidIn(head, id)
      if (said === undefined) return this.#find({ answers: giveUp, failed: fail, spoilt })
      if (said === "failed") return spoilt()
      given = Number(said)
      if (at === given) return end()
      if (this.#isOver) return fail()
      // The lines are read by then, or were never written.
      const over = () => (isSettled ? undefined : spoilt())
      this.#find({ answers: over, failed: fail, spoilt: over })
    }, fail)
    const { asked, listed } = textsOf(deliveries.map((delivery, n) => [n, delivery]))
    this.#send(id, asked, `${inTurnHeader}: ${listed}\r\n`, answer)
  }

  /** For what it was ended, where that was something that its program did. */
  get misbehaviour(): RunFailed | undefined {
    return this.#ended?.reason
  }

  /** Ends the process, and what is under way in it. */
  end(): void {
    this.#takeNoMore()
    this.#child.kill("SIGKILL")
  }

  #takeNoMore(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ends()
  }

  /** Ends it for a reason: for what one event did, where that is known. */
  #endFor(run: string | undefined, reason: RunFailed): void {
    if (this.#isOver) return
    this.#ended ??= { reason, run }
    this.end()
  }

  /**
   * Why there is no answer to the event that is the one under way then. A process that gives none is of no more use,
   * whether it has ended yet or not.
   */
  async #failure(id: () => string): Promise<RunFailed> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.end()
    await this.#closed
    if (this.#ended?.run === id()) return this.#ended.reason
    return failed("crashed", this.#end)
  }

  /** How it ended, to those who were not what it was ended for. */
  get #end(): string {
    if (this.#ended !== undefined) return `It ended in the middle, together with others: ${this.#ended.reason.message}`
    const { text } = this.#said
    return `It ended in the middle${text === "" ? "" : `: ${text.slice(0, 500)}`}`
  }

  #idOf(number: number): string {
    return `${this.#secret}-${number}`
  }

  #askAlone(event: AskedEvent, asked: Asked): void {
    const { id, run } = event
    /** Something came that is no answer to it. */
    let isUnanswered = false
    const answer: ProgramAnswer = new ProgramAnswer(
      (head) => {
        const said = saidIn(head, id)
        if (said !== undefined && said !== "failed") return event.answered(answeredOf(head, answer, said))
        isUnanswered = true
        answer.drop()
        const spoilt = () => this.#failSpoilt(event)
        if (said === "failed") spoilt()
        else this.#find({ answers: () => givenUp(event), failed: () => this.#fail(event), spoilt })
      },
      (error) => {
        // Behind its head, whoever reads the answer is told.
        if (run.status !== undefined || isUnanswered) return
        if (error instanceof HeadTooLong) event.failed(failed("too-large", error.message))
        else this.#fail(event)
      },
      () => event.answerOver()
    )
    this.#send(id, asked, "", answer)
  }

  /** Asks for no event: a process that has ended is known to have by that. */
  #find({ answers, failed, spoilt }: Found): void {
    const answer: ProgramAnswer = new ProgramAnswer(
      (head) => {
        isAnswered = true
        answer.drop()
        // The lines that were written before are read by then.
        setImmediate(saidIn(head, this.#secret) === "" ? answers : spoilt)
      },
      () => {
        if (!isAnswered) failed()
      }
    )
    let isAnswered = false
    this.#send(this.#secret, requestForNone.asked, requestForNone.headers, answer)
  }

  /** Fails an event whose answer the entry can't give: no other would get one from this process. */
  #failSpoilt<Body>(event: AskedEvent<Body>): void {
    this.#endFor(event.id, spoiltAnswers)
    this.#fail(event)
  }

  #fail<Body>(event: AskedEvent<Body>): void {
    void this.#failure(() => event.id).then((failure) => event.failed(failure))
  }

  #eventOf<Body>(number: number, bounds: Bounds, settle: (outcome: Outcome<Body>) => void, over: () => void) {
    const id = this.#idOf(number)
    const begin = (ended: () => void) => this.#begin(id, bounds, ended)
    return new AskedEvent(id, begin, settle, over, bounds.linger)
  }

  #begin(id: string, bounds: Bounds, ended: () => void): Run {
    this.#mayWrite += maxWritten
    this.#memory ??= setInterval(() => this.#weigh(), memoryEvery).unref()
    return this.#runs.begin(id, bounds, () => {
      ended()
      if (this.#runs.size === 0) this.#mayWrite = 0
    })
  }

  #send(id: string, { contentType, body, size }: Asked, headers: string, answer: Listener): void {
    this.#events.ask(
      `POST /v1 HTTP/1.1\r\nhost: integration\r\ncontent-type: ${contentType}\r\n` +
        `${runHeader}: ${id}\r\n${headers}content-length: ${size}\r\n\r\n`,
      body,
      answer
    )
  }

  /**
   * Weighs the process: memory outside of the heap is not bounded by the heap's limit. One that has nothing to do
   * is weighed once more, and then no longer: events that follow each other need no timer each.
   */
  #weigh(): void {
    if (this.#runs.size === 0) this.#weighNoMore()
    const megabytes = (pagesOf(this.#child.pid) * 4096) / 1024 / 1024
    if (megabytes > maxMegabytes) this.#endFor(this.#runs.only, tooMuchMemory)
  }

  /** Reads what the entry writes of each event. */
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
      for (const line of lines) this.#runs.hear(line)
    })
  }

  #weighNoMore(): void {
    clearInterval(this.#memory)
    this.#memory = undefined
  }

  #exited(): void {
    this.#takeNoMore()
    this.#weighNoMore()
    if (/heap out of memory/i.test(this.#said.text)) this.#ended ??= { reason: tooMuchMemory, run: this.#runs.only }
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

/** Pages of memory that a process has; 0 where that is not told. The file is none on a disk, so nothing waits for it. */
const pagesOf = (pid: number | undefined): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1])
  } catch {
    return 0
  }
}

const spoiltAnswers = failed(
  "crashed",
  "It can't be answered: the program has changed parts of the language or the platform that its answers are given with"
)

const tooMuchMemory = failed("too-large", "It took more memory than it may")

const listening = (server: Server, path: string) =>
  new Promise<void>((done, fail) => {
    server.on("error", fail)
    server.listen(path, done)
  })
