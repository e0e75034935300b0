/**
 * Queues mails. Queueing is part of the enclosing transaction, so a mail is sent if and only if its cause is committed.
 *
 * ```ts
 * yield* mails.queue(ReviewAsked, { to: { user }, key: `${review} ${user}`, payload: { review } })
 * ```
 *
 * If mail is not set up, queueing does nothing: the caller shows links to the people who may pass them on.
 *
 * Renderers and lists are registered in each process. A mail waits while no process has a renderer for its kind.
 */
import { Context, Effect, Layer, type Schema } from "effect"
import { Ids } from "../identity/Ids.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as Lease from "../job/Lease.ts"
import { WorkSignal } from "../job/WorkSignal.ts"
import type { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { MailId, type MailRow, MailTable } from "./Mail.ts"
import type { MailKind, MailRenderer } from "./MailKind.ts"
import { isListName, type MailList } from "./MailList.ts"
import { attemptMillis } from "./MailState.ts"
import { MailTransport } from "./MailTransport.ts"

/** Recipient: a user, at the address and in the language of the time when the mail is sent, or an address. */
export type MailTo =
  | { readonly user: UserId }
  | {
      readonly email: string
      /** Default: the language of the user with this address, or English. */
      readonly language?: InterfaceLanguage
    }

export interface QueuedMail<P, E = StorageError> {
  readonly to: MailTo
  /** Idempotency key, at most 200 characters. A second mail of the kind with this key is not queued for 30 days. */
  readonly key: string
  /** Payload, or an effect that runs only if the mail is queued, such as one that creates the secret of a link. */
  readonly payload: P | Effect.Effect<P, E>
}

export class Mails extends Context.Service<
  Mails,
  {
    /** True if mail is set up. */
    readonly isAvailable: boolean
    /** Queues a mail. Does nothing if mail is not set up, or if the kind has a mail with this key. */
    readonly queue: <P extends Schema.Json, E = StorageError>(
      kind: MailKind<P>,
      mail: QueuedMail<P, E>
    ) => Effect.Effect<void, E | StorageError>
    /** Registers the renderer of a kind. */
    readonly addRenderer: (renderer: MailRenderer) => Effect.Effect<void>
    /** Registers a list that users can unsubscribe from. */
    readonly addList: (list: MailList) => Effect.Effect<void>
    /** Renderers by kind. A live view: later registrations appear. */
    readonly renderers: ReadonlyMap<string, MailRenderer>
    /** Lists by name, in the order of registration. A live view: later registrations appear. */
    readonly lists: ReadonlyMap<string, MailList>
    /** Opens when a mail may be due. */
    readonly signal: WorkSignal
  }
>()("@lectern/core/mail/Mails") {
  static readonly layer = Layer.effect(
    Mails,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const secrets = yield* Secrets
      const isAvailable = (yield* MailTransport).sender !== undefined
      const mails = storage.repository(MailTable)
      const signal = new WorkSignal()
      const announce = signal.announce(storage)
      const renderers = new Map<string, MailRenderer>()
      const lists = new Map<string, MailList>()

      const insert = Effect.fnUntraced(function* <P extends Schema.Json, E>(
        { name, urgent }: MailKind<P>,
        { to, key, payload }: QueuedMail<P, E>
      ) {
        if ((yield* mails.count({ kind: name, key })) > 0) return
        const value: Schema.Json = Effect.isEffect(payload) ? yield* payload : payload
        const id = MailId.make(yield* ids.next)
        const now = yield* Timestamps.now
        const row: MailRow = {
          id,
          kind: name,
          key,
          ...to,
          payload: yield* secrets.seal(MailTable, { id }, "payload", value),
          urgent,
          status: "waiting",
          attempts: 0,
          lease: Lease.free(now),
          expiresAt: Timestamps.after(now, attemptMillis),
          createdAt: now,
          updatedAt: now
        }
        yield* mails.insert(row).pipe(cannotConflict)
        yield* announce
      })

      return Mails.of({
        isAvailable,
        signal,
        renderers,
        lists,

        queue: (kind, mail) => (isAvailable ? storage.transaction(insert(kind, mail)) : Effect.void),

        addRenderer: (renderer) =>
          Effect.suspend(() => {
            if (renderers.has(renderer.kind)) return Effect.die(new Error(`"${renderer.kind}" has two renderers`))
            renderers.set(renderer.kind, renderer)
            return Effect.void
          }),

        addList: (list) =>
          Effect.suspend(() => {
            if (lists.has(list.name) || !isListName(list.name)) {
              return Effect.die(new Error(`The list of mails "${list.name}" exists or has an invalid name`))
            }
            lists.set(list.name, list)
            return Effect.void
          })
      })
    })
  )
}
