/** The heap of a process with the flags of a server stays near its live size, even if it makes much garbage. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { v8Flags } from "../../../bundle/V8Flags.ts"

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

const grown = (flags: ReadonlyArray<string>): { readonly young: number; readonly all: number } =>
  JSON.parse(execFileSync(process.execPath, [...flags, "--input-type=module", "-e", work], { encoding: "utf8" }))

/** Maximum size of the young space in MiB: two halves of 16, and pages that a collection moved. */
const maxYoung = 48

describe("The flags of V8", () => {
  it("keep the heap near its live size", () => {
    const [usual, bounded] = [grown([]), grown(v8Flags)]
    assert.isAtMost(bounded.young, maxYoung)
    assert.isBelow(bounded.all, usual.all * 0.9)
  })

  it("are those of the start script", () => {
    const { scripts } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"))
    assert.strictEqual(scripts.start, `node ${v8Flags.join(" ")} apps/server/src/main.ts serve`)
  })
})
