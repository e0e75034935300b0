/** Each function of the language and the platform that a program may spoil, while it logs a line. */
import { IntegrationRuntime, RunFailed, bufferedRun } from "@lectern/core/integration/IntegrationRuntime"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { programOf } from "./ProgramSteps.ts"

const atOnce = 300

/** Spoils some of the functions one after another, and answers what they are called and which of them said so by failing. */
const script = `
const { log } = console, { ownKeys, getPrototypeOf } = Reflect, { getOwnPropertyDescriptor, defineProperty } = Object
const seen = new Set(), found = []
const find = (of, path, depth) => {
  if (of === null || (typeof of !== "object" && typeof of !== "function") || seen.has(of) || depth > 4) return
  seen.add(of)
  for (const key of ownKeys(of)) {
    const own = getOwnPropertyDescriptor(of, key)
    const name = path + "." + (typeof key === "symbol" ? key.description : key)
    if (own.configurable && (typeof own.value === "function" || own.get)) found.push({ of, key, own, name })
    find(own.value, name, depth + 1)
  }
}
find(globalThis, "", 0)
for (const [name, one] of Object.entries({ array: [], text: "", map: new Map(), set: new Set() })) {
  const next = getPrototypeOf(one[Symbol.iterator]())
  find(next, name + " iterator", 3)
  find(getPrototypeOf(next), "iterator", 3)
}
find(getPrototypeOf(Uint8Array), "bytes", 2)
export default { fetch: async (request) => {
  const at = JSON.parse((await request.formData()).get("event"))
  const failed = []
  const some = found.slice(at, at + ${atOnce})
  const spoilt = () => { throw new Error("mine") }
  for (const { of, key, own, name } of some) {
    let hasFailed = false
    defineProperty(of, key, own.get ? { get: spoilt } : { value: spoilt })
    try { log(name) } catch { hasFailed = true }
    defineProperty(of, key, own)
    if (hasFailed) failed.push(name)
  }
  return Response.json({ names: some.map(({ name }) => name), failed })
} }`

layer(WorkerdRuntime.layer(), { excludeTestServices: true })("A program that spoils any one function", (it) => {
  it.effect("has its lines written, or is told that they can't be", () =>
    Effect.gen(function* () {
      const runtime = yield* IntegrationRuntime
      const program = programOf("spoils-lines", script)
      let at = 0
      for (let some = atOnce; some === atOnce;) {
        const { body, trace } = yield* bufferedRun(runtime)(
          program,
          { event: String(at), environment: "{}" },
          1024 * 1024
        )
        if (body instanceof RunFailed) return assert.fail(body.message)
        const { names, failed } = JSON.parse(new TextDecoder().decode(body))
        const { logs } = yield* trace
        const written = logs.map(({ message }) => message)
        assert.deepStrictEqual([...written, ...failed].toSorted(), names.toSorted())
        some = names.length
        at += some
      }
      assert.isAbove(at, 500)
    })
  )
})
