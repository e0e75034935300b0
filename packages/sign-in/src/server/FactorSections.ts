/** Sections of the overview of an account about passkeys and the second factor, with links to their pages. */
import { html } from "@lectern/site/html/Html"
import { Effect } from "effect"
import type { AccountSection } from "../account/AccountSections.ts"
import { SecondFactors } from "../factor/SecondFactors.ts"
import { Passkeys } from "../passkey/Passkeys.ts"
import { passkeysPath, secondFactorPath } from "./Paths.ts"

export const makeFactorSections = Effect.gen(function* () {
  const factors = yield* SecondFactors
  const passkeys = yield* Passkeys

  const sections: AccountSection = Effect.fnUntraced(function* ({ messages }, user) {
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
  return [sections]
})
