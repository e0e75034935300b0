/**
 * Port for the secret key that encrypts secrets (see `Secrets`). The key is never stored in the database, so a backup
 * reveals no secret. Storage adapters provide the port next to their data. A host with its own key store uses `fromKeys`.
 *
 * Limits: 32 to 256 characters of printable ASCII without spaces, from a random source.
 */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import * as Text from "../schema/Text.ts"

/** Raised if the key cannot be used, or is missing although data was encrypted with one. */
export class InvalidSecretKey extends Schema.TaggedError<InvalidSecretKey>()("InvalidSecretKey", {
  message: Schema.String
}) {}

export const SecretKeyText = Text.chosenSecret

export class SecretKey extends Context.Service<
  SecretKey,
  {
    /** Location of the key, for messages. */
    readonly location: string
    /**
     * Returns the stored keys: an empty list before the first key, one key, or two during a rotation (current and
     * next).
     */
    readonly find: Effect.Effect<ReadonlyArray<Redacted.Redacted>, InvalidSecretKey>
    /**
     * Stores a new key permanently and returns it. Returns the stored key instead if another process has stored a key
     * in the meantime.
     */
    readonly store: (newKey: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, InvalidSecretKey>
    /**
     * Stores the next key for a rotation and returns it. Returns the prepared key instead if a key is already prepared.
     */
    readonly prepare: (newKey: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, InvalidSecretKey>
    /** Replaces the current key by the prepared one. */
    readonly replace: Effect.Effect<void, InvalidSecretKey>
  }
>()("@lectern/core/identity/SecretKey") {
  /** Uses keys of the host. `location` names their location in messages; `next` is the next key during a rotation. */
  static readonly fromKeys = (
    key: Redacted.Redacted,
    location = "the option secretKey",
    next?: Redacted.Redacted
  ): SecretKey["Service"] =>
    SecretKey.of({
      location,
      find: Effect.succeed(next === undefined ? [key] : [key, next]),
      store: () => Effect.succeed(key),
      prepare: () =>
        next === undefined
          ? Effect.fail(new InvalidSecretKey({ message: `No next key is given for ${location}` }))
          : Effect.succeed(next),
      replace: Effect.void
    })

  /** Stores the key in memory, for stores that are also in memory. */
  static readonly layerInMemory = Layer.sync(SecretKey, () => {
    let cachedKey: Redacted.Redacted | undefined
    let next: Redacted.Redacted | undefined
    return SecretKey.of({
      location: "the memory of the process",
      find: Effect.sync(() => [cachedKey, next].filter((key) => key !== undefined)),
      store: (newKey) => Effect.sync(() => (cachedKey ??= newKey)),
      prepare: (newKey) => Effect.sync(() => (next ??= newKey)),
      replace: Effect.sync(() => {
        cachedKey = next ?? cachedKey
        next = undefined
      })
    })
  })
}
