/**
 * Port for the key that everything secret is sealed with (see `Secrets`). It is never in the database, so a
 * backup can be read without reading a secret. An adapter brings this port along, since it knows where its
 * data is; for a host that keeps keys in a place of its own there is `given`.
 *
 * Limits: 32 to 256 characters of printable ASCII without spaces, made from a random source.
 */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import * as Text from "../schema/Text.ts"

/** The key can't be used, or there is none and the data has been sealed with one. */
export class SecretKeyRefused extends Schema.TaggedError<SecretKeyRefused>()("SecretKeyRefused", {
  message: Schema.String
}) {}

export const SecretKeyText = Text.chosenSecret

export class SecretKey extends Context.Service<
  SecretKey,
  {
    /** The key's location, as a sentence names it. */
    readonly place: string
    /** The keys that may be the data's, none where there is none yet: one, and one that is to take its place. */
    readonly find: Effect.Effect<ReadonlyArray<Redacted.Redacted>, SecretKeyRefused>
    /** Keeps a new key for good and answers it, or the one that another process has kept meanwhile. */
    readonly keep: (fresh: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, SecretKeyRefused>
    /** The key that is to take the place of the one there is: this one, kept beside it, or one that was there before. */
    readonly prepare: (fresh: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, SecretKeyRefused>
    /** The key that was prepared takes the place of the one before, which is gone then. */
    readonly replace: Effect.Effect<void, SecretKeyRefused>
  }
>()("@lectern/core/identity/SecretKey") {
  /** A key that the host keeps, and where a sentence says that it is; and the one that is to take its place. */
  static readonly given = (
    key: Redacted.Redacted,
    place = "the option secretKey",
    next?: Redacted.Redacted
  ): SecretKey["Service"] =>
    SecretKey.of({
      place,
      find: Effect.succeed(next === undefined ? [key] : [key, next]),
      keep: () => Effect.succeed(key),
      prepare: () =>
        next === undefined
          ? Effect.fail(new SecretKeyRefused({ message: `The key that is to take the place of ${place} is not given` }))
          : Effect.succeed(next),
      replace: Effect.void
    })

  /** A key that ends with the process, for data that does. */
  static readonly layerInMemory = Layer.sync(SecretKey, () => {
    let kept: Redacted.Redacted | undefined
    let next: Redacted.Redacted | undefined
    return SecretKey.of({
      place: "the memory of the process",
      find: Effect.sync(() => [kept, next].filter((key) => key !== undefined)),
      keep: (fresh) => Effect.sync(() => (kept ??= fresh)),
      prepare: (fresh) => Effect.sync(() => (next ??= fresh)),
      replace: Effect.sync(() => {
        kept = next ?? kept
        next = undefined
      })
    })
  })
}
