/**
 * Drawings of pages, kept for as long as what they are made of is the same. What the core answers is the very same
 * object while nothing of it has changed, so inputs are compared by identity: no time has to pass, and nothing is
 * told to let go of a drawing.
 *
 * Limit: the bytes of the drawings used last, with room for what they come to when compressed.
 */
import { Lru } from "@lectern/core/storage/Lru"
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
  readonly inputs: ReadonlyArray<unknown>
  readonly drawing: Drawing
}

/** Memory beside the text (bytes). */
const overhead = 2_000
/** A page compresses to a fifth, in two encodings. */
const withCompressed = 1.5

export const make = (bytes: number) => {
  const kept = new Lru<string, Kept>(bytes)
  return {
    /** The drawing by this name, drawn anew where it is of other inputs. */
    of: <E, R>(name: string, inputs: ReadonlyArray<unknown>, draw: Effect.Effect<Drawing, E, R>) =>
      Effect.suspend(() => {
        const known = kept.get(name)
        const isSame =
          known !== undefined &&
          known.inputs.length === inputs.length &&
          known.inputs.every((input, i) => input === inputs[i])
        if (isSame) return Effect.succeed(known.drawing)
        return Effect.tap(draw, (drawing) => {
          if (!drawing.isWhole) return Effect.void
          const { length } = drawing
          kept.set(name, { inputs, drawing }, Math.ceil(length * withCompressed) + 2 * name.length + overhead)
          return Effect.void
        })
      })
  }
}
