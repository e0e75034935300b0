/**
 * Serializes a text as a JSON string, UTF-8 in and out. Runs in a thread, since a long text would block the event loop.
 */
import * as Computation from "../thread/Computation.ts"

const small = 64 * 1024

export const StringifyText = Computation.make<Uint8Array, Uint8Array>({
  name: "stringify-text",
  isSmall: ({ length }) => length <= small,
  lengthOf: ({ length }) => length,
  run: (bytes) => new TextEncoder().encode(JSON.stringify(new TextDecoder().decode(bytes)))
})
