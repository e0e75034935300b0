/** Everything that may happen to processes and those who wait for them, in any order: who has a place holds in each. */
import { keyOf } from "@lectern/core/integration/Integration"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../core/test/Runs.ts"
import { type ProcessSlot, ProcessSlots, type Work } from "@lectern/integrations-workerd/ProcessSlots"

interface Process {
  readonly place: ProcessSlot<Process>
}

interface Piece extends Work<Process> {
  readonly number: number
  fate: "waits" | "begun" | "refused" | "left"
}

const integrationOf = ({ program }: Piece) => program.integration

/** Places with processes that are only said to be there. */
class Stage {
  readonly starting: Array<ProcessSlot<Process>> = []
  readonly ending: Array<ProcessSlot<Process>> = []
  readonly there: Array<ProcessSlot<Process>> = []
  readonly pieces: Array<Piece> = []
  readonly places: ProcessSlots<Process, Piece>
  readonly atOnce: number
  readonly maxWaiting: number

  constructor(atOnce: number, maxWaiting: number) {
    this.atOnce = atOnce
    this.maxWaiting = maxWaiting
    this.places = new ProcessSlots<Process, Piece>(atOnce, maxWaiting, {
      start: (place, first) => {
        const before = [...this.places.waiting].filter(
          ({ number, isQueued, program: { organization } }) =>
            number < first.number &&
            (!isQueued || first.isQueued) &&
            (organization === first.program.organization || this.#mayTakeMore(organization))
        )
        assert.isEmpty(before, "a process was started out of turn")
        this.starting.push(place)
      },
      end: (place) => {
        assert.isTrue(this.there.includes(place), "one that starts was ended")
        assert.strictEqual(place.work.size, 0, "one that has work was ended")
        this.#remove(this.there, place)
        this.ending.push(place)
      },
      idle: (place) => assert.strictEqual(place.work.size, 0)
    })
  }

  /** Programs are of four organizations in turns. */
  enter(program: number, isQueued = false, version = 1, organization = program % 4): Piece {
    const piece: Piece = {
      number: this.pieces.length,
      program: {
        integration: keyOf(`program-${program}`),
        version,
        organization: OrganizationId.make(`organization${organization}`.padEnd(20, "0"))
      },
      isQueued,
      fate: "waits",
      start: ({ place }) => {
        assert.strictEqual(piece.fate, "waits")
        assert.strictEqual(place.state, "there")
        assert.deepStrictEqual(place.program, piece.program)
        piece.fate = "begun"
      },
      refuse: () => {
        assert.strictEqual(piece.fate, "waits")
        piece.fate = "refused"
      }
    }
    this.pieces.push(piece)
    const ofOne = this.#waitingOf(piece.program.organization)
    if (!this.places.enter(piece)) {
      const most = this.maxWaiting - Math.floor(this.maxWaiting / 4)
      assert.isTrue(this.places.waiting.size === this.maxWaiting || ofOne === most)
      piece.fate = "refused"
    }
    return piece
  }

  leave(piece: Piece): void {
    piece.fate = "left"
    this.places.remove(piece)
  }

  /** Work that may be over: it was begun, or still waits for a place. */
  get leaving(): ReadonlyArray<Piece> {
    return this.pieces.filter((piece) => piece.fate === "begun" || this.places.waiting.has(piece))
  }

  start(place: ProcessSlot<Process>): void {
    this.#remove(this.starting, place)
    this.there.push(place)
    this.places.started(place, { place })
  }

  startAll(): void {
    while (this.starting.length > 0) this.start(this.starting[0]!)
  }

  failToStart(place: ProcessSlot<Process>): void {
    this.#remove(this.starting, place)
    this.places.exited(place, "no luck")
  }

  crash(place: ProcessSlot<Process>): void {
    this.#remove(this.there, place)
    this.ending.push(place)
    this.places.ends(place)
  }

  gone(place: ProcessSlot<Process>): void {
    this.#remove(this.ending, place)
    for (const piece of this.pieces) if (piece.fate === "begun" && piece.slot === place) this.leave(piece)
    this.places.exited(place)
  }

  check(): void {
    const { all, idleSlots, waiting } = this.places
    assert.sameMembers([...all], [...this.starting, ...this.there, ...this.ending])
    assert.isAtMost(all.size, this.atOnce)
    assert.isAtMost(waiting.size, this.maxWaiting)
    const withQueued = [...all].filter(({ work }) => [...work].some(({ isQueued }) => isQueued))
    const mostQueued = this.atOnce - Math.floor(this.atOnce / 4)
    assert.isAtMost(withQueued.length, mostQueued)
    for (const place of idleSlots) assert.strictEqual(place.work.size, 0)
    for (const { program } of [...all, ...waiting]) {
      assert.isAtMost(this.#withWorkOf(program.organization), this.#mostOfOne)
      assert.isAtMost(this.#waitingOf(program.organization), this.maxWaiting - Math.floor(this.maxWaiting / 4))
    }
    const mayHave = [...waiting].filter(
      ({ isQueued, program }) =>
        (!isQueued || withQueued.length < mostQueued) && this.#mayTakeMore(program.organization)
    )
    if (mayHave.length === 0) return
    assert.strictEqual(all.size, this.atOnce, "somebody waits while a place is free")
    if (idleSlots.size > 0) assert.isNotEmpty(this.ending, "somebody waits while a process rests")
    for (const { program, isQueued } of mayHave) {
      const its = this.there.filter((place) => !place.isRetired && place.program.integration === program.integration)
      assert.isFalse(
        !isQueued && its.some((place) => place.program.version === program.version),
        "somebody waits for a process that is there"
      )
    }
    const awaited = mayHave.filter(({ isQueued }) => !isQueued)
    const organizations = new Set(awaited.map(({ program }) => program.organization))
    const mayTake = (organization: OrganizationId) =>
      Math.min(
        new Set(awaited.filter(({ program }) => program.organization === organization).map(integrationOf)).size,
        this.#mostOfOne - this.#withWorkOf(organization)
      )
    const places = [...organizations].reduce((sum, organization) => sum + mayTake(organization), 0)
    if (idleSlots.size > 0) assert.isAtLeast(this.ending.length, places, "too few are ended")
  }

  get #mostOfOne(): number {
    return this.atOnce - Math.floor(this.atOnce / 10)
  }

  #withWorkOf(organization: OrganizationId): number {
    return [...this.places.all].filter(({ work, program }) => work.size > 0 && program.organization === organization)
      .length
  }

  #waitingOf(organization: OrganizationId): number {
    return [...this.places.waiting].filter(({ program }) => program.organization === organization).length
  }

