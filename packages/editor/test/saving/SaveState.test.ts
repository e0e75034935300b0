/** Whatever the network does, nothing that was typed is lost, and nothing is called saved that is not. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  isSaved,
  opened,
  type SaveEffect,
  type SaveEvent,
  type SaveState,
  step
} from "@lectern/editor/saving/SaveState"
import { runs } from "../../../core/test/Runs.ts"

/** One editor and a server, whose texts are sets of words: merging is their union. */
class Simulation {
  state: SaveState = opened("r0")
  text: ReadonlyArray<string> = []
  readonly journal = new Map<number, ReadonlyArray<string>>()
  server: { readonly revision: number; readonly text: ReadonlyArray<string> } = { revision: 0, text: [] }
  isPaused = false
  request: { readonly revision: string; readonly text: ReadonlyArray<string> } | undefined
  isMerging = false
  #words = 0

  take(event: SaveEvent) {
    const { state, effects } = step(this.state, event)
    this.state = state
    for (const effect of effects) this.#run(effect)
  }

  #run(effect: SaveEffect) {
    switch (effect.type) {
      case "journal":
        this.journal.set(this.state.text, this.text)
        return
      case "forget":
        for (const text of this.journal.keys()) if (text <= effect.text) this.journal.delete(text)
        return
      case "pause":
        this.isPaused = true
        return
      case "send":
        this.request = { revision: effect.revision, text: this.text }
        return
      case "merge":
        this.isMerging = true
    }
  }

  type() {
    this.text = [...this.text, `w${this.#words++}`]
    this.take({ type: "edited" })
  }

  /** Somebody else saves. */
  other() {
    this.server = { revision: this.server.revision + 1, text: [...this.server.text, `o${this.#words++}`] }
  }

  /** The server receives the request, and the answer arrives or is lost. */
  deliver(isAnswerLost: boolean) {
    const { request } = this
    if (request === undefined) return
    this.request = undefined
    const isCurrent = request.revision === `r${this.server.revision}`
    if (isCurrent) this.server = { revision: this.server.revision + 1, text: request.text }
    if (isAnswerLost) return this.take({ type: "unanswered" })
    this.take(isCurrent ? { type: "accepted", revision: `r${this.server.revision}` } : { type: "outdated" })
  }

  merge() {
    if (!this.isMerging) return
    this.isMerging = false
    if (this.state.status !== "merging") return
    const { revision, text } = this.server
    this.text = Array.from(new Set([...text, ...this.text]))
    this.take({ type: "merged", revision: `r${revision}`, isChanged: this.text.length > text.length })
  }

  elapse() {
    if (!this.isPaused) return
    this.isPaused = false
    this.take({ type: "elapsed" })
  }

  drop() {
    if (this.request === undefined) return
    this.request = undefined
    this.take({ type: "unanswered" })
  }

  /** The session ends while the request is on its way, or between two requests. */
  end() {
    this.request = undefined
    this.isMerging = false
    this.take({ type: "sessionEnded" })
  }

  check() {
    const words = this.text.filter((word) => word.startsWith("w"))
    if (isSaved(this.state)) {
      for (const word of words) assert.include(this.server.text, word, "is called saved, and the server lacks it")
    }
    const onServer = new Set(this.server.text)
    const inJournal = new Set(Array.from(this.journal.values()).flat())
    for (const word of words)
      assert.isTrue(onServer.has(word) || inJournal.has(word), `${word} is nowhere but on the page`)
  }
}

type Move = "type" | "other" | "announce" | "deliver" | "lose" | "drop" | "merge" | "elapse" | "end" | "signIn"

const moves = fc.array(
  fc.constantFrom<Move>(
    "type",
    "type",
    "other",
    "announce",
    "deliver",
    "lose",
    "drop",
    "merge",
    "elapse",
    "end",
    "signIn"
  ),
  { maxLength: 60 }
)

const play = (simulation: Simulation, move: Move) => {
  switch (move) {
    case "type":
      return simulation.type()
    case "other":
      return simulation.other()
    case "announce":
      return simulation.take({ type: "announced", revision: `r${simulation.server.revision}` })
    case "deliver":
      return simulation.deliver(false)
    case "lose":
      return simulation.deliver(true)
    case "drop":
      return simulation.drop()
    case "merge":
      return simulation.merge()
    case "elapse":
      return simulation.elapse()
    case "end":
      return simulation.end()
    case "signIn":
      return simulation.take({ type: "signedIn" })
  }
}

describe("Saving", () => {
  it("loses nothing, calls nothing saved that is not, and saves all once it can", () => {
    fc.assert(
      fc.property(moves, (each) => {
        const simulation = new Simulation()
        for (const move of each) {
          play(simulation, move)
          simulation.check()
        }
        for (const move of Array.from({ length: 6 }, () => ["signIn", "elapse", "deliver", "merge"] as const).flat()) {
          play(simulation, move)
          simulation.check()
        }
        assert.isTrue(isSaved(simulation.state), JSON.stringify(simulation.state))
        assert.strictEqual(simulation.journal.size, 0)
        for (const word of simulation.text.filter((one) => one.startsWith("w"))) {
          assert.strictEqual(simulation.server.text.filter((one) => one === word).length, 1)
        }
      }),
      runs(500)
    )
  })

  it("waits longer after each failure, up to 30 seconds, and starts over after an answer", () => {
    let state = opened("r0")
    const pauses: Array<number> = []
    const take = (event: SaveEvent) => {
      const next = step(state, event)
      state = next.state
      for (const effect of next.effects) if (effect.type === "pause") pauses.push(effect.milliseconds)
    }
    take({ type: "edited" })
    for (let i = 0; i < 7; i++) {
      take({ type: "elapsed" })
      take({ type: "unanswered" })
    }
    assert.deepStrictEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    take({ type: "elapsed" })
    take({ type: "accepted", revision: "r1" })
    assert.isTrue(isSaved(state))
    assert.strictEqual(state.failures, 0)
  })

  it("keeps edits of a text that the server refuses for good", () => {
    let { state } = step(opened("r0"), { type: "edited" })
    for (const event of [
      { type: "elapsed" },
      { type: "refused", reason: "You can no longer edit this space" },
      { type: "edited" }
    ] as const) {
      const next = step(state, event)
      if (event.type === "edited") assert.deepStrictEqual(next.effects, [{ type: "journal" }])
      state = next.state
    }
    assert.deepInclude(state, { status: "refused", reason: "You can no longer edit this space" })
    assert.isFalse(isSaved(state))
  })
})
