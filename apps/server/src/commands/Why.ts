/** `lectern why <url>`: explains which rule decides about a visitor at a URL of a site. */
import { readFileSync } from "node:fs"
import { Explanations } from "@lectern/core/publishing/explanation/Explanations"
import type { CheckedRule } from "@lectern/core/publishing/explanation/Explanation"
import { makeSiteUrls } from "@lectern/core/publishing/urls/SiteUrls"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

/** Returns the visitor that `--as` names: an e-mail address, or a file with the claims as JSON. */
const visitorOf = (as: string) =>
  as.includes("@")
    ? Effect.succeed({ as })
    : Effect.try({
        try: () => ({ claims: readFileSync(as, "utf8") }),
        catch: (error) => new CommandFailed({ message: `${as} can't be read: ${fileErrorReason(error as Error)}` })
      })

const formatRule = ({ passed, message }: CheckedRule) => `${passed ? "ok" : "no"}  ${message}`

const titles = {
  visible: "The visitor sees the page.",
  hidden: "The visitor sees the page without this block.",
  redirect: "The visitor is redirected.",
  "sign-in": "The visitor is sent to sign in.",
  "not-found": "The visitor gets a 404."
} as const

export const Why = Command.make(
  "why",
  {
    ...dataFlags,
    url: Argument.String("url").pipe(Argument.withDescription("URL of a page of a site, with or without an anchor")),
    as: Flag.String("as").pipe(
      Flag.withDescription(
        "The visitor: an e-mail address, or a JSON file with signed claims. Default: a visitor without claims"
      ),
      Flag.optional
    )
  },
  (given) =>
    operate(
      given,
      Effect.gen(function* () {
        const url = URL.parse(given.url)
        if (url === null) return yield* new CommandFailed({ message: `${given.url} is not a URL` })
        const siteUrl = yield* (yield* makeSiteUrls).find(url)
        if (siteUrl === undefined) {
          return yield* new CommandFailed({
            message: `No site has the address ${url.host}${url.pathname}. To list the sites, run: lectern site list`
          })
        }
        const visitor = Option.isSome(given.as) ? yield* visitorOf(given.as.value) : {}
        const explanations = yield* Explanations
        const explanation = yield* explanations.explain(siteUrl.cachedSite.site.organization, {
          url: given.url,
          ...visitor
        })
        const { decision, outcome, redirect, rules } = explanation
        return {
          json: explanation,
          text: [
            `${titles[outcome]}${redirect === undefined ? "" : ` ${redirect}`}`,
            `${decision.reason ?? decision.rule}: ${decision.message}`,
            "",
            ...rules.map(formatRule)
          ].join("\n")
        }
      })
    )
).pipe(Command.withDescription("Explain why a visitor sees a page of a site, or not"))
