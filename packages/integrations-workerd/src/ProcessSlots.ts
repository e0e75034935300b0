/**
 * Allocates the slots of a process pool: decides which program gets a process, which work waits, and which process ends to
 * free its slot. Contains no processes, timers or clocks: the pool gets callbacks to start and end processes, and reports
 * their state.
 *
 * A process occupies a slot from its start until its exit. Work goes to the process of its program, or waits for a slot in
 * order of arrival. While work waits, the process that was idle for the longest time ends. A process that is starting or
 * has work never ends for other work.
 *
 * Two shares limit the slots. Queued work, for which no request waits, uses at most three of four slots, so that slow
 * receivers of events do not block readers. The programs of one organization use at most nine of ten slots. Work that waits
 * for its share does not block other work.
 *
 * Limit: a maximum number of waiting pieces of work (256 in the pool), and three quarters of it for one organization.
 */
import type { Program } from "@lectern/core/integration/IntegrationRuntime"
import type { OrganizationId } from "@lectern/core/organization/Organization"

/** Share of the slots: the programs of an organization, or queued work. */
type Share = OrganizationId | "queued"

/** Work of a program. */
export interface Work<Process> {
  readonly program: Pick<Program, "integration" | "version" | "organization">
  readonly isQueued: boolean
  /** Starts the work in its process. */
  readonly begin: (process: Process) => void
  /** Rejects the work, with the reason why no process is available. */
  readonly refuse: (why: unknown) => void
  /** Slot of the process. Undefined while the work waits. */
  place?: ProcessSlot<Process>
}

/** Slot of a process. */
export class ProcessSlot<Process> {
  readonly program: Work<Process>["program"]
  readonly work = new Set<Work<Process>>()
  process: Process | undefined
  state: "starting" | "there" | "ending" | "gone" = "starting"
  /** Number of pieces of work for each share. */
  readonly counts = new Map<Share, number>()
  /** True if the process accepts no more work, because another version replaced it or the integration was stopped. */
  isRetired = false

  constructor(program: Work<Process>["program"]) {
    this.program = program
  }
}

/** Callbacks of the pool. Each requests an action that completes later. */
export interface SlotCallbacks<Process, W extends Work<Process>> {
  /** Starts a process. The pool then calls `started` or `gone`. */
  readonly start: (place: ProcessSlot<Process>, first: W) => void
  /** Ends a process. The pool then calls `gone`. */
  readonly end: (place: ProcessSlot<Process>) => void
  /** Reports that a process is idle. */
  readonly idle: (place: ProcessSlot<Process>) => void
}

const sharesOf = ({
  isQueued,
  program: { organization }
}: Pick<Work<unknown>, "isQueued" | "program">): ReadonlyArray<Share> =>
  isQueued ? [organization, "queued"] : [organization]

const addTo = <Key>(counts: Map<Key, number>, key: Key, more: number): number => {
  const count = (counts.get(key) ?? 0) + more
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
  return count
}

export class ProcessSlots<Process, W extends Work<Process>> {
  readonly #atOnce: number
  readonly #maxWaiting: number
  /** Maximum number of slots of each share. */
  readonly #most: { readonly queued: number; readonly organization: number }
  readonly #maxWaitingOfOne: number
  readonly #hands: SlotCallbacks<Process, W>
  readonly #places = new Set<ProcessSlot<Process>>()
  /** Slots that accept work, by integration. */
  readonly #open = new Map<string, ProcessSlot<Process>>()
  /** Slots of idle processes, longest idle first. */
  readonly idle = new Set<ProcessSlot<Process>>()
  readonly #waiting = new Set<W>()
  /** Number of waiting pieces of work by organization. */
  readonly #waitingOf = new Map<OrganizationId, number>()
  /** Number of slots with work of a share. */
  readonly #taken = new Map<Share, number>()
  #ending = 0
  /** Reason why no more work starts. Undefined while the pool is open. */
  #closed: { readonly why: unknown } | undefined

