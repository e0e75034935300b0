/** Renders a page as a whole HTML document. Themes can replace its parts (see `Slots`). */
import { languageInfo } from "@lectern/core/schema/InterfaceLanguage"
import { Effect } from "effect"
import * as Blocks from "../document/Blocks.ts"
import type { RenderDependencies } from "../document/BlockRenderer.ts"
import { attributes, empty, type Html, html } from "../html/Html.ts"
import * as HtmlChunks from "../html/HtmlChunks.ts"
import * as CustomizationStyle from "../styling/CustomizationStyle.ts"
import * as PageActions from "./PageActions.ts"
import * as SiteHeader from "./SiteHeader.ts"
import { renderFeedback } from "./Feedback.ts"
import * as Footer from "./Footer.ts"
import * as Head from "./Head.ts"
import type { Assets } from "./Head.ts"
import { renderPreviewBar } from "./PreviewBar.ts"
import * as PageElements from "./PageElements.ts"
import * as PageTree from "./PageTree.ts"
import * as ElementAssets from "./ElementAssets.ts"
import * as SearchPage from "./SearchPage.ts"
import type { SiteContext, Link, SitePage } from "./SitePage.ts"
import * as Theme from "./Theme.ts"
import * as SiteScripts from "./SiteScripts.ts"
import * as LocalizedMessages from "./LocalizedMessages.ts"

export type { Assets } from "./Head.ts"

/** Id of the main element. No heading has an anchor with `~`. */
const contentId = "~content"

export const renderPage = (sitePage: SitePage, assets: Assets): string =>
  renderWithContent(sitePage, assets, [contentOf(sitePage, assets).text]).text

/** Renders the content of a page, without the parts around it. */
export const renderContent = (sitePage: SitePage, assets: Assets): Effect.Effect<HtmlChunks.HtmlChunks> =>
  HtmlChunks.serialize(contentOf(sitePage, assets))

/** Renders a page with the result of `renderContent`. */
export const renderAroundContent = (
  sitePage: SitePage,
  assets: Assets,
  content: HtmlChunks.HtmlChunks
): Effect.Effect<HtmlChunks.HtmlChunks> => HtmlChunks.serialize(renderWithContent(sitePage, assets, content))

/** Renders a page as chunks of HTML, with pauses for other work. */
export const renderPageChunks = (sitePage: SitePage, assets: Assets): Effect.Effect<HtmlChunks.HtmlChunks> =>
  Effect.flatMap(renderContent(sitePage, assets), (content) => renderAroundContent(sitePage, assets, content))

const contentOf = (sitePage: SitePage, assets: Assets): Html =>
  Blocks.renderPage(dependenciesOf(sitePage, assets), sitePage.page.document.nodes)

const dependenciesOf = ({ dependencies }: SitePage, { diagrams }: Assets): RenderDependencies => ({
  ...dependencies,
  rendersDiagrams: diagrams !== undefined
})

const renderWithContent = (sitePage: SitePage, assets: Assets, content: HtmlChunks.HtmlChunks): Html => {
  const { page, customization, dependencies } = sitePage
  const { messages } = dependencies
  const icon = page.emoji ?? (page.icon === undefined ? undefined : dependencies.icon(page.icon))
  const languageAttributes = languageAttributesOf(sitePage)
  const { layout } = page
  const hasOutline = layout.outline && page.outline.length > 0
  const { slots = {} } = assets
  const hasAside = hasOutline || slots.aside !== undefined
  const classNames = ["frame", layout.tableOfContents && "with-tree", hasAside && "with-outline"]
  return renderDocument(
    sitePage,
    assets,
    () => Head.renderHead(sitePage, assets, ElementAssets.renderAssets(content, assets)),
    html`${page.cover?.isFull && PageElements.renderCover(sitePage)}
      <div class="${classNames.filter((name) => name !== false).join(" ")}">
        <main id="${contentId}"${attributes({ class: layout.width === "wide" && "wide", ...languageAttributes })}>
          ${PageElements.renderBreadcrumbs(sitePage)}
          ${page.cover?.isFull === false && PageElements.renderCover(sitePage)}
          <div class="page-head">
            ${layout.title && html`<h1${attributes({ id: page.titleId })}>${icon && html`<span class="emoji" aria-hidden="true">${icon}</span> `}${page.title}</h1>`}
            ${layout.actions && PageActions.renderActions(sitePage)}
          </div>
          ${layout.description && page.description && html`<p class="description">${page.description}</p>`}
          ${layout.outline && PageElements.renderCollapsedOutline(sitePage)}
          <div class="content">${HtmlChunks.concatenate(content)}${PageElements.renderCards(sitePage)}</div>
          ${renderFeedback(sitePage)}
          ${layout.pagination && customization.pagination.enabled && PageElements.renderPagination(sitePage)}
          <div class="page-end">
            ${layout.metadata && page.updatedAt !== undefined && html`<p><time datetime="${page.updatedAt}">${messages.updated(messages.date(page.updatedAt))}</time></p>`}
            ${PageActions.renderEditLink(sitePage)}
          </div>
        </main>
        ${layout.tableOfContents && Theme.renderSlot(slots.tree, sitePage, () => PageTree.renderTree(sitePage))}
        ${hasAside && Theme.renderSlot(slots.aside, sitePage, () => (hasOutline ? PageElements.renderOutline(sitePage) : empty))}
      </div>`,
    layout.tableOfContents,
    html`<p hidden>${messages.forPrograms} <a href="${sitePage.alternates.index}">${sitePage.alternates.index.split("/").at(-1)}</a></p>`
  )
}

