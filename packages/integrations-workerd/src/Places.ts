/**
 * Places of processes: decides which program has one, who waits, and which process is ended for another. It knows of no
 * process, timer or clock: whoever has those is told what to start and to end, and says what has become of it.
 *
 * A process has its place from its start until it is gone. Work goes to the process of its program; without one it waits
 * for a place, first come first served. While somebody waits, the process that has rested for longest is ended. One that
 * has work, or is still starting, never is.
 *
 * Work that was queued, so that nobody waits for it, is in three of four places at most, or slow receivers of events
 * would leave none to whoever reads a page. It waits behind nobody else for that.
 *
 * Limit: so much waits at once; by the pool, 256.
 */
import type { Program } from "@lectern/core/integration/IntegrationRuntime"

/** Work of a program. */
export interface Work<Process> {
  readonly program: Pick<Program, "integration" | "version">
  readonly isQueued: boolean
  /** Its process is there. */
  readonly begin: (process: Process) => void
  /** There is none, and why. */
  readonly refuse: (why: unknown) => void
  /** Undefined while it waits for one. */
  place?: Place<Process>
}

/** A process as far as it is known here. */
export class Place<Process> {
  readonly program: Work<Process>["program"]
  readonly work = new Set<Work<Process>>()
  process: Process | undefined
  state: "starting" | "there" | "ending" | "gone" = "starting"
  /** How much of its work was queued. */
  queued = 0
  /** Another version has taken over, or it is to run no more. */
  isRetired = false

  constructor(program: Work<Process>["program"]) {
    this.program = program
  }
}

/** Told what is to be done; it happens later. */
export interface Hands<Process, W extends Work<Process>> {
  /** `started` or `gone` comes of it. */
  readonly start: (place: Place<Process>, first: W) => void
  /** `gone` comes of it. */
  readonly end: (place: Place<Process>) => void
  /** It has nothing to do from now on, until it is given something. */
  readonly rests: (place: Place<Process>) => void
}

const nameOf = ({ integration, version }: Work<unknown>["program"]) => `${version} ${integration}`

export class Places<Process, W extends Work<Process>> {
  readonly #atOnce: number
  readonly #maxWaiting: number
  /** How many may have work that was queued. */
  readonly #mostQueued: number
  readonly #hands: Hands<Process, W>
  readonly #places = new Set<Place<Process>>()
  /** Those that take more, by their integrations. */
  readonly #open = new Map<string, Place<Process>>()
  /** The one that has rested for longest is the first. */
  readonly #resting = new Set<Place<Process>>()
  readonly #waiting = new Set<W>()
  #ending = 0
  /** How many have work that was queued. */
  #withQueued = 0
  /** Why nothing is begun any more. */
  #closed: { readonly why: unknown } | undefined

