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
import { acceptedLanguage, type InterfaceLanguage, languageInfo } from "@lectern/core/schema/InterfaceLanguage"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { errorResponse } from "./Responses.ts"
import { escapeHtml, privateHeaders } from "./SignOnPages.ts"
import { wantsPage } from "./SignOnResponses.ts"
import type { PlainHandler } from "./Routes.ts"

const style =
  ":root{color-scheme:light dark;font:1rem/1.6 system-ui,sans-serif}body{max-width:36rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.75rem;line-height:1.2}form{margin:1rem 0}button{font:inherit;padding:.6rem 1rem;border:1px solid;border-radius:.5rem;background:none;color:inherit;cursor:pointer}"

/** Hash of `style`, for the content security policy. */
const styleHash = "sha256-x8cYiRsWlfyJGSfHHiTqACAhYxGuaxWm2+/ZD6bXzWc="

const headers = {
  ...privateHeaders,
  "content-security-policy": `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
}

interface Page {
  readonly title: string
  readonly text: string
  /** Labels of buttons, with the value of `scope` that they send. */
  readonly buttons?: ReadonlyArray<readonly [scope: "list" | "all", label: string]>
}

const pageIn = (language: InterfaceLanguage, { title, text, buttons = [] }: Page, status = 200) => {
  const info = languageInfo(language)
  return HttpServerResponse.text(
    [
      "<!doctype html>",
      `<html lang="${info.language}" dir="${info.direction}">`,
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="robots" content="noindex">',
      `<title>${escapeHtml(title)}</title>`,
      `<style>${style}</style>`,
      "<main>",
      `<h1>${escapeHtml(title)}</h1>`,
      `<p>${escapeHtml(text)}</p>`,
      // A form without an action posts to the URL of the page.
      ...buttons.map(
        ([scope, label]) =>
          `<form method="post"><button name="scope" value="${scope}">${escapeHtml(label)}</button></form>`
      ),
      "</main>",
      "</html>",
      ""
    ].join("\n"),
    { contentType: "text/html; charset=utf-8", status, headers }
  )
}

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
          ? pageIn(language, { title: texts.invalid, text: texts.invalidText }, 404)
          : errorResponse(404, texts.invalid, { headers: privateHeaders })
      }
      const withTitle = (text: string) => text.replace("{list}", () => subscription.list.title(language))
      if (request.method !== "POST") {
        return pageIn(language, {
          title: texts.title,
          text: withTitle(texts.confirm),
          buttons: [
            ["list", texts.one],
            ["all", texts.all]
          ]
        })
      }
      const form = new URLSearchParams(yield* Effect.orDie(request.text))
      const isAll = form.get("scope") === "all"
      yield* isAll ? subscription.endAll : subscription.endOne
      return pageIn(language, { title: texts.done, text: isAll ? texts.doneAll : withTitle(texts.doneOne) })
    }).pipe(Effect.orDie)

  return { [unsubscribePath]: handler }
})
