/**
 * Sign-in for people as an extension of Lectern: links, passwords, passkeys, second factors and sessions of browsers.
 * `SignInApp` draws the pages.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db", extensions: [SignIn.extension()] })
 * const { url } = await lectern.signIn.links.create(user.id, "sign-in")
 * ```
 *
 * The option `signInWays` of Lectern names the ways that are on. Passwords also need a `PasswordHasher`, and passkeys a
 * `PasskeyProtocol`.
 */
import type { Extension } from "@lectern/core/Extension"
import { JobHandlers } from "@lectern/core/job/JobHandlers"
import { removeOlder, scheduled } from "@lectern/core/job/Schedule"
import type { LecternServices } from "@lectern/core/Lectern"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { offer } from "@lectern/core/Services"
import { PasskeyChallengeUseTable } from "@lectern/core/sign-in/Passkey"
import { SignInLinkTable } from "@lectern/core/sign-in/SignInLink"
import { Duration, Effect, Layer } from "effect"
import { SignInAttempts } from "./attempt/SignInAttempts.ts"
import { LinkMails } from "./link/LinkMails.ts"
import { SignInLinks } from "./link/SignInLinks.ts"
import { SecondFactors } from "./factor/SecondFactors.ts"
import { PasskeyProtocol } from "./passkey/PasskeyProtocol.ts"
import { Passkeys } from "./passkey/Passkeys.ts"
import { PasswordHasher } from "./password/PasswordHasher.ts"
import { Passwords } from "./password/Passwords.ts"
import { SignInProviders } from "./provider/SignInProviders.ts"
import { SignInSteps } from "./step/SignInSteps.ts"

export interface SignInOptions {
  /** Hashes passwords. Default: passwords are unavailable. */
  readonly passwordHasher?: Layer.Layer<PasswordHasher>
  /** Verifies passkeys. Default: passkeys are unavailable. */
  readonly passkeyProtocol?: Layer.Layer<PasskeyProtocol>
}

export const optionNames: OptionNames<SignInOptions> = { passwordHasher: true, passkeyProtocol: true }

const removeEndedLinks = scheduled(
  "remove-ended-sign-in-links",
  { hours: 1 },
  removeOlder(SignInLinkTable, Duration.zero, (until) => ({ until }))
)

const removeEndedChallenges = scheduled(
  "remove-ended-passkey-challenges",
  { hours: 1 },
  removeOlder(PasskeyChallengeUseTable, Duration.zero, (until) => ({ until }))
)

/** Registers the handlers of all jobs. */
const jobs = Layer.effectDiscard(
  Effect.gen(function* () {
    const { add } = yield* JobHandlers
    yield* add(yield* removeEndedLinks)
    yield* add(yield* removeEndedChallenges)
  })
)

const services = jobs.pipe(
  Layer.provideMerge(Layer.mergeAll(Passwords.layer, LinkMails.layer, Passkeys.layer)),
  Layer.provideMerge(Layer.mergeAll(SignInLinks.layer, SignInProviders.layer, SignInSteps.layer, SignInAttempts.layer)),
  Layer.provideMerge(SecondFactors.layer)
)

const layer = ({
  passwordHasher = PasswordHasher.layer,
  passkeyProtocol = PasskeyProtocol.layer
}: SignInOptions = {}) =>
  services.pipe(Layer.provideMerge(Layer.merge(passwordHasher, passkeyProtocol))) satisfies Layer.Layer<
    never,
    never,
    LecternServices
  >

/** Services of the extension, and its ports. */
export type SignInServices = Layer.Success<ReturnType<typeof layer>>

/** Services for hosts without Effect, by their names in `EmbeddedLectern`. */
const offered = {
  "signIn.links": offer(SignInLinks, "outsideTransaction"),
  "signIn.passwords": offer(Passwords, "outsideTransaction")
}

export type SignIn = Extension<SignInServices, typeof offered>

/** Creates the extension. Throws `InvalidInput` for an unknown option. */
export const extension = (options: SignInOptions = {}): SignIn => {
  checkOptions(optionNames, options)
  return { layer: layer(options), offered }
}
