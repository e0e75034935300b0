/**
 * Page that ends mails without signing in. `GET` only shows a button, because programs that check mails open their
 * links. `POST` ends the list of the URL, or all lists with `scope=all` in the body. Mail programs post
 * `List-Unsubscribe=One-Click` (RFC 8058).
 *
 * The page is in the language of the user, otherwise in that of the browser. Its URL is not passed on to other sites. An
 * invalid URL is a 404: a page for a browser, and JSON for other clients.
 */
import { mailTexts } from "@lectern/core/mail/MailTexts"
import { unsubscribePath } from "@lectern/core/mail/UnsubscribeUrls"
import { makeUnsubscribing } from "@lectern/core/mail/Unsubscribing"
import { acceptedLanguage } from "@lectern/core/schema/InterfaceLanguage"
import { Effect } from "effect"
import { page, privateHeaders } from "./PlainPages.ts"
import { errorResponse } from "./Responses.ts"
import type { PlainHandler } from "./Routes.ts"
import { wantsPage } from "./SignOnResponses.ts"

export const unsubscribeHandlers = Effect.gen(function* () {
  const find = yield* makeUnsubscribing

  const handler: PlainHandler = (request) =>
    Effect.gen(function* () {
      const query = new URLSearchParams(request.url.split("?")[1] ?? "")
      const valueOf = (name: string) => query.get(name) ?? ""
      const subscription = yield* find({
        user: valueOf("user"),
        list: valueOf("list"),
        signature: valueOf("signature")
      })
      const language = subscription?.language ?? acceptedLanguage(request.headers["accept-language"])
      const texts = mailTexts[language].unsubscribe
      if (subscription === undefined) {
        return wantsPage(request)
          ? page({ language, title: texts.invalid, paragraphs: [texts.invalidText] }, { status: 404 })
          : errorResponse(404, texts.invalid, { headers: privateHeaders })
      }
      const withTitle = (text: string) => text.replace("{list}", () => subscription.list.title(language))
      if (request.method !== "POST") {
        return page({
          language,
          title: texts.title,
          paragraphs: [withTitle(texts.confirm)],
          buttons: [
            { name: "scope", value: "list", label: texts.one },
            { name: "scope", value: "all", label: texts.all }
          ]
        })
      }
      const form = new URLSearchParams(yield* Effect.orDie(request.text))
      const isAll = form.get("scope") === "all"
      yield* isAll ? subscription.endAll : subscription.endOne
      return page({ language, title: texts.done, paragraphs: [isAll ? texts.doneAll : withTitle(texts.doneOne)] })
    }).pipe(Effect.orDie)

  return { [unsubscribePath]: handler }
})
