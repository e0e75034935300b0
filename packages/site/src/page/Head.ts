/**
 * The head of a page: files that browsers load, and metadata for search engines, link previews and other programs. The
 * result depends only on `SitePage` and the assets.
 *
 * The default description of a page is its first paragraph. A page without paragraphs, such as an API reference, uses
 * its headings. A default description has at most 160 characters.
 */
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import * as DocumentText from "@lectern/document/DocumentText"
import type { Document } from "@lectern/document/Document"
import { attributes, type Html, html, trusted } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import * as Fonts from "../styling/Fonts.ts"
import * as Scripts from "../styling/Scripts.ts"
import * as CustomizationStyle from "../styling/CustomizationStyle.ts"
import * as SocialImage from "../rendering/SocialImage.ts"
import type { SiteContext, SitePage } from "./SitePage.ts"
import type { Slots } from "./Theme.ts"
import * as SiteScripts from "./SiteScripts.ts"

/** URLs of files that pages load. */
export interface Assets {
  readonly css: string
  readonly script: string
  /** Program that searches a static site. Default: the server searches. */
  readonly search?: string
  /** Files of the fonts that settings name. Default: fonts of the reader's system. */
  readonly fonts?: Fonts.LoadedFonts
  /** Parts that a theme renders differently. */
  readonly slots?: Slots
  /** Files that render diagrams in a frame. Default: diagrams are shown as code. */
  readonly diagrams?: {
    readonly script: string
    readonly frame: string
    /**
     * True if the frame keeps the origin of the page. The modules of the frame then need no CORS headers, which many file
     * servers don't send. Default: false.
     */
    readonly keepsOrigin?: boolean
  }
  /** Style sheet of pages with an API reference. Default: these pages load no such file. */
  readonly api?: string
  /** Files for pages with blocks of integrations. Default: these pages load no such files. */
  readonly blocks?: { readonly script: string; readonly css: string }
}

/**
 * Returns the text of a page's style element; "" if the page needs no element. The page's policy allows no other inline
 * styles.
 */
export const inlineStyle = (
  { customization }: Pick<SiteContext, "customization">,
  { fonts }: Pick<Assets, "fonts">
): string => CustomizationStyle.styleOf(customization, fonts).text

const maxDescription = 160

const hasPublicUrl = ({ site }: Pick<SiteContext, "site">): boolean => site.staticSite?.hasPublicUrl ?? true

/** Renders the head of a page. `extra`: scripts and styles that only few pages need. */
export const renderHead = (sitePage: SitePage, assets: Assets, extra?: Html): Html => {
  const { site, page, customization } = sitePage
  const name = nameOf(sitePage)
  const title = page.title === name ? name : `${page.title} | ${name}`
  const description = descriptionOf(sitePage)
  return html`<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    ${description && html`<meta name="description" content="${description}">`}
    ${hasPublicUrl(sitePage) && html`<link rel="canonical" href="${sitePage.canonicalUrl}">`}
    ${renderAlternates(sitePage)}
    ${!(site.isListed && page.isListed) && html`<meta name="robots" content="noindex">`}
    ${renderFavicon(customization.favicon)}
    ${renderPreview(sitePage, name, description)}
    ${renderStyles(customization, assets)}
    ${extra}
    ${SiteScripts.renderScripts(sitePage)}
    ${renderBreadcrumbs(sitePage, name)}`
}

/** Renders the head of a page that is not content, such as search results. It is not indexed. */
export const renderPlainHead = (context: SiteContext, title: string, extra: Html | undefined, assets: Assets): Html =>
  html`<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${`${title} | ${nameOf(context)}`}</title>
    <meta name="robots" content="noindex">
    ${extra}
    ${renderFavicon(context.customization.favicon)}
    ${renderStyles(context.customization, assets)}
    ${SiteScripts.renderScripts(context)}`

/**
 * Renders styles and scripts. The script that sets the reader's chosen mode comes first, so that the page never appears
 * in the other mode.
 */
const renderStyles = (customization: SiteContext["customization"], assets: Assets): Html => {
  const style = CustomizationStyle.styleOf(customization, assets.fonts)
  const fontUrls = Fonts.preloadUrls(customization.styling.font, assets.fonts)
  return html`${customization.themes.toggeable && Scripts.restoreTheme}${fontUrls.map((url) => html`<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin>`)}<link rel="stylesheet" href="${assets.css}">${!style.isEmpty && html`<style>${style}</style>`}<script type="module" src="${assets.script}"></script>`
}

/** Renders links to the page in other formats and languages, and to its feed. */
const renderAlternates = ({ alternates, dependencies }: SitePage): Html => {
  const { markdown, feed, languages } = alternates
  return html`${markdown && html`<link rel="alternate" type="text/markdown" href="${markdown}">`}${
    feed &&
    html`<link rel="alternate" type="application/atom+xml" href="${feed}" title="${dependencies.messages.updates}">`
  }${languages.map(({ language, url }) => html`<link rel="alternate" hreflang="${language}" href="${url}">`)}`
}

/**
 * Renders the icon: the site's images, otherwise its emoji, otherwise the default icon. The emoji and the default icon
 * are inline SVG.
 */
