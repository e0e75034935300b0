/** Renders a page as a whole HTML document. Themes can replace its parts (see `slots`). */
import { Effect } from "effect"
import * as Blocks from "../document/Blocks.ts"
import type { Parts } from "../document/BlockRenderer.ts"
import { attributes, empty, type Html, html } from "../html/Html.ts"
import * as HtmlChunks from "../html/HtmlChunks.ts"
import * as CustomizationStyle from "../styling/CustomizationStyle.ts"
import * as PageActions from "./PageActions.ts"
import * as SiteHeader from "./SiteHeader.ts"
import { feedback } from "./Feedback.ts"
import * as Footer from "./Footer.ts"
import * as Head from "./Head.ts"
import type { Assets } from "./Head.ts"
import { previewBar } from "./PreviewBar.ts"
import * as PageElements from "./PageElements.ts"
import { tree } from "./PageTree.ts"
import * as ElementAssets from "./ElementAssets.ts"
import * as SearchPage from "./SearchPage.ts"
import type { Around, Link, SitePage } from "./SitePage.ts"
import * as Theme from "./Theme.ts"
import * as SiteScripts from "./SiteScripts.ts"
import * as LocalizedMessages from "./LocalizedMessages.ts"

export type { Assets } from "./Head.ts"

/** Id of the main element. No heading has an anchor with `~`. */
const contentId = "~content"

export const page = (shown: SitePage, assets: Assets): string =>
  pageWith(shown, assets, [contentOf(shown, assets).text]).text

/** Renders a page like `page`, but with pauses for other work. */
export const pageInSlices = (shown: SitePage, assets: Assets): Effect.Effect<HtmlChunks.Parts> =>
  Effect.flatMap(HtmlChunks.parts(contentOf(shown, assets)), (content) =>
    HtmlChunks.around(pageWith(shown, assets, content))
  )

const contentOf = (shown: SitePage, assets: Assets): Html =>
  Blocks.page(partsOf(shown, assets), shown.page.document.nodes)

const partsOf = ({ parts }: SitePage, { diagrams }: Assets): Parts => ({
  ...parts,
  drawsDiagrams: diagrams !== undefined
})

const pageWith = (shown: SitePage, assets: Assets, content: HtmlChunks.Parts): Html => {
  const { page, customization, parts } = shown
  const { words } = parts
  const sign = page.emoji ?? (page.icon === undefined ? undefined : parts.icon(page.icon))
  const tongue = tongueOf(shown)
  const { layout } = page
  const hasOutline = layout.outline && page.outline.length > 0
  const { slots = {} } = assets
  const hasAside = hasOutline || slots.aside !== undefined
  const look = ["frame", layout.tableOfContents && "with-tree", hasAside && "with-outline"]
  return documentOf(
    shown,
    assets,
    () => Head.head(shown, assets, ElementAssets.of(content, assets)),
    html`${page.cover?.isFull && PageElements.cover(shown)}
      <div class="${look.filter((name) => name !== false).join(" ")}">
        <main id="${contentId}"${attributes({ class: layout.width === "wide" && "wide", ...tongue })}>
          ${PageElements.breadcrumbs(shown)}
          ${page.cover?.isFull === false && PageElements.cover(shown)}
          <div class="page-head">
            ${layout.title && html`<h1${attributes({ id: page.titleId })}>${sign && html`<span class="emoji" aria-hidden="true">${sign}</span> `}${page.title}</h1>`}
            ${layout.actions && PageActions.actions(shown)}
          </div>
          ${layout.description && page.description && html`<p class="description">${page.description}</p>`}
          ${layout.outline && PageElements.foldedOutline(shown)}
          <div class="content">${HtmlChunks.joined(content)}${PageElements.below(shown)}</div>
          ${feedback(shown)}
          ${layout.pagination && customization.pagination.enabled && PageElements.pagination(shown)}
          <div class="page-end">
            ${layout.metadata && html`<p><time datetime="${page.updatedAt}">${words.updated(words.date(page.updatedAt))}</time></p>`}
            ${PageActions.edit(shown)}
          </div>
        </main>
        ${layout.tableOfContents && Theme.slot(slots.tree, shown, () => tree(shown))}
        ${hasAside && Theme.slot(slots.aside, shown, () => (hasOutline ? PageElements.outline(shown) : empty))}
      </div>`,
    layout.tableOfContents,
    html`<p hidden>${words.forPrograms} <a href="${shown.alternates.index}">llms.txt</a></p>`
  )
}

