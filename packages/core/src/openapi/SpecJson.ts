/**
 * Parses the JSON of a spec with its numbers as written (see `SpecNumber`). A thread splits large JSON into pieces,
 * which are parsed in slices.
 */
import { Effect } from "effect"
import * as JsonPieces from "../schema/JsonPieces.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Computation from "../thread/Computation.ts"
import type { Threads, TooCostly } from "../thread/Threads.ts"
import * as SpecNumber from "./SpecNumber.ts"

/** Splits valid JSON, given as UTF-8, into pieces. */
export const SplitSpec = Computation.make<Uint8Array, JsonPieces.Piece>({
  name: "cut-spec",
  isSmall: ({ length }) => length <= JsonPieces.pieceLength,
  lengthOf: ({ length }) => length,
  run: (bytes) => {
    const text = new TextDecoder().decode(bytes)
    return text.length <= JsonPieces.pieceLength ? text : JsonPieces.splitValue(SpecNumber.parse(text))
  }
})

/** Parses valid JSON. */
export const parseInSlices = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  json: Uint8Array
): Effect.fn.Return<unknown, TooCostly | StorageError> {
  return yield* JsonPieces.join(yield* threads.run(SplitSpec, json), SpecNumber.parse)
})
