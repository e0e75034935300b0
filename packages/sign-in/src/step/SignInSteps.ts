/**
 * The end of every way to sign in: starts the session, or requires the second factor first.
 *
 * A sign-in that needs a second factor gets a ticket, which the browser holds for 10 minutes. The ticket is signed by
 * this instance and contains the user and the method. It grants nothing without the factor. The ticket of a sign-in with
 * a provider of the server also names that sign-in, which the core resumes.
 */
import { Instance } from "@lectern/core/identity/Instance"
import { timingSafeEqual } from "@lectern/core/identity/TimingSafe"
import { OidcSignOn } from "@lectern/core/sso/OidcSignOn"
import type { StorageError } from "@lectern/core/storage/Storage"
import { type SessionStart, Sessions, type StartedSession } from "@lectern/core/token/Sessions"
import { SignInMethod } from "@lectern/core/token/Token"
import { UserId, type UserNotFound } from "@lectern/core/user/User"
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import { SecondFactors } from "../factor/SecondFactors.ts"
import { factorPath } from "../server/Paths.ts"

/** Lifetime of a ticket in ms. */
export const ticketLifetime = 10 * 60_000

const maxTicket = 512

/** User whose first factor was verified, with its client. */
export interface VerifiedSignIn extends Pick<SessionStart, "device" | "address" | "replaces"> {
  readonly user: UserId
  readonly method: SignInMethod
  /** True if the method itself shows two factors, such as a passkey that verified its person. Default: false. */
  readonly factor?: true
}

/** Result of a step: a session, or a ticket for the second factor. */
export type SignInResult = { readonly session: StartedSession } | { readonly factor: Redacted.Redacted }

/** Content of a ticket. */
export interface Ticket {
  readonly user: UserId
  readonly method: SignInMethod
  /** Sign-in with a provider of the server that continues after the factor (see `OidcSignOn.resume`). Absent otherwise. */
  readonly resumes?: string
}

/** Raised if the ticket is missing, expired or forged. The user has to start again. */
export class TicketEnded extends Schema.TaggedError<TicketEnded>()(
  "TicketEnded",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}

export class SignInSteps extends Context.Service<
  SignInSteps,
  {
    /**
     * Ends a sign-in whose first factor was verified.
     *
     * @throws {UserNotFound}
     */
    readonly complete: (signIn: VerifiedSignIn) => Effect.Effect<SignInResult, UserNotFound | StorageError>
    /**
     * Returns the content of a ticket, for the check of the second factor.
     *
     * @param ticket Ticket of `complete`.
     * @throws {TicketEnded}
     */
    readonly open: (ticket: string) => Effect.Effect<Ticket, TicketEnded>
    /**
     * Ends a sign-in whose second factor was verified.
     *
     * @param ticket Ticket of `complete`.
     * @throws {TicketEnded}
     * @throws {UserNotFound}
     */
    readonly completeFactor: (
      ticket: string,
      client: Pick<VerifiedSignIn, "device" | "address" | "replaces">
    ) => Effect.Effect<StartedSession, TicketEnded | UserNotFound | StorageError>
  }
>()("@lectern/sign-in/step/SignInSteps") {
  static readonly layer = Layer.effect(
    SignInSteps,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const instance = yield* Instance
      const factors = yield* SecondFactors
      const signOn = yield* OidcSignOn

      const sign = (text: string) => instance.sign("second factor", text).slice(0, 32)

      const open = Effect.fnUntraced(function* (ticket: string) {
        const [user = "", method, until = "", resumes = "", signature = "", ...rest] =
          ticket.length > maxTicket ? [] : ticket.split(".")
        const isValid =
          isMethod(method) &&
          rest.length === 0 &&
          timingSafeEqual(sign(`${user}.${method}.${until}.${resumes}`), signature) &&
          Number(until) > (yield* Clock.currentTimeMillis)
        if (!isValid) return yield* ended
        return { user: UserId.make(user), method, ...(resumes !== "" && { resumes }) }
      })

      /** Returns a ticket for the second factor. Undefined if no factor is due. */
      const ticketFor = Effect.fnUntraced(function* (user: UserId, method: SignInMethod, resumes = "") {
        if (!(yield* factors.status(user)).isDue) return undefined
        const text = `${user}.${method}.${(yield* Clock.currentTimeMillis) + ticketLifetime}.${resumes}`
        return Redacted.make(`${text}.${sign(text)}`)
      })

      yield* signOn.useFactors((user, resumes) =>
        Effect.map(
          ticketFor(user, "oidc", resumes),
          (ticket) => ticket && { ticket, seconds: ticketLifetime / 1000, path: factorPath }
        )
      )

      return SignInSteps.of({
        open,

        complete: Effect.fn("SignInSteps.complete")(function* ({ user, method, factor, ...client }) {
          const ticket = factor === undefined ? yield* ticketFor(user, method) : undefined
          if (ticket !== undefined) return { factor: ticket }
          return { session: yield* sessions.start(user, { method, ...(factor && { factor }), ...client }) }
        }),

        completeFactor: Effect.fn("SignInSteps.completeFactor")(function* (ticket, client) {
          const { user, method, resumes } = yield* open(ticket)
          if (resumes !== undefined) {
            return yield* signOn
              .resume(resumes, user, client)
              .pipe(
                Effect.catchTag(["SignOnRefused", "OidcProviderNotFound", "OidcProviderPending"], () =>
                  Effect.fail(ended)
                )
              )
          }
          return yield* sessions.start(user, { method, factor: true, ...client })
        })
      })
    })
  )
}

const isMethod = Schema.is(SignInMethod)

const ended = new TicketEnded({ message: "The sign-in has expired. Start again" })