/** Renders a page that is not content, such as search results or the status of a PDF. */
export const other = (
  around: Around,
  { title, main, meta }: { readonly title: string; readonly main: Html; readonly meta?: Html },
  assets: Assets
): string =>
  documentOf(
    around,
    assets,
    () => Head.plain(around, title, html`${meta}${ElementAssets.of([main.text], assets)}`, assets),
    html`<div class="frame"><main id="${contentId}">${main}</main></div>`,
    false
  ).text

/** Returns the language attributes of the content, if its language differs from that of the interface. */
const tongueOf = ({ page, parts }: SitePage): { readonly lang?: string; readonly dir?: string } => {
  if (page.language === undefined) return {}
  const { language, direction } = LocalizedMessages.tongueOf(page.language)
  return language === parts.words.language ? {} : { lang: language, dir: direction }
}

const documentOf = (
  around: Around,
  { slots = {} }: Assets,
  head: () => Html,
  body: Html,
  hasDrawer: boolean,
  note?: Html
): Html => {
  const { customization, parts } = around
  const { words } = parts
  const { default: theme } = customization.themes
  return html`<!doctype html><html lang="${words.language}" dir="${words.direction}"${attributes({ class: CustomizationStyle.classes(customization), "data-theme": theme === "system" ? undefined : theme })}>
      <head>${Theme.slot(slots.head, around, head)}</head>
      <body data-copy="${words.copy}" data-copied="${words.copied}" data-close="${words.close}">
        <a class="skip" href="#${contentId}">${words.skipToContent}</a>
        ${SiteScripts.banner(around)}
        ${note}
        ${Footer.announcement(around)}
        ${Theme.slot(slots.header, around, () => SiteHeader.bar(around, hasDrawer))}
        ${body}
        ${Theme.slot(slots.footer, around, () => Footer.footer(around))}
        ${previewBar(around)}
      </body>
    </html>`
}

/** Renders a page outside of any site: no site exists, the reader may not see it, or it cannot be read. */
const alone = (words: LocalizedMessages.Words, assets: Pick<Assets, "css">, title: string, text: Html): string =>
  `<!doctype html>${
    html`<html lang="${words.language}" dir="${words.direction}">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${title}</title>
        <meta name="robots" content="noindex">
        <link rel="stylesheet" href="${assets.css}">
      </head>
      <body>
        <div class="frame"><main class="alone" id="${contentId}"><h1>${title}</h1>${text}</main></div>
      </body>
    </html>`.text
  }`

/** Renders the page for a site that does not exist or that this reader may not see. The page is equal in both cases. */
export const nothing = (words: LocalizedMessages.Words, assets: Assets): string =>
  alone(words, assets, words.notFound, html`<p>${words.notFoundText}</p>`)

/**
 * Renders the error for a visitor who comes back from the sign-in provider with an invalid token. `again`: URL to sign
 * in again.
 */
export const signOnFailed = (words: LocalizedMessages.Words, assets: Assets, again: string): string =>
  alone(
    words,
    assets,
    words.signOnFailed,
    html`<p>${words.signOnFailedText}</p><p><a href="${again}">${words.tryAgain}</a></p>`
  )

/** Renders the error for a failure of the server. `id`: id of the request in the server's log. */
export const failed = (words: LocalizedMessages.Words, assets: Assets, id: string | undefined): string =>
  alone(
    words,
    assets,
    words.failed,
    html`<p>${words.failedText}</p>${id !== undefined && html`<p class="request-id"><small>${id}</small></p>`}`
  )

/** Renders the front page of a site that has no page, or no page visible to the reader. */
export const withoutPages = (around: Around, assets: Assets): string => {
  const { noPages } = around.parts.words
  return other(around, { title: noPages, main: html`<h1>${noPages}</h1>` }, assets)
}

/** Renders the error for a page that does not exist or that this reader may not see. */
export const missing = (around: Around, assets: Assets, suggestions: ReadonlyArray<Link>): string => {
  const { words } = around.parts
  const links = suggestions.map(({ title, url }) => html`<li><a href="${url}">${title}</a></li>`)
  const main = html`<h1>${words.notFound}</h1>
    <p>${words.notFoundText}</p>
    ${SearchPage.form(around, { query: "", scope: "all" })}
    ${links.length > 0 && html`<p>${words.suggestions}</p><ul class="suggestions">${links}</ul>`}
    <p><a href="${around.site.home}">${words.home}</a></p>`
  return other(around, { title: words.notFound, main }, assets)
}