const renderFavicon = ({ icon, emoji }: SitePage["customization"]["favicon"]): Html => {
  if (icon === undefined) return html`<link rel="icon" href="${emoji === undefined ? bookmark : emojiIcon(emoji)}">`
  const { light, dark } = { light: SafeUrls.sourceUrl(icon.light), dark: SafeUrls.sourceUrl(icon.dark) }
  if (light === undefined || dark === undefined) return html`<link rel="icon" href="${bookmark}">`
  if (light === dark) return html`<link rel="icon" href="${light}">`
  return html`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)"><link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)">`
}

const svg = (content: Html): string =>
  `data:image/svg+xml,${encodeURIComponent(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${content}</svg>`.text)}`

const emojiIcon = (emoji: string): string => svg(html`<text x="0" y="13" font-size="14">${emoji}</text>`)

const bookmark = svg(html`<path fill="#2f5bd7" d="M3 1h10a1 1 0 0 1 1 1v13l-6-4-6 4V2a1 1 0 0 1 1-1z"/>`)

/** Renders the metadata of link previews in the Open Graph format. */
const renderPreview = (sitePage: SitePage, name: string, description: string): Html => {
  const { page, customization, breadcrumbs, dependencies } = sitePage
  const { url } = customization.socialPreview
  const picture = (url === undefined ? undefined : SafeUrls.sourceUrl(url)) ?? sitePage.socialImage
  const account = customization.socialAccounts.find(({ platform }) => platform === "twitter")
  const isFront = breadcrumbs.length === 0 && sitePage.previous === undefined
  const all: ReadonlyArray<readonly [property: string, content: string | undefined]> = [
    ["og:type", isFront ? "website" : "article"],
    ["og:title", page.title],
    ["og:description", description || undefined],
    ["og:url", hasPublicUrl(sitePage) ? sitePage.canonicalUrl : undefined],
    ["og:site_name", name],
    ["og:locale", dependencies.messages.language.replace("-", "_")],
    ["og:image", picture],
    ...(url === undefined && picture !== undefined
      ? ([
          ["og:image:type", "image/png"],
          ["og:image:width", String(SocialImage.size.width)],
          ["og:image:height", String(SocialImage.size.height)],
          ["og:image:alt", page.title]
        ] as const)
      : []),
    ["article:modified_time", isFront ? undefined : page.updatedAt]
  ]
  return html`${all.map(([property, content]) => content !== undefined && html`<meta property="${property}" content="${content}">`)}<meta name="twitter:card" content="${picture === undefined ? "summary" : "summary_large_image"}">${
    account && html`<meta${attributes({ name: "twitter:site", content: `@${account.handle}` })}>`
  }`
}

/**
 * Renders the page's ancestors as structured data (JSON-LD). Browsers do not run it, so the page's policy need not
 * allow it.
 */
const renderBreadcrumbs = (sitePage: SitePage, name: string): Html | undefined => {
  if (!sitePage.site.isListed || !hasPublicUrl(sitePage) || sitePage.breadcrumbs.length === 0) return undefined
  const base = sitePage.canonicalUrl
  const ancestors = [{ title: name, url: sitePage.site.home }, ...sitePage.breadcrumbs]
  const items = [...ancestors, { title: sitePage.page.title, url: base }].map(({ title, url }, i) => ({
    "@type": "ListItem",
    position: i + 1,
    name: title,
    ...(url !== undefined && { item: URL.parse(url, base)?.href })
  }))
  return json({ "@context": "https://schema.org", "@type": "BreadcrumbList", itemListElement: items })
}

/** Renders JSON data in a script element. Escapes `<`, so the data cannot end the element. */
const json = (value: unknown): Html =>
  html`<script type="application/ld+json">${trusted(JSON.stringify(value).replaceAll("<", "\\u003c"))}</script>`

export const nameOf = ({ site, customization }: Pick<SitePage, "site" | "customization">): string =>
  customization.title ?? site.title

/**
 * Returns the description of a page: the description that an author wrote, else the first paragraph, else the headings.
 */
export const descriptionOf = ({ page }: Pick<SitePage, "page">): string =>
  page.description || defaultDescription(page.document)

const defaultDescription = ({ nodes }: Document): string => {
  const headings: Array<string> = []
  let size = 0
  for (const node of nodes) {
    const isHeading = node.type.startsWith("heading-")
    if (node.type !== "paragraph" && (!isHeading || size > maxDescription)) continue
    const text = collapseWhiteSpace(DocumentText.inlinesText(node.nodes ?? []))
    if (text === "") continue
    if (!isHeading) return shorten(text)
    headings.push(text)
    size += text.length
  }
  return shorten(headings.join(" · "))
}

const shorten = (text: string): string => {
  if (text.length <= maxDescription) return text
  const excerpt = text.slice(0, maxDescription)
  const end = excerpt.lastIndexOf(" ")
  return `${(end > maxDescription / 2 ? excerpt.slice(0, end) : excerpt.toWellFormed().replace(/\ufffd$/, "")).trimEnd()}…`
}