  #mayTakeMore(organization: OrganizationId): boolean {
    return this.#withWorkOf(organization) < this.#mostOfOne
  }

  #remove(list: Array<ProcessSlot<Process>>, place: ProcessSlot<Process>): void {
    const at = list.indexOf(place)
    if (at !== -1) list.splice(at, 1)
  }
}

const step = fc.record({
  does: fc.oneof(
    { weight: 6, arbitrary: fc.constant("enter" as const) },
    { weight: 4, arbitrary: fc.constantFrom("leave" as const, "start" as const, "gone" as const) },
    { weight: 1, arbitrary: fc.constantFrom("fail" as const, "crash" as const, "retire" as const, "rest" as const) }
  ),
  which: fc.nat(15),
  isQueued: fc.boolean(),
  version: fc.constantFrom(1, 1, 1, 2)
})

describe("Places", () => {
  it("are never too many, for nobody out of turn, and none has one that is ended at work", () => {
    const laws = fc.property(
      fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(10)),
      fc.integer({ min: 1, max: 10 }),
      fc.array(step, { maxLength: 80 }),
      fc.boolean(),
      (atOnce, maxWaiting, steps, mostOfOne) => {
        const stage = new Stage(atOnce, maxWaiting)
        const one = <A>(list: ReadonlyArray<A>, which: number, act: (one: A) => void) => {
          if (list.length > 0) act(list[which % list.length]!)
        }
        for (const { does, which, isQueued, version } of steps) {
          if (does === "enter") stage.enter(which, isQueued, version, mostOfOne ? Math.floor(which / 12) : undefined)
          if (does === "leave") one(stage.leaving, which, (piece) => stage.leave(piece))
          if (does === "start") one(stage.starting, which, (place) => stage.start(place))
          if (does === "fail") one(stage.starting, which, (place) => stage.failToStart(place))
          if (does === "crash") one(stage.there, which, (place) => stage.crash(place))
          if (does === "gone") one(stage.ending, which, (place) => stage.gone(place))
          if (does === "retire") stage.places.retireIntegration(keyOf(`program-${which}`))
          if (does === "rest") one([...stage.places.idleSlots], which, (place) => stage.places.retire(place))
          stage.check()
        }
        // Everyone has had a turn once what was begun is over.
        while (stage.pieces.some(({ fate }) => fate === "waits" || fate === "begun")) {
          const [starting, ending] = [stage.starting[0], stage.ending[0]]
          const begun = stage.pieces.find(({ fate }) => fate === "begun")
          if (starting !== undefined) stage.start(starting)
          else if (ending !== undefined) stage.gone(ending)
          else if (begun !== undefined) stage.leave(begun)
          else assert.fail("somebody waits for ever")
          stage.check()
        }
      }
    )
    fc.assert(laws, runs(300))
  })

  it("are given up by the one that has rested for longest", () => {
    const stage = new Stage(3, 10)
    const pieces = [0, 1, 2].map((program) => stage.enter(program))
    stage.startAll()
    for (const program of [1, 0, 2]) stage.leave(pieces[program]!)
    stage.leave(stage.enter(1))
    stage.enter(3)
    assert.deepStrictEqual(
      stage.ending.map(({ program }) => program.integration),
      [keyOf("program-0")]
    )
  })

  it("are kept in part for what somebody waits for, also of those that rest", () => {
    const stage = new Stage(8, 100)
    const warm = [0, 1, 2, 3, 4, 5, 6, 7].map((program) => stage.enter(program))
    stage.startAll()
    for (const piece of warm) stage.leave(piece)
    const told = [0, 1, 2, 3, 4, 5, 6, 7].map((program) => stage.enter(program, true))
    assert.deepStrictEqual(
      told.map(({ fate }) => fate),
      [...Array.from({ length: 6 }, () => "begun"), "waits", "waits"]
    )
    assert.isEmpty(stage.ending)
    assert.strictEqual(stage.enter(6).fate, "begun")
    stage.enter(9)
    assert.deepStrictEqual(
      stage.ending.map(({ program }) => program.integration),
      [keyOf("program-7")]
    )
    stage.leave(told[0]!)
    assert.strictEqual(told[6]!.fate, "begun")
  })

  it("are kept in part for programs of others, and so is the line", () => {
    const stage = new Stage(10, 8)
    const pieces = Array.from({ length: 16 }, (_, program) => stage.enter(program, false, 1, 0))
    stage.startAll()
    assert.deepStrictEqual(
      pieces.map(({ fate }) => fate),
      [...Array.from({ length: 9 }, () => "begun"), ...Array.from({ length: 6 }, () => "waits"), "refused"]
    )
    const other = stage.enter(20, false, 1, 1)
    stage.startAll()
    assert.deepStrictEqual([other.fate, stage.enter(21, false, 1, 1).fate], ["begun", "waits"])
  })

  it("are for nobody any more once they are closed", () => {
    const stage = new Stage(1, 10)
    const [begun, waiting] = [stage.enter(0), stage.enter(1)]
    stage.places.close("stopped")
    assert.deepStrictEqual([waiting.fate, stage.enter(2).fate], ["refused", "refused"])
    stage.start(stage.starting[0]!)
    assert.strictEqual(begun.fate, "begun")
    stage.leave(begun)
    assert.lengthOf(stage.ending, 1)
  })
})