/** Renders a page that is not content, such as search results or the status of a PDF. */
export const renderSimplePage = (
  context: SiteContext,
  { title, main, meta }: { readonly title: string; readonly main: Html; readonly meta?: Html },
  assets: Assets
): string =>
  renderDocument(
    context,
    assets,
    () => Head.renderPlainHead(context, title, html`${meta}${ElementAssets.renderAssets([main.text], assets)}`, assets),
    html`<div class="frame"><main id="${contentId}">${main}</main></div>`,
    false
  ).text

/** Returns the language attributes of the content, if its language differs from that of the interface. */
const languageAttributesOf = ({ page, dependencies }: SitePage): { readonly lang?: string; readonly dir?: string } => {
  if (page.language === undefined) return {}
  const { language, direction } = languageInfo(page.language)
  return language === dependencies.messages.language ? {} : { lang: language, dir: direction }
}

const renderDocument = (
  context: SiteContext,
  { slots = {}, search }: Assets,
  head: () => Html,
  body: Html,
  hasTree: boolean,
  note?: Html
): Html => {
  const { customization, dependencies } = context
  const { messages } = dependencies
  const { default: theme } = customization.themes
  const hasLinks = PageTree.hasLinks(context)
  return html`<!doctype html><html lang="${messages.language}" dir="${messages.direction}"${attributes({ class: CustomizationStyle.classes(customization), "data-theme": theme === "system" ? undefined : theme })}>
      <head>${Theme.renderSlot(slots.head, context, head)}</head>
      <body data-copy="${messages.copy}" data-copied="${messages.copied}" data-close="${messages.close}">
        <a class="skip" href="#${contentId}">${messages.skipToContent}</a>
        ${SiteScripts.renderBanner(context)}
        ${note}
        ${Footer.renderAnnouncement(context)}
        ${Theme.renderSlot(slots.header, context, () => SiteHeader.renderHeader(context, hasTree || hasLinks, search))}
        ${!hasTree && hasLinks && PageTree.renderDrawer(context)}
        ${body}
        ${Theme.renderSlot(slots.footer, context, () => Footer.renderFooter(context))}
        ${renderPreviewBar(context)}
      </body>
    </html>`
}

/** Renders a page outside of any site: no site exists, the reader may not see it, or it cannot be read. */
const renderStandalone = (
  messages: LocalizedMessages.LocalizedMessages,
  assets: Pick<Assets, "css">,
  title: string,
  text: Html
): string =>
  `<!doctype html>${
    html`<html lang="${messages.language}" dir="${messages.direction}">
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
export const renderNotFound = (messages: LocalizedMessages.LocalizedMessages, assets: Assets): string =>
  renderStandalone(messages, assets, messages.notFound, html`<p>${messages.notFoundText}</p>`)

/**
 * Renders the error for a visitor who comes back from the sign-in provider with an invalid token. `retryUrl`: URL to
 * sign in again.
 */
export const renderSignOnFailed = (
  messages: LocalizedMessages.LocalizedMessages,
  assets: Assets,
  retryUrl: string
): string =>
  renderStandalone(
    messages,
    assets,
    messages.signOnFailed,
    html`<p>${messages.signOnFailedText}</p><p><a href="${retryUrl}">${messages.tryAgain}</a></p>`
  )

/** Renders the error for a failure of the server. `id`: id of the request in the server's log. */
export const renderError = (
  messages: LocalizedMessages.LocalizedMessages,
  assets: Assets,
  id: string | undefined
): string =>
  renderStandalone(
    messages,
    assets,
    messages.failed,
    html`<p>${messages.failedText}</p>${id !== undefined && html`<p class="request-id"><small>${id}</small></p>`}`
  )

/** Renders the front page of a site that has no page, or no page visible to the reader. */
export const renderWithoutPages = (context: SiteContext, assets: Assets): string => {
  const { messages } = context.dependencies
  const title = messages.noPages
  // Only members of the organization see previews.
  const text = context.preview === undefined ? messages.noPagesText : messages.noPagesForMembers
  const main = html`<div class="alone"><h1>${title}</h1><p class="description">${text}</p></div>`
  return renderSimplePage(context, { title, main }, assets)
}

/** Renders the error for a page that does not exist or that this reader may not see. */
export const renderMissingPage = (context: SiteContext, assets: Assets, suggestions: ReadonlyArray<Link>): string => {
  const { messages } = context.dependencies
  const links = suggestions.map(({ title, url }) => html`<li><a href="${url}">${title}</a></li>`)
  const main = html`<h1>${messages.notFound}</h1>
    <p>${messages.notFoundText}</p>
    ${SearchPage.renderForm(context, { query: "", scope: "all" })}
    ${links.length > 0 && html`<p>${messages.suggestions}</p><ul class="suggestions">${links}</ul>`}
    <p><a href="${context.site.home}">${messages.home}</a></p>`
  return renderSimplePage(context, { title: messages.notFound, main }, assets)
}
