/** WebAssembly takes no more memory than it is given. */
import { assert, describe, it } from "@effect/vitest"
import { withMemory } from "../src/rendering/WasmMemory.ts"

const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
/** An empty section of the module's own before it, and after it the memory's name for who runs it. */
const module = (memory: ReadonlyArray<number>) =>
  Uint8Array.from([...header, 0, 2, 1, 0x78, 5, memory.length, ...memory, 7, 5, 1, 1, 0x6d, 2, 0])

describe("withMemory", () => {
  it("limits the memory of a module", async () => {
    const limited = withMemory(module([1, 0, 1]), 200 * 64 * 1024)
    const { instance } = await WebAssembly.instantiate(limited as Uint8Array<ArrayBuffer>)
    const memory = instance.exports["m"] as WebAssembly.Memory
    assert.strictEqual(memory.grow(199), 1)
    assert.throws(() => memory.grow(1))
  })

  it("fails where there is no memory to be limited", () => {
    for (const bytes of [Uint8Array.from(header), module([1, 1, 1, 2]), module([0])]) {
      assert.throws(() => withMemory(bytes, 1024 * 1024), "Its memory can't be limited")
    }
  })
})
