/** The frame of every page: head, navigation of the account, and the main part. */
import { html, type Html, type HtmlValue, trusted } from "@lectern/site/html/Html"
import { accountPath, homePath, invitationsPath, sessionsPath, signOutPath, tokensPath } from "../server/Paths.ts"
import type { PageMessages } from "./PageMessages.ts"
import { style } from "./PageStyle.ts"

export interface Page {
  readonly title: string
  readonly main: HtmlValue
  /** Path of the page in the navigation of the account. Absent for pages without navigation. */
  readonly path?: string
  /** Script of the page, which its content security policy allows. Default: none. */
  readonly script?: string
}

export const renderPage = ({ title, main, path, script }: Page, messages: PageMessages): string =>
  `<!doctype html>\n${
    html`
      <html lang="${messages.language}" dir="${messages.direction}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${title} · Lectern</title>
          <style>
            ${trusted(style)}
          </style>
        </head>
        <body>
          <a class="skip" href="#main">${messages.skip}</a>
          <header>
            <div>
              <a class="brand" href="${homePath}">Lectern</a>
              ${path !== undefined && navigation(path, messages)}
            </div>
          </header>
          <main id="main" ${path !== undefined && trusted('class="wide"')}>${main}</main>
          ${
            script !== undefined &&
            html`
              <script>
                ${trusted(script)}
              </script>
            `
          }
        </body>
      </html>
    `.text
  }`

const navigation = (path: string, messages: PageMessages): Html => {
  const entries = [
    [accountPath, messages.account],
    [sessionsPath, messages.sessions],
    [tokensPath, messages.tokens],
    [invitationsPath, messages.invitations],
    [signOutPath, messages.signOut]
  ] as const
  return html`
    <nav aria-label="${messages.account}">
      ${entries.map(
        ([href, title]) => html`<a href="${href}"${href === path && trusted(' aria-current="page"')}>${title}</a>`
      )}
    </nav>
  `
}

/** Returns a notice above a form. */
export const notice = (text: string, isBad = false): Html =>
  html`<p class="notice${isBad && " bad"}" role="${isBad ? "alert" : "status"}">${text}</p>`
