/** The heap of a process that makes much garbage stays near what it holds. */
import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { growthPercent } from "../src/HeapGrowth.ts"

/**
 * Holds 60 MB, and exchanges a part of it again and again, as caches do. What is made lives for a while, so most of
 * it gets old before it can go.
 */
const work = `
const { getHeapSpaceStatistics } = await import("node:v8")
const { setImmediate } = await import("node:timers/promises")
const sizes = () => Object.fromEntries(getHeapSpaceStatistics().map((space) => [space.space_name, space.space_size]))
const held = Array.from({ length: 1_000 })
let young = 0
let all = 0
for (let n = 0; n < 20_000; n++) {
  held[(n * 7) % held.length] = Array.from({ length: 500 }, (_, i) => ({ n, i }))
  if (n % 20 !== 0) continue
  await setImmediate()
  const now = sizes()
  young = Math.max(young, now.new_space)
  all = Math.max(all, now.new_space + now.old_space)
}
console.log(JSON.stringify({ young: young / 2 ** 20, all: all / 2 ** 20 }))
process.exit(0)
`

const grown = (before: string): { readonly young: number; readonly all: number } =>
  JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", before + work], {
      cwd: import.meta.dirname,
      encoding: "utf8"
    })
  )

/**
 * The young part is two halves that double: below 16 MB once more, which may make it 32. Beside them it counts pages
 * that a collection took when a half was full, some megabytes. One doubling more would make it 64, as V8's own rule does.
 */
const undoubled = 48

describe("The heap of a server", () => {
  it("may grow by 64 MB up to 160, at most to twice of what it holds, and by a fifth in any case", () => {
    const grownTo = (megabytes: number) => megabytes * (1 + growthPercent(megabytes * 2 ** 20) / 100)
    assert.deepStrictEqual([8, 64, 80, 100, 125, 160, 240].map(grownTo), [16, 128, 144, 160, 160, 192, 288])
  })

  it("takes little more than it holds", () => {
    const usual = grown("")
    const bounded = grown(
      'const growth = await import("../src/HeapGrowth.ts")\ngrowth.observeCollections()\ngrowth.limitOldSpace()\n'
    )
    assert.isBelow(bounded.young, undoubled)
    assert.isBelow(bounded.all, usual.all * 0.9)
  })
})
