/** A Lectern with a mail server in memory, whose replies a test decides. */
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { paragraph, type MailContent } from "@lectern/core/mail/MailContent"
import { mailKind, mailRenderer, type RenderedMail } from "@lectern/core/mail/MailKind"
import type { MailLimitOptions } from "@lectern/core/mail/MailLimits"
import {
  type MailRefused,
  MailTransport,
  type MailUnavailable,
  type OutgoingMail
} from "@lectern/core/mail/MailTransport"
import { Mails } from "@lectern/core/mail/Mails"
import { Context, Effect, Layer, Schema } from "effect"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { memoryLayer } from "../Adapters.ts"

const storages = {
  memory: memoryLayer,
  sqlite: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))
}

/** Mails that arrived, and the reply to the next ones. */
export class Mailbox extends Context.Service<
  Mailbox,
  {
    readonly arrived: Array<OutgoingMail>
    reply: (mail: OutgoingMail) => Effect.Effect<void, MailRefused | MailUnavailable>
  }
>()("@lectern/core/test/mail/Mailbox") {
  static readonly layer = Layer.sync(Mailbox, () => ({ arrived: [], reply: () => Effect.void }))
}

const transport = Layer.effect(
  MailTransport,
  Effect.map(Mailbox, (mailbox) =>
    MailTransport.of({
      sender: { name: "Lectern", address: "lectern@example.com" },
      send: (mail) => Effect.tap(mailbox.reply(mail), () => Effect.sync(() => mailbox.arrived.push(mail)))
    })
  )
)

export const layerOf = (storage: keyof typeof storages, mailLimits: Partial<MailLimitOptions> = {}) =>
  Layer.unwrap(
    Effect.map(Mailbox, (mailbox) =>
      Lectern.layer({
        hasher: NodeHasher.layer,
        mail: transport.pipe(Layer.provide(Layer.succeed(Mailbox, mailbox))),
        mailLimits
      })
    )
  ).pipe(
    Layer.provideMerge(Mailbox.layer),
    Layer.provideMerge(storages[storage] as (typeof storages)["memory"]),
    Layer.merge(Layer.succeed(CurrentActor, host))
  )

export const adapters = { memory: "memory", sqlite: "sqlite" } as const

/** Kind of the mails of these tests, and its urgent sibling. */
export const Note = mailKind("note", Schema.Struct({ text: Schema.String }))
export const UrgentNote = mailKind("urgent-note", Schema.Struct({ text: Schema.String }), { urgent: true })

type Render = (mail: RenderedMail<{ readonly text: string }>) => Effect.Effect<MailContent | undefined, unknown>

export const noteContent: Render = ({ payload: { text } }) =>
  Effect.succeed({ subject: text, blocks: [paragraph(text)], reason: "You wrote a note at" })

/** Registers the renderers of both kinds. */
export const registerNotes = Effect.fnUntraced(function* (render: Render = noteContent) {
  const { addRenderer } = yield* Mails
  yield* addRenderer(mailRenderer(Note, render))
  yield* addRenderer(mailRenderer(UrgentNote, render))
})

/** Runs all work that is due now. */
export const work = JobWorker.use(({ runDue }) => runDue)
