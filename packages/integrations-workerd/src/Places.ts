/**
 * Places of processes: decides which program has one, who waits, and which process is ended for another. It knows of no
 * process, timer or clock: whoever has those is told what to start and to end, and says what has become of it.
 *
 * A process has its place from its start until it is gone. Work goes to the process of its program; without one it waits
 * for a place, first come first served. While somebody waits, the process that has rested for longest is ended. One that
 * has work, or is still starting, never is.
 *
 * Nobody takes them all: work that was queued, so that nobody waits for it, is in three of four places at most, or slow
 * receivers of events would leave none to whoever reads a page; what one organization has published is in nine of ten,
 * or it would leave none to the others. Who waits for a share waits behind nobody else.
 *
 * Limit: so much waits at once, by the pool 256; three of four for programs of one organization.
 */
import type { Program } from "@lectern/core/integration/IntegrationRuntime"
import type { OrganizationId } from "@lectern/core/organization/Organization"

/** Whose places are counted: those of an organization's programs, or those of what was queued. */
type Share = OrganizationId | "queued"

/** Work of a program. */
export interface Work<Process> {
  readonly program: Pick<Program, "integration" | "version" | "organization">
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
  /** How much of its work counts for each share. */
  readonly counts = new Map<Share, number>()
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

export class Places<Process, W extends Work<Process>> {
  readonly #atOnce: number
  readonly #maxWaiting: number
  /** How many may have work that was queued, and work of one organization's programs. */
  readonly #most: { readonly queued: number; readonly organization: number }
  readonly #maxWaitingOfOne: number
  readonly #hands: Hands<Process, W>
  readonly #places = new Set<Place<Process>>()
  /** Those that take more, by their integrations. */
  readonly #open = new Map<string, Place<Process>>()
  /** The one that has rested for longest is the first. */
  readonly #resting = new Set<Place<Process>>()
  readonly #waiting = new Set<W>()
  /** How many of those that wait are of an organization's programs. */
  readonly #waitingOf = new Map<OrganizationId, number>()
  /** How many places have work of a share. */
  readonly #taken = new Map<Share, number>()
  #ending = 0
  /** Why nothing is begun any more. */
  #closed: { readonly why: unknown } | undefined

  constructor(atOnce: number, maxWaiting: number, hands: Hands<Process, W>) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
    this.#most = { queued: atOnce - Math.floor(atOnce / 4), organization: atOnce - Math.floor(atOnce / 10) }
    this.#maxWaitingOfOne = maxWaiting - Math.floor(maxWaiting / 4)
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

  /** Work is done, or given up while it waits. */
  leave(work: W): void {
    if (this.#stopWaiting(work)) return
    const { place } = work
    if (!place?.work.delete(work)) return
    for (const share of sharesOf(work))
      if (addTo(place.counts, share, -1) === 0 && place.state !== "gone") addTo(this.#taken, share, -1)
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
    for (const share of place.counts.keys()) addTo(this.#taken, share, -1)
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
    this.#stopWaiting(work)
    work.place = place
    place.work.add(work)
    for (const share of sharesOf(work)) if (addTo(place.counts, share, 1) === 1) addTo(this.#taken, share, 1)
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

  /** Ends as many of those that rest as programs need places and may have them. */
  #makeRoom(): void {
    const needed = new Set<string>()
    const more = new Map<Share, number>()
    for (const work of this.#waiting) {
      const { integration, version } = work.program
      const name = `${version} ${integration}`
      // The process that is there takes it once a share has room.
      if (needed.has(name) || this.#open.get(integration)?.program.version === version) continue
      const shares = sharesOf(work)
      if (shares.some((share) => this.#left(share) <= (more.get(share) ?? 0))) continue
      for (const share of shares) addTo(more, share, 1)
      needed.add(name)
    }
    let missing = needed.size - this.#ending - (this.#atOnce - this.#places.size)
    for (const place of this.#resting) {
      if (missing-- <= 0) break
      this.#end(place)
    }
  }

  /** How many more places may have work of a share. */
  #left(share: Share): number {
    return this.#most[share === "queued" ? "queued" : "organization"] - (this.#taken.get(share) ?? 0)
  }

  #stopWaiting(work: W): boolean {
    const waited = this.#waiting.delete(work)
    if (waited) addTo(this.#waitingOf, work.program.organization, -1)
    return waited
  }
}
