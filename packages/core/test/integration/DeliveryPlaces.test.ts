/** Receivers that are told events: who gets a place, and who makes room. */
import { assert, describe, it } from "@effect/vitest"
import { DeliveryPlaces } from "@lectern/core/integration/DeliveryPlaces"
import type { IntegrationKey } from "@lectern/core/integration/Integration"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const key = (name: string) => name as IntegrationKey

/** Begins so many receivers, each of an integration of its own. */
const beginMany = (places: DeliveryPlaces, names: string, count: number, now: number): number =>
  Array.from({ length: count }, (_, n) => places.begin(`${names}${n}`, key(`${names}${n}`), now)).filter(Boolean).length

describe("DeliveryPlaces", () => {
  it("are 32, 8 of them for one integration, and one for each receiver", () => {
    const places = new DeliveryPlaces()
    assert.deepStrictEqual(
      Array.from({ length: 9 }, (_, n) => places.begin(`a${n}`, key("a"), 0)),
      [true, true, true, true, true, true, true, true, false]
    )
    assert.deepStrictEqual(places.passedOver(), [key("a")])
    assert.strictEqual(beginMany(places, "b", 30, 0), 24)
    places.end("b0")
    assert.isTrue(places.begin("c", key("c"), 0))
    places.end("c")
    assert.isFalse(places.begin("b1", key("b1"), 0))
  })

  it("are kept until all was heard, but where somebody waits", () => {
    const places = new DeliveryPlaces()
    places.begin("a", key("a"), 0)
    assert.isTrue(places.keeps("a"))
    beginMany(places, "b", 32, 0)
    assert.isTrue(places.isLeft)
    assert.isFalse(places.keeps("a"))
    places.end("a")
    places.look(0)
    assert.isTrue(places.keeps("b0"))
    assert.isFalse(places.isLeft)
  })

  it("are given up by whoever takes longer than a second, which goes on", () => {
    const places = new DeliveryPlaces()
    assert.strictEqual(beginMany(places, "slow", 32, 0), 32)
    places.look(1_000)
    assert.strictEqual(beginMany(places, "other", 1, 1_000), 0)
    places.look(1_001)
    assert.strictEqual(beginMany(places, "other", 32, 1_001), 32)
    assert.isFalse(places.keeps("slow0"))
    // 64 make room, and no more.
    places.look(3_000)
    assert.strictEqual(beginMany(places, "third", 32, 3_000), 32)
    places.look(5_000)
    assert.strictEqual(beginMany(places, "fourth", 32, 5_000), 0)
  })

  it("are few for integrations that were slow twice in a row, until one of them is quick", () => {
    const places = new DeliveryPlaces()
    for (const now of [0, 10_000]) {
      assert.strictEqual(beginMany(places, "slow", 20, now), 20)
      for (let n = 0; n < 20; n++) {
        places.heard(`slow${n}`, now + 2_000)
        places.end(`slow${n}`)
      }
    }
    assert.strictEqual(beginMany(places, "slow", 20, 20_000), 8)
    assert.lengthOf(places.passedOver(), 20)
    assert.strictEqual(beginMany(places, "other", 32, 20_000), 32)
    places.heard("slow0", 20_100)
    assert.isFalse(places.keeps("slow0"))
    places.end("slow0")
    places.end("other0")
    assert.isTrue(places.begin("slow0", key("slow0"), 20_200))
    assert.isTrue(places.begin("slow8", key("slow8"), 20_200))
    assert.isFalse(places.begin("slow9", key("slow9"), 20_200))
  })

  it("are not given up for the time in which others leave no room", () => {
    const places = new DeliveryPlaces()
    for (const now of [0, 100_000, 200_000]) {
      assert.isTrue(places.begin("a", key("a"), now))
      places.waits("a")
      places.look(now + 20_000)
      places.found("a", now + 20_000)
      places.look(now + 20_500)
      places.heard("a", now + 21_000)
      assert.isTrue(places.keeps("a"))
      places.end("a")
    }
    places.begin("a", key("a"), 300_000)
    places.waits("a")
    places.heard("a", 320_000)
    assert.isTrue(places.keeps("a"))
  })

  it("are never more than there are, and all are given back", () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("begin", "heard", "end", "look"), fc.nat(120), fc.nat(3_000)), {
          maxLength: 400
        }),
        (steps) => {
          const places = new DeliveryPlaces()
          const at = new Set<number>()
          let now = 0
          for (const [step, n, millis] of steps) {
            now += millis
            const receiver = `r${n}`
            if (step === "begin" && places.begin(receiver, key(`i${n % 20}`), now)) at.add(n)
            else if (step === "heard") places.heard(receiver, now)
            else if (step === "look") places.look(now)
            else if (step === "end") {
              places.end(receiver)
              at.delete(n)
            }
            assert.isAtMost(at.size, 32 + 64)
            const ofOne = Map.groupBy(at, (n) => n % 20)
            for (const [, some] of ofOne) assert.isAtMost(some.length, 8)
          }
          for (const n of at) places.end(`r${n}`)
          places.look(now)
          for (let n = 0; n < 120; n++) places.heard(`r${n}`, now)
          assert.strictEqual(beginMany(places, "new", 40, now), 32)
        }
      ),
      runs(200)
    ))
})
