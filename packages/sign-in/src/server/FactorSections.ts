/**
 * Sections of the overview of an account about passkeys and the second factor, with links to their pages. They are shown
 * only to sessions that may change the account.
 */
import type { UserRow } from "@lectern/core/user/User"
import { html } from "@lectern/site/html/Html"
import { Effect } from "effect"
import { SecondFactors } from "../factor/SecondFactors.ts"
import { Passkeys } from "../passkey/Passkeys.ts"
import type { PageRequest } from "./PageRequest.ts"
import { passkeysPath, secondFactorPath } from "./Paths.ts"

export const makeFactorSections = Effect.gen(function* () {
  const factors = yield* SecondFactors
  const passkeys = yield* Passkeys

  return Effect.fnUntraced(function* ({ messages }: PageRequest, user: UserRow) {
    const status = yield* factors.status(user.id)
    const cards = [
      ...(passkeys.isAvailable || status.passkeys > 0
        ? [[messages.passkeys.title, messages.passkeys.about, passkeysPath] as const]
        : []),
      [
        messages.factor.title,
        status.app === "confirmed" ? messages.app.on : messages.factor.about,
        secondFactorPath
      ] as const
    ]
    return html`${cards.map(
      ([title, text, path]) => html`
        <section class="card">
          <h2>${title}</h2>
          <p>${text}</p>
          <a class="button secondary" href="${path}">${title}</a>
        </section>
      `
    )}`
  })
})
