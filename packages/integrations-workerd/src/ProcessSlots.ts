/**
 * Allocates the slots of a process pool: decides which program gets a process, which work waits, and which process ends
 * to free its slot. Contains no processes, timers or clocks: the pool gets callbacks to start and end processes, and
 * reports their state.
 *
 * A process occupies a slot from its start until its exit. Work goes to the process of its program, or waits for a slot
 * in order of arrival. While work waits, the process that was idle for the longest time ends. A process that is
 * starting or has work never ends for other work.
 *
 * Two shares limit the slots. Queued work, for which no request waits, uses at most three of four slots, so that slow
 * receivers of events do not block readers. The programs of one organization use at most nine of ten slots. Work that
 * waits for its share does not block other work.
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
  readonly start: (process: Process) => void
  /** Rejects the work, with the reason why no process is available. */
  readonly refuse: (reason: unknown) => void
  /** Slot of the process. Undefined while the work waits. */
  slot?: ProcessSlot<Process>
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
  readonly start: (slot: ProcessSlot<Process>, first: W) => void
  /** Ends a process. The pool then calls `gone`. */
  readonly end: (slot: ProcessSlot<Process>) => void
  /** Reports that a process is idle. */
  readonly idle: (slot: ProcessSlot<Process>) => void
}

const sharesOf = ({
  isQueued,
  program: { organization }
}: Pick<Work<unknown>, "isQueued" | "program">): ReadonlyArray<Share> =>
  isQueued ? [organization, "queued"] : [organization]

const addTo = <Key>(counts: Map<Key, number>, key: Key, change: number): number => {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
  return count
}

export class ProcessSlots<Process, W extends Work<Process>> {
  readonly #maxProcesses: number
  readonly #maxWaiting: number
  /** Maximum number of slots of each share. */
  readonly #maxSlots: { readonly queued: number; readonly organization: number }
  readonly #maxWaitingPerOrganization: number
  readonly #callbacks: SlotCallbacks<Process, W>
  readonly #slots = new Set<ProcessSlot<Process>>()
  /** Slots that accept work, by integration. */
  readonly #openSlots = new Map<string, ProcessSlot<Process>>()
  /** Slots of idle processes, longest idle first. */
  readonly idle = new Set<ProcessSlot<Process>>()
  readonly #waitingWork = new Set<W>()
  /** Number of waiting pieces of work by organization. */
  readonly #waitingByOrganization = new Map<OrganizationId, number>()
  /** Number of slots with work of a share. */
  readonly #slotsByShare = new Map<Share, number>()
  #endingCount = 0
  /** Reason why no more work starts. Undefined while the pool is open. */
  #closed: { readonly reason: unknown } | undefined

