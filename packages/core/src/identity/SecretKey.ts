/**
 * Where the key is kept that everything secret is sealed with (see `Secrets`): never in the database,
 * so that who reads a backup reads no secret. An adapter brings this port along, since it knows
 * where its data is; for a host that keeps keys in a place of its own there is `given`.
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
    /** Where it is, as a sentence names it. */
    readonly place: string
    /** The key; undefined where there is none yet. */
    readonly find: Effect.Effect<Redacted.Redacted | undefined, SecretKeyRefused>
    /** Keeps a new key for good and answers it, or the one that another process has kept meanwhile. */
    readonly keep: (fresh: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, SecretKeyRefused>
  }
>()("@lectern/core/identity/SecretKey") {
  /** A key that the host keeps, and where a sentence says that it is. */
  static readonly given = (
    key: Redacted.Redacted,
    place = "the secret key that the host gives"
  ): SecretKey["Service"] => SecretKey.of({ place, find: Effect.succeed(key), keep: () => Effect.succeed(key) })

  /** A key that ends with the process, for data that does. */
  static readonly layerInMemory = Layer.sync(SecretKey, () => {
    let kept: Redacted.Redacted | undefined
    return SecretKey.of({
      place: "the memory of the process",
      find: Effect.sync(() => kept),
      keep: (fresh) => Effect.sync(() => (kept ??= fresh))
    })
  })
}
