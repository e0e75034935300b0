/** Renderers of mails by kind in this process. A mail waits while no process has a renderer for its kind. */
import { Context, Effect, Layer } from "effect"
import type { MailRenderer } from "./MailKind.ts"

export class MailKinds extends Context.Service<
  MailKinds,
  {
    /** Registers the renderer of a kind. */
    readonly add: (renderer: MailRenderer) => Effect.Effect<void>
    /** Renderers by kind. A live view: later registrations appear. */
    readonly byKind: ReadonlyMap<string, MailRenderer>
  }
>()("@lectern/core/mail/MailKinds") {
  static readonly layer = Layer.sync(MailKinds, () => {
    const byKind = new Map<string, MailRenderer>()
    return MailKinds.of({
      byKind,
      add: (renderer) =>
        Effect.suspend(() => {
          if (byKind.has(renderer.kind)) return Effect.die(new Error(`The mail "${renderer.kind}" has two renderers`))
          byKind.set(renderer.kind, renderer)
          return Effect.void
        })
    })
  })
}
