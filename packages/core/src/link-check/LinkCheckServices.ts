/** Lists the services that check links to other websites. The jobs run only if link checks are enabled. */
import { Effect } from "effect"
import { offer, type Services } from "../Services.ts"
import { checkLinks } from "./LinkChecking.ts"
import { ChecksLinks, LinkChecks } from "./LinkChecks.ts"
import { findLinks } from "./LinkFinding.ts"

const ifEnabled = <A, E, R>(job: Effect.Effect<A, E, R>) =>
  Effect.flatMap(ChecksLinks, (isOn) => (isOn ? job : Effect.undefined))

export const linkCheckServices = {
  jobs: [ifEnabled(checkLinks), ifEnabled(findLinks)],
  offered: {
    "content.linkChecks": offer(LinkChecks, {
      list: "outsideTransaction",
      broken: "internal"
    })
  }
} as const satisfies Services