  constructor(maxProcesses: number, maxWaiting: number, callbacks: SlotCallbacks<Process, W>) {
    this.#maxProcesses = maxProcesses
    this.#maxWaiting = maxWaiting
    this.#maxSlots = {
      queued: maxProcesses - Math.floor(maxProcesses / 4),
      organization: maxProcesses - Math.floor(maxProcesses / 10)
    }
    this.#maxWaitingPerOrganization = maxWaiting - Math.floor(maxWaiting / 4)
    this.#callbacks = callbacks
  }

  get all(): ReadonlySet<ProcessSlot<Process>> {
    return this.#slots
  }

  get idleSlots(): ReadonlySet<ProcessSlot<Process>> {
    return this.idle
  }

  get waiting(): ReadonlySet<W> {
    return this.#waitingWork
  }

  /** Assigns work to a slot or queues it. Returns false if the queue is full. */
  enter(work: W): boolean {
    if (this.#closed !== undefined) {
      work.refuse(this.#closed.reason)
      return true
    }
    const { integration, version, organization } = work.program
    const openSlot = this.#openSlots.get(integration)
    if (openSlot !== undefined && openSlot.program.version !== version) this.retire(openSlot)
    if (this.#assign(work)) return true
    const waitingCount = this.#waitingByOrganization.get(organization) ?? 0
    if (this.#waitingWork.size >= this.#maxWaiting || waitingCount >= this.#maxWaitingPerOrganization) return false
    this.#waitingWork.add(work)
    addTo(this.#waitingByOrganization, organization, 1)
    this.#freeSlots()
    return true
  }

  /** Removes work that is finished, or was cancelled while it waited. */
  remove(work: W): void {
    if (this.#stopWaiting(work)) return
    const { slot } = work
    if (!slot?.work.delete(work)) return
    for (const share of sharesOf(work))
      if (addTo(slot.counts, share, -1) === 0 && slot.state !== "gone") addTo(this.#slotsByShare, share, -1)
    if (slot.work.size === 0 && slot.state === "there") this.#becomeIdle(slot)
    this.#assignWaiting()
  }

  started(slot: ProcessSlot<Process>, process: Process): void {
    slot.process = process
    slot.state = "there"
    if (slot.work.size === 0) this.#becomeIdle(slot)
    // Iterates over a copy, since the callbacks may add work. Added work starts separately.
    for (const work of Array.from(slot.work)) work.start(process)
    this.#assignWaiting()
  }

  /** Reports that a process is ending. It accepts no more work. */
  ends(slot: ProcessSlot<Process>): void {
    if (slot.state === "ending" || slot.state === "gone") return
    slot.state = "ending"
    this.#endingCount++
    this.#close(slot)
  }

  /** Reports that a process has exited or could not be started. Its waiting work is rejected with the reason. */
  exited(slot: ProcessSlot<Process>, reason?: unknown): void {
    if (slot.state === "gone") return
    this.ends(slot)
    this.#endingCount--
    slot.state = "gone"
    this.#slots.delete(slot)
    for (const share of slot.counts.keys()) addTo(this.#slotsByShare, share, -1)
    if (slot.process === undefined) for (const work of slot.work) work.refuse(reason)
    this.#assignWaiting()
  }

  /** Assigns no more work to a process and ends it once it is idle. */
  retire(slot: ProcessSlot<Process>): void {
    slot.isRetired = true
    this.#close(slot)
    if (slot.state === "there" && slot.work.size === 0) this.#end(slot)
  }

  retireIntegration(integration: string): void {
    const slot = this.#openSlots.get(integration)
    if (slot !== undefined) this.retire(slot)
  }

  /** Rejects waiting and future work, and retires all processes. */
  close(reason: unknown): void {
    this.#closed = { reason }
    for (const work of this.#waitingWork) {
      this.#stopWaiting(work)
      work.refuse(reason)
    }
    for (const slot of this.#slots) this.retire(slot)
  }

  #assign(work: W): boolean {
    const { integration, version } = work.program
    const openSlot = this.#openSlots.get(integration)
    const isSameVersion = openSlot?.program.version === version
    for (const share of sharesOf(work))
      if (!(isSameVersion && openSlot.counts.has(share)) && this.#freeOfShare(share) <= 0) return false
    if (isSameVersion) {
      this.#occupy(openSlot, work)
      return true
    }
    if (this.#slots.size >= this.#maxProcesses) return false
    if (openSlot !== undefined) this.retire(openSlot)
    const slot = new ProcessSlot<Process>(work.program)
    this.#slots.add(slot)
    this.#openSlots.set(integration, slot)
    this.#occupy(slot, work)
    this.#callbacks.start(slot, work)
    return true
  }

  #occupy(slot: ProcessSlot<Process>, work: W): void {
    this.idle.delete(slot)
    // The entry is removed before the work starts, since the work may finish at once.
    this.#stopWaiting(work)
    work.slot = slot
    slot.work.add(work)
    for (const share of sharesOf(work)) if (addTo(slot.counts, share, 1) === 1) addTo(this.#slotsByShare, share, 1)
    if (slot.process !== undefined) work.start(slot.process)
  }

  #becomeIdle(slot: ProcessSlot<Process>): void {
    if (slot.isRetired) return this.#end(slot)
    this.idle.add(slot)
    this.#callbacks.idle(slot)
  }

  #end(slot: ProcessSlot<Process>): void {
    this.ends(slot)
    this.#callbacks.end(slot)
  }

  #close(slot: ProcessSlot<Process>): void {
    this.idle.delete(slot)
    const { integration } = slot.program
    if (this.#openSlots.get(integration) === slot) this.#openSlots.delete(integration)
  }

  /** Assigns free slots to waiting work in order of arrival. */
  #assignWaiting(): void {
    if (this.#waitingWork.size === 0) return
    for (const work of this.#waitingWork) this.#assign(work)
    this.#freeSlots()
  }

  /** Ends as many idle processes as waiting programs need slots within their shares. */
  #freeSlots(): void {
    const neededPrograms = new Set<string>()
    const additionalCounts = new Map<Share, number>()
    for (const work of this.#waitingWork) {
      const { integration, version } = work.program
      const name = `${version} ${integration}`
      // The existing process takes this work once its share has capacity.
      if (neededPrograms.has(name) || this.#openSlots.get(integration)?.program.version === version) continue
      const shares = sharesOf(work)
      if (shares.some((share) => this.#freeOfShare(share) <= (additionalCounts.get(share) ?? 0))) continue
      for (const share of shares) addTo(additionalCounts, share, 1)
      neededPrograms.add(name)
    }
    let missingSlots = neededPrograms.size - this.#endingCount - (this.#maxProcesses - this.#slots.size)
    for (const slot of this.idle) {
      if (missingSlots-- <= 0) break
      this.#end(slot)
    }
  }

  /** Returns the remaining number of slots of a share. */
  #freeOfShare(share: Share): number {
    return this.#maxSlots[share === "queued" ? "queued" : "organization"] - (this.#slotsByShare.get(share) ?? 0)
  }

  #stopWaiting(work: W): boolean {
    const wasWaiting = this.#waitingWork.delete(work)
    if (wasWaiting) addTo(this.#waitingByOrganization, work.program.organization, -1)
    return wasWaiting
  }
}