  constructor(atOnce: number, maxWaiting: number, hands: SlotCallbacks<Process, W>) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
    this.#most = { queued: atOnce - Math.floor(atOnce / 4), organization: atOnce - Math.floor(atOnce / 10) }
    this.#maxWaitingOfOne = maxWaiting - Math.floor(maxWaiting / 4)
    this.#hands = hands
  }

  get all(): ReadonlySet<ProcessSlot<Process>> {
    return this.#places
  }

  get resting(): ReadonlySet<ProcessSlot<Process>> {
    return this.idle
  }

  get waiting(): ReadonlySet<W> {
    return this.#waiting
  }

  /** Assigns work to a slot or queues it. Returns false if the queue is full. */
  enter(work: W): boolean {
    if (this.#closed !== undefined) {
      work.refuse(this.#closed.why)
      return true
    }
    const { integration, version, organization } = work.program
    const known = this.#open.get(integration)
    if (known !== undefined && known.program.version !== version) this.retire(known)
    if (this.#give(work)) return true
    const ofOne = this.#waitingOf.get(organization) ?? 0
    if (this.#waiting.size >= this.#maxWaiting || ofOne >= this.#maxWaitingOfOne) return false
    this.#waiting.add(work)
    addTo(this.#waitingOf, organization, 1)
    this.#makeRoom()
    return true
  }

  /** Removes work that is finished, or was cancelled while it waited. */
  leave(work: W): void {
    if (this.#stopWaiting(work)) return
    const { place } = work
    if (!place?.work.delete(work)) return
    for (const share of sharesOf(work))
      if (addTo(place.counts, share, -1) === 0 && place.state !== "gone") addTo(this.#taken, share, -1)
    if (place.work.size === 0 && place.state === "there") this.#rest(place)
    this.#serve()
  }

  started(place: ProcessSlot<Process>, process: Process): void {
    place.process = process
    place.state = "there"
    if (place.work.size === 0) this.#rest(place)
    // Iterates over a copy, since the callbacks may add work. Added work starts separately.
    for (const work of Array.from(place.work)) work.begin(process)
    this.#serve()
  }

  /** Reports that a process is ending. It accepts no more work. */
  ends(place: ProcessSlot<Process>): void {
    if (place.state === "ending" || place.state === "gone") return
    place.state = "ending"
    this.#ending++
    this.#close(place)
  }

  /** Reports that a process has exited or could not be started. Its waiting work is rejected with the reason. */
  exited(place: ProcessSlot<Process>, why?: unknown): void {
    if (place.state === "gone") return
    this.ends(place)
    this.#ending--
    place.state = "gone"
    this.#places.delete(place)
    for (const share of place.counts.keys()) addTo(this.#taken, share, -1)
    if (place.process === undefined) for (const work of place.work) work.refuse(why)
    this.#serve()
  }

  /** Assigns no more work to a process and ends it once it is idle. */
  retire(place: ProcessSlot<Process>): void {
    place.isRetired = true
    this.#close(place)
    if (place.state === "there" && place.work.size === 0) this.#end(place)
  }

  retireOf(integration: string): void {
    const place = this.#open.get(integration)
    if (place !== undefined) this.retire(place)
  }

  /** Rejects waiting and future work, and retires all processes. */
  close(why: unknown): void {
    this.#closed = { why }
    for (const work of this.#waiting) {
      this.#stopWaiting(work)
      work.refuse(why)
    }
    for (const place of this.#places) this.retire(place)
  }

  #give(work: W): boolean {
    const { integration, version } = work.program
    const known = this.#open.get(integration)
    const isIts = known?.program.version === version
    for (const share of sharesOf(work)) if (!(isIts && known.counts.has(share)) && this.#left(share) <= 0) return false
    if (isIts) {
      this.#take(known, work)
      return true
    }
    if (this.#places.size >= this.#atOnce) return false
    if (known !== undefined) this.retire(known)
    const place = new ProcessSlot<Process>(work.program)
    this.#places.add(place)
    this.#open.set(integration, place)
    this.#take(place, work)
    this.#hands.start(place, work)
    return true
  }

  #take(place: ProcessSlot<Process>, work: W): void {
    this.idle.delete(place)
    // The entry is removed before the work starts, since the work may finish at once.
    this.#stopWaiting(work)
    work.place = place
    place.work.add(work)
    for (const share of sharesOf(work)) if (addTo(place.counts, share, 1) === 1) addTo(this.#taken, share, 1)
    if (place.process !== undefined) work.begin(place.process)
  }

  #rest(place: ProcessSlot<Process>): void {
    if (place.isRetired) return this.#end(place)
    this.idle.add(place)
    this.#hands.idle(place)
  }

  #end(place: ProcessSlot<Process>): void {
    this.ends(place)
    this.#hands.end(place)
  }

  #close(place: ProcessSlot<Process>): void {
    this.idle.delete(place)
    const { integration } = place.program
    if (this.#open.get(integration) === place) this.#open.delete(integration)
  }

  /** Assigns free slots to waiting work in order of arrival. */
  #serve(): void {
    if (this.#waiting.size === 0) return
    for (const work of this.#waiting) this.#give(work)
    this.#makeRoom()
  }

  /** Ends as many idle processes as waiting programs need slots within their shares. */
  #makeRoom(): void {
    const needed = new Set<string>()
    const more = new Map<Share, number>()
    for (const work of this.#waiting) {
      const { integration, version } = work.program
      const name = `${version} ${integration}`
      // The existing process takes this work once its share has capacity.
      if (needed.has(name) || this.#open.get(integration)?.program.version === version) continue
      const shares = sharesOf(work)
      if (shares.some((share) => this.#left(share) <= (more.get(share) ?? 0))) continue
      for (const share of shares) addTo(more, share, 1)
      needed.add(name)
    }
    let missing = needed.size - this.#ending - (this.#atOnce - this.#places.size)
    for (const place of this.idle) {
      if (missing-- <= 0) break
      this.#end(place)
    }
  }

  /** Returns the remaining number of slots of a share. */
  #left(share: Share): number {
    return this.#most[share === "queued" ? "queued" : "organization"] - (this.#taken.get(share) ?? 0)
  }

  #stopWaiting(work: W): boolean {
    const waited = this.#waiting.delete(work)
    if (waited) addTo(this.#waitingOf, work.program.organization, -1)
    return waited
  }
}
