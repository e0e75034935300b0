/** Writes a text as a string of JSON, both as UTF-8: what takes a thread a moment would hold up all others here. */
import * as Computation from "../thread/Computation.ts"

const small = 64 * 1024

export const FoldText = Computation.make<Uint8Array, Uint8Array>({
  name: "fold-text",
  isSmall: ({ length }) => length <= small,
  lengthOf: ({ length }) => length,
  run: (bytes) => new TextEncoder().encode(JSON.stringify(new TextDecoder().decode(bytes)))
})
