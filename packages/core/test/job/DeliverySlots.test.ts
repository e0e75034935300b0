/** Receivers that are told events: who gets a place, and who makes room. */
import { assert, describe, it } from "@effect/vitest"
import { DeliverySlots } from "@lectern/core/job/DeliverySlots"
import type { IntegrationKey } from "@lectern/core/integration/Integration"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const key = (name: string) => name as IntegrationKey

/** Begins so many receivers, each of an integration of its own. */
const beginMany = (places: DeliverySlots, names: string, count: number, now: number): number =>
  Array.from({ length: count }, (_, n) => places.acquire(`${names}${n}`, key(`${names}${n}`), now)).filter(Boolean)
    .length

/** Integrations with these names that were quick for their last event. */
const known = (places: DeliverySlots, names: string, count: number) => {
  for (let n = 0; n < count; n++) {
    assert.isTrue(places.acquire(`${names}${n}`, key(`${names}${n}`), 0))
    places.noteProcessed(`${names}${n}`, 0)
    places.release(`${names}${n}`)
  }
}

describe("DeliveryPlaces", () => {
  it("are 32 for those that are known to be quick, and 8 for any other", () => {
    const places = new DeliverySlots()
    assert.strictEqual(beginMany(places, "other", 10, 0), 8)
    assert.isTrue(places.hasUnserved)
    for (let n = 0; n < 8; n++) places.release(`other${n}`)
    known(places, "quick", 40)
    assert.strictEqual(beginMany(places, "other", 10, 0), 8)
    assert.isFalse(places.isFull)
    assert.strictEqual(beginMany(places, "quick", 40, 0), 32)
    assert.isTrue(places.isFull)
    places.release("quick0")
    assert.isTrue(places.acquire("quick39", key("quick39"), 0))
    places.release("quick39")
    assert.isFalse(places.acquire("quick1", key("quick1"), 0))
  })

  it("are 8 for one integration", () => {
    const places = new DeliverySlots()
    known(places, "a", 1)
    assert.deepStrictEqual(
      Array.from({ length: 9 }, (_, n) => places.acquire(`${n}`, key("a0"), 0)),
      [true, true, true, true, true, true, true, true, false]
    )
    assert.deepStrictEqual(places.saturatedGroups(), [key("a0")])
  })

  it("are kept until all was heard, but where somebody waits for one of the kind", () => {
    const places = new DeliverySlots()
    known(places, "quick", 1)
    places.acquire("quick0", key("quick0"), 0)
    assert.strictEqual(beginMany(places, "other", 8, 0), 8)
    assert.isTrue(places.mayKeep("other0"))
    beginMany(places, "late", 1, 0)
    assert.isTrue(places.hasUnserved)
    assert.isFalse(places.mayKeep("other0"))
    assert.isTrue(places.mayKeep("quick0"))
    places.update(0)
    assert.isTrue(places.mayKeep("other0"))
    assert.isFalse(places.hasUnserved)
  })

  it("are given up by a few that take longer than a second, which go on beside, and have a turn of one go", () => {
    const places = new DeliverySlots()
    assert.strictEqual(beginMany(places, "slow", 8, 0), 8)
    places.update(1_000)
    assert.strictEqual(beginMany(places, "other", 1, 1_000), 0)
    places.update(1_001)
    assert.strictEqual(beginMany(places, "other", 8, 1_001), 4)
    assert.isFalse(places.mayKeep("slow0"))
    places.update(3_000)
    assert.strictEqual(beginMany(places, "third", 8, 3_000), 0)
    places.release("slow0")
    places.update(3_000)
    assert.strictEqual(beginMany(places, "third", 8, 3_000), 1)
  })

  it("are of the quick ones again for who is quick, and of the others for who is slow", () => {
    const places = new DeliverySlots()
    known(places, "a", 1)
    assert.strictEqual(beginMany(places, "other", 8, 0), 8)
    assert.isTrue(places.acquire("a0", key("a0"), 0))
    places.noteProcessed("a0", 2_000)
    assert.isFalse(places.mayKeep("a0"))
    places.release("a0")
    assert.isFalse(places.acquire("a0", key("a0"), 2_000))
    places.noteProcessed("other0", 500)
    places.release("other0")
    assert.isTrue(places.acquire("a0", key("a0"), 2_000))
    assert.isTrue(places.acquire("other0", key("other0"), 2_000))
    places.noteProcessed("a0", 2_100)
    places.release("a0")
    assert.isTrue(places.acquire("late", key("late"), 2_100))
    assert.isTrue(places.acquire("a0", key("a0"), 2_100))
  })

  it("are all given up by those that were quick before", () => {
    const places = new DeliverySlots()
    known(places, "quick", 33)
    assert.strictEqual(beginMany(places, "quick", 33, 0), 32)
    places.update(2_000)
    assert.isTrue(places.acquire("quick32", key("quick32"), 2_000))
    assert.strictEqual(beginMany(places, "other", 9, 2_000), 8)
    assert.isFalse(places.mayKeep("quick0"))
    places.release("quick0")
    assert.isFalse(places.acquire("quick0", key("quick0"), 2_000))
  })

  it("are not given up for the time in which others leave no room", () => {
    const places = new DeliverySlots()
    places.acquire("a", key("a"), 0)
    places.stopTime("a")
    places.update(20_000)
    places.startTime("a", 20_000)
    places.update(20_500)
    places.noteProcessed("a", 21_000)
    assert.isTrue(places.mayKeep("a"))
    places.stopTime("a")
    places.noteProcessed("a", 50_000)
    assert.isTrue(places.mayKeep("a"))
  })

  it("are never more than there are, and all are given back", () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("begin", "heard", "end", "look", "waits"), fc.nat(120), fc.nat(3_000)), {
          maxLength: 400
        }),
        (steps) => {
          const places = new DeliverySlots()
          const at = new Set<number>()
          let now = 0
          for (const [step, n, millis] of steps) {
            now += millis
            const receiver = `r${n}`
            if (step === "begin" && places.acquire(receiver, key(`i${n % 20}`), now)) at.add(n)
            else if (step === "heard") places.noteProcessed(receiver, now)
            else if (step === "waits") places.stopTime(receiver)
            else if (step === "look") places.update(now)
            else if (step === "end") {
              places.release(receiver)
              at.delete(n)
            }
            assert.isAtMost(at.size, 32 + 8 + 64)
            const ofOne = Map.groupBy(at, (n) => n % 20)
            for (const [, some] of ofOne) assert.isAtMost(some.length, 8)
          }
          for (const n of at) places.release(`r${n}`)
          assert.strictEqual(beginMany(places, "new", 40, now), 8)
        }
      ),
      runs(200)
    ))
})
