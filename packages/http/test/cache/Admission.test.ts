/** Questions whose answers are kept: those that come again, and more often than those that are kept. */
import { assert, describe, it } from "@effect/vitest"
import { Admission, type HitCounter } from "@lectern/http/server/cache/Admission"
import { LruCache } from "@lectern/core/storage/LruCache"

const tokens = Array.from({ length: 40 }, (_, n) => `Bearer ${String(n * 7_919).padStart(8, "0")}`)

/** Texts that differ in one place, by one character. */
const alike = (n: number) => `/v1/spaces/abcdefgh${String.fromCharCode(48 + (n % 75))}jklmnop/${Math.floor(n / 75)}`

/** Keeps so many, of which what was used longest ago goes first; `ask` tells whether it was there. */
const keeping = (places: number) => {
  const admission = new Admission()
  let kept = 0
  const known = new LruCache<string, HitCounter>(places, (gone) => admission.recordEvictions(gone))
  return {
    kept: () => kept,
    ask: (question: string): boolean => {
      const found = known.get(question)
      if (found !== undefined) {
        admission.recordHit(found)
        return true
      }
      const mark = admission.hashOf("a", question)
      if (!admission.admits(mark, known.isFull)) return false
      kept++
      known.set(question, { hash: mark, hits: 0, age: 0 }, 1)
      return false
    }
  }
}

describe("Admission", () => {
  it("takes what is asked for again, whoever else asks for the same", () => {
    const admission = new Admission()
    for (const token of tokens) assert.isFalse(admission.admits(admission.hashOf(token, "/v1/user"), false), token)
    for (const token of tokens) assert.isTrue(admission.admits(admission.hashOf(token, "/v1/user"), false), token)
  })

  it("takes one in fifty of what is asked for once at most, however alike they are", () => {
    const admission = new Admission()
    let taken = 0
    for (let n = 0; n < 100_000; n++) if (admission.admits(admission.hashOf(tokens[n % 40]!, alike(n)), false)) taken++
    assert.isBelow(taken, 2_000)
  })

  it("keeps part of what does not fit where all of it is asked for again and again", () => {
    const { ask, kept } = keeping(4_096)
    let found = 0
    const rounds = 30
    for (let round = 0; round < rounds; round++) for (let n = 0; n < 8_192; n++) if (ask(alike(n))) found++
    // Half of them fit. Whoever takes every one finds none, for each goes before it is asked for again.
    assert.isAbove(found / (rounds * 8_192), 0.35)
    assert.isBelow(kept(), 3 * 4_096)
  })

  it("makes room for what is liked now, of what was liked once", () => {
    const { ask } = keeping(1_024)
    for (let round = 0; round < 20; round++) for (let n = 0; n < 1_024; n++) ask(`old ${n}`)
    let found = 0
    const rounds = 60
    for (let round = 0; round < rounds; round++) {
      for (let n = 0; n < 1_024; n++) if (ask(`new ${n}`) && round >= rounds - 10) found++
    }
    assert.isAbove(found / (10 * 1_024), 0.9)
  })

  it("takes the place of answers that hold no more for what is asked for twice", () => {
    const admission = new Admission()
    const popular = { hash: admission.hashOf("a", "popular"), hits: 0, age: 0 }
    for (let n = 0; n < 15; n++) admission.recordHit(popular)
    const question = admission.hashOf("a", "question")
    assert.isFalse(admission.admits(question, true))
    admission.recordEvictions([popular, popular])
    assert.isFalse(admission.admits(question, true))
    admission.recordEvictions([undefined, undefined])
    assert.isTrue(admission.admits(question, true))
  })
})
