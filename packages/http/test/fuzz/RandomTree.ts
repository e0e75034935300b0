/** Documents as JSON: valid blocks of every type, with invalid or misplaced values in them. */
import * as fc from "fast-check"
import { rows } from "../../../document/test/markdown/Vocabulary.ts"
import { hostile, type Json, mutated, type Mutation, mutation } from "./Values.ts"

const blocks = rows.flatMap((row) => row.blocks) as ReadonlyArray<Json>

const refs: ReadonlyArray<Json> = [
  { kind: "url", url: "javascript:alert(1)" },
  { kind: "page", page: "x", space: "y" },
  { kind: "anchor", anchor: "x", page: "y" },
  { kind: "anchor", anchor: "x", page: null },
  { kind: "anchor", anchor: 1, page: [], space: {} },
  { kind: "reusable-content", reusableContent: "x" },
  { kind: "openapi", spec: "x" },
  { kind: "user", user: null },
  { kind: "constructor" },
  { kind: ["url"], url: "x" },
  { url: "x" },
  null
]

/** A block or a reference instead of any value. */
const graft: fc.Arbitrary<Mutation> = fc.record({
  way: fc.array(fc.nat(20), { minLength: 1, maxLength: 12 }),
  change: fc.oneof(
    fc.constantFrom(...blocks).map((by) => ({ by })),
    fc.constantFrom(...refs).map((by) => ({ by })),
    fc.constantFrom(...refs).map((value) => ({ add: "ref", value })),
    hostile.map((by) => ({ by }))
  )
})

const deepMutation: fc.Arbitrary<Mutation> = fc
  .tuple(mutation, fc.array(fc.nat(20), { maxLength: 8 }))
  .map(([{ change, way }, more]) => ({ change, way: [...way, ...more] }))

export const tree: fc.Arbitrary<Json> = fc
  .tuple(
    fc.array(fc.constantFrom(...blocks), { minLength: 1, maxLength: 4 }),
    fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 4, arbitrary: fc.array(fc.oneof(graft, deepMutation), { minLength: 1, maxLength: 4 }) }
    )
  )
  .map(([nodes, mutations]) =>
    mutations.reduce<Json>(mutated, { object: "document", data: { schemaVersion: 1 }, nodes })
  )
