/**
 * Hashes passwords with the argon2id of Node.js, in its thread pool. Needs Node.js 24.7 or newer; with an older one
 * passwords are unavailable.
 *
 * Parameters: 19 MiB, two passes, one lane, 16 bytes of salt. A hash contains its parameters, so later ones may differ.
 * Limits: two hashes at a time, 100 waiting.
 */
import * as crypto from "node:crypto"
import { PasswordHasher, PasswordsUnavailable } from "@lectern/sign-in/password/PasswordHasher"
import { Effect, Layer, Redacted, Semaphore } from "effect"

const parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const saltLength = 16
const tagLength = 32
const maxConcurrent = 2
const maxWaiting = 100

interface ParsedHash {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly tag: Buffer
}

const pattern = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{22,172})$/

const parse = (hash: string): ParsedHash | undefined => {
  const [, memory, passes, parallelism, salt, tag] = pattern.exec(hash) ?? []
  return salt === undefined || tag === undefined
    ? undefined
    : {
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        salt: Buffer.from(salt, "base64"),
        tag: Buffer.from(tag, "base64")
      }
}

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "")

const serialize = ({ memory, passes, parallelism, salt, tag }: ParsedHash): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`

/** Computes the tag of a password, in the thread pool. */
const compute = (password: Redacted.Redacted, { salt, tag, ...options }: ParsedHash) =>
  Effect.callback<Buffer, PasswordsUnavailable>((resume) => {
    crypto.argon2(
      "argon2id",
      { message: Redacted.value(password).normalize("NFKC"), nonce: salt, tagLength: tag.length, ...options },
      (error, result) => resume(error === null ? Effect.succeed(result) : Effect.fail(failed))
    )
  })

const failed = new PasswordsUnavailable({ message: "Passwords can't be hashed at the moment" })
const busy = new PasswordsUnavailable({ message: "Too many passwords wait to be checked: retry later" })

const layer = Layer.unwrap(
  Effect.sync(() => {
    if (typeof crypto.argon2 !== "function") return PasswordHasher.layer
    const semaphore = Semaphore.makeUnsafe(maxConcurrent)
    let pending = 0
    /** Runs a computation when it is its turn. Fails if too many wait. */
    const inTurn = <A>(computation: Effect.Effect<A, PasswordsUnavailable>) =>
      Effect.suspend(() => {
        if (pending >= maxConcurrent + maxWaiting) return Effect.fail(busy)
        pending++
        return Effect.ensuring(
          semaphore.withPermits(1)(computation),
          Effect.sync(() => pending--)
        )
      })
    const newHash = (): ParsedHash => ({
      ...parameters,
      salt: crypto.randomBytes(saltLength),
      tag: Buffer.alloc(tagLength)
    })
    // Compared with if there is no hash. No password has it.
    const unusable = { ...newHash(), tag: crypto.randomBytes(tagLength) }
    return Layer.succeed(
      PasswordHasher,
      PasswordHasher.of({
        isAvailable: true,
        hash: (password) =>
          Effect.suspend(() => {
            const parts = newHash()
            return inTurn(Effect.map(compute(password, parts), (tag) => serialize({ ...parts, tag })))
          }),
        verify: (password, hash) => {
          const parsed = hash === undefined ? undefined : parse(hash)
          const expected = parsed ?? unusable
          return inTurn(
            Effect.map(
              compute(password, expected),
              (tag) => crypto.timingSafeEqual(tag, expected.tag) && parsed !== undefined
            )
          )
        }
      })
    )
  })
)

export const NodePasswordHasher = { layer }
