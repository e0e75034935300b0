/**
 * Sends links by mail. The work runs after the response, so neither the response nor its time depends on the existence
 * of a user with the address.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import { Context, Effect, Layer } from "effect"

export class LinkMails extends Context.Service<
  LinkMails,
  {
    /** False if this server sends no mail. */
    readonly isAvailable: boolean
    /** Sends a link to the user with an address. Does nothing for an address without a user. */
    readonly send: (email: string, purpose: "sign-in" | "password") => Effect.Effect<void, StorageError>
  }
>()("@lectern/sign-in/link/LinkMails") {
  static readonly layer = Layer.succeed(LinkMails, LinkMails.of({ isAvailable: false, send: () => Effect.void }))
}
