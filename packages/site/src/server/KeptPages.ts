/**
 * Drawings of pages, kept for as long as what they are made of is the same. What the core answers is the very same
 * object while nothing of it has changed, so inputs are compared by identity: no time has to pass, and nothing is
 * told to let go of a drawing.
 *
 * Limit: the bytes of the drawings used last, with room for what they come to when compressed.
 */
import { Lru } from "@lectern/core/storage/Lru"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import type { HttpBody } from "effect/http"

export interface Drawing {
  readonly body: HttpBody.HttpBody
  /** Bytes of the body. */
  readonly length: number
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** False where something in it was not there yet: it is drawn again the next time. */
  readonly isWhole: boolean
}

interface Kept {
  /** Ids of the inputs (see `make`). */
  readonly inputs: string
  readonly drawing: Drawing
}

/** Memory beside the text (bytes). */
const overhead = 2_000
/** A page compresses to a fifth, in two encodings. */
const withCompressed = 1.5

export const make = (bytes: number) => {
  const kept = new Lru<string, Kept>(bytes)
  const flights = new SingleFlight<string, Drawing, StorageError>()
  /**
   * Ids of input objects. A cached page holds these ids and not the inputs, since an input may be the tree of a whole
   * space in an outdated revision.
   */
  const ids = new WeakMap<object, number>()
  let last = 0
  const idOf = (input: unknown): string => {
    if (typeof input !== "object" || input === null) return JSON.stringify(input) ?? ""
    let id = ids.get(input)
    if (id === undefined) ids.set(input, (id = ++last))
    return `#${id}`
  }
  return {
    /**
     * Returns the cached page by its name, or renders it if its inputs changed. Concurrent requests share one
     * rendering.
     */
    of: <R>(name: string, inputs: ReadonlyArray<unknown>, draw: Effect.Effect<Drawing, StorageError, R>) =>
      Effect.suspend(() => {
        const known = kept.get(name)
        const named = inputs.map(idOf).join(" ")
        if (known?.inputs === named) return Effect.succeed(known.drawing)
        const keeping = Effect.map(draw, (drawing) => {
          const size = Math.ceil(drawing.length * withCompressed) + 2 * (name.length + named.length) + overhead
          if (drawing.isWhole) kept.set(name, { inputs: named, drawing }, size)
          return drawing
        })
        return flights.run(`${name}\n${named}`, keeping)
      })
  }
}
