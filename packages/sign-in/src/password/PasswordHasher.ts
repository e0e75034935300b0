/**
 * Port for hashing passwords with argon2id. The hash contains its parameters and its salt. Default: hashing fails, so
 * passwords are unavailable. `NodePasswordHasher` of `@lectern/services-node` provides it.
 */
import { Context, Effect, Layer, type Redacted, Schema } from "effect"

/** Raised if the host provides no hashing of passwords, or if too many passwords wait to be hashed. Retry later. */
export class PasswordsUnavailable extends Schema.TaggedError<PasswordsUnavailable>()(
  "PasswordsUnavailable",
  { message: Schema.String },
  { httpApiStatus: 503 }
) {}

export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    /** False if the host provides no hashing. */
    readonly isAvailable: boolean
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, PasswordsUnavailable>
    /** Returns true if the password has the hash. Takes as long without a hash, and returns false. */
    readonly verify: (
      password: Redacted.Redacted,
      hash: string | undefined
    ) => Effect.Effect<boolean, PasswordsUnavailable>
  }
>()("@lectern/sign-in/password/PasswordHasher") {
  static readonly layer = Layer.sync(PasswordHasher, () => {
    const unavailable = Effect.fail(new PasswordsUnavailable({ message: "This server hashes no passwords" }))
    return PasswordHasher.of({ isAvailable: false, hash: () => unavailable, verify: () => unavailable })
  })
}