  constructor(atOnce: number, maxWaiting: number, hands: Hands<Process, W>) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
    this.#mostQueued = atOnce - Math.floor(atOnce / 4)
    this.#hands = hands
  }

  get all(): ReadonlySet<Place<Process>> {
    return this.#places
  }

  get resting(): ReadonlySet<Place<Process>> {
    return this.#resting
  }

  get waiting(): ReadonlySet<W> {
    return this.#waiting
  }

  /** Takes in work, which has a place then or waits for one; false where too much waits already. */
  enter(work: W): boolean {
    if (this.#closed !== undefined) {
      work.refuse(this.#closed.why)
      return true
    }
    const { integration, version } = work.program
    const known = this.#open.get(integration)
    if (known !== undefined && known.program.version !== version) this.retire(known)
    if (this.#give(work)) return true
    if (this.#waiting.size >= this.#maxWaiting) return false
    this.#waiting.add(work)
    this.#makeRoom()
    return true
  }

  /** Work is done, or given up while it waits. */
  leave(work: W): void {
    if (this.#waiting.delete(work)) return
    const { place } = work
    if (!place?.work.delete(work)) return
    if (work.isQueued && --place.queued === 0 && place.state !== "gone") this.#withQueued--
    if (place.work.size === 0 && place.state === "there") this.#rest(place)
    this.#serve()
  }

  started(place: Place<Process>, process: Process): void {
    place.process = process
    place.state = "there"
    if (place.work.size === 0) this.#rest(place)
    // What comes to it meanwhile is begun by itself.
    for (const work of Array.from(place.work)) work.begin(process)
    this.#serve()
  }

  /** A process ends by itself, or for what it did: it takes nothing more. */
  ends(place: Place<Process>): void {
    if (place.state === "ending" || place.state === "gone") return
    place.state = "ending"
    this.#ending++
    this.#close(place)
  }

  /** A process is no more, or could not be started: what waits for that is told why. */
  gone(place: Place<Process>, why?: unknown): void {
    if (place.state === "gone") return
    this.ends(place)
    this.#ending--
    place.state = "gone"
    this.#places.delete(place)
    if (place.queued > 0) this.#withQueued--
    if (place.process === undefined) for (const work of place.work) work.refuse(why)
    this.#serve()
  }

  /** Gives a process nothing more: it ends once it has nothing to do. */
  retire(place: Place<Process>): void {
    place.isRetired = true
    this.#close(place)
    if (place.state === "there" && place.work.size === 0) this.#end(place)
  }

  retireOf(integration: string): void {
    const place = this.#open.get(integration)
    if (place !== undefined) this.retire(place)
  }

  /** Begins nothing any more. */
  close(why: unknown): void {
    this.#closed = { why }
    for (const work of this.#waiting) {
      this.#waiting.delete(work)
      work.refuse(why)
    }
    for (const place of this.#places) this.retire(place)
  }

  #give(work: W): boolean {
    const { integration, version } = work.program
    const known = this.#open.get(integration)
    const isIts = known?.program.version === version
    const addsQueued = work.isQueued && !(isIts && known.queued > 0)
    if (addsQueued && this.#withQueued >= this.#mostQueued) return false
    if (isIts) {
      this.#take(known, work)
      return true
    }
    if (this.#places.size >= this.#atOnce) return false
    if (known !== undefined) this.retire(known)
    const place = new Place<Process>(work.program)
    this.#places.add(place)
    this.#open.set(integration, place)
    this.#take(place, work)
    this.#hands.start(place, work)
    return true
  }

  #take(place: Place<Process>, work: W): void {
    this.#resting.delete(place)
    // Before it begins: it may be done at once.
    this.#waiting.delete(work)
    work.place = place
    place.work.add(work)
    if (work.isQueued && place.queued++ === 0) this.#withQueued++
    if (place.process !== undefined) work.begin(place.process)
  }

  #rest(place: Place<Process>): void {
    if (place.isRetired) return this.#end(place)
    this.#resting.add(place)
    this.#hands.rests(place)
  }

  #end(place: Place<Process>): void {
    this.ends(place)
    this.#hands.end(place)
  }

  #close(place: Place<Process>): void {
    this.#resting.delete(place)
    const { integration } = place.program
    if (this.#open.get(integration) === place) this.#open.delete(integration)
  }

  /** Gives those who wait what there is, in their order. */
  #serve(): void {
    if (this.#waiting.size === 0) return
    for (const work of this.#waiting) this.#give(work)
    this.#makeRoom()
  }

  /** Ends as many of those that rest as programs need places. */
  #makeRoom(): void {
    const needed = { queued: new Set<string>(), awaited: new Set<string>() }
    for (const { program, isQueued } of this.#waiting) {
      // The process that is there takes it once fewer have work that was queued.
      if (this.#open.get(program.integration)?.program.version === program.version) continue
      needed[isQueued ? "queued" : "awaited"].add(nameOf(program))
    }
    const queued = Math.min(needed.queued.size, this.#mostQueued - this.#withQueued)
    let missing = needed.awaited.size + queued - this.#ending - (this.#atOnce - this.#places.size)
    for (const place of this.#resting) {
      if (missing-- <= 0) break
      this.#end(place)
    }
  }
}
