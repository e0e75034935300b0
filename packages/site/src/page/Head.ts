/**
 * Everything in the head of a page: what browsers load, and what search engines, previews and other programs read
 * of it. A pure function of `SitePage`.
 *
 * A page without a description of its own is described by its first words, at most 160 characters of them, and one that
 * has no text, as an API reference may, by its headings.
 */
import { collapsed } from "@lectern/document/markdown/OneLine"
import * as DocumentText from "@lectern/document/DocumentText"
import type { Document } from "@lectern/document/Document"
import { attributes, type Html, html, trusted } from "../html/Html.ts"
import * as Urls from "../html/Urls.ts"
import * as Fonts from "../look/Fonts.ts"
import * as Script from "../look/Script.ts"
import * as Style from "../look/Style.ts"
import * as SocialPicture from "../painting/SocialPicture.ts"
import type { Around, SitePage } from "./SitePage.ts"
import type { Slots } from "./Theme.ts"
import * as SiteScripts from "./SiteScripts.ts"

/** URLs of what pages load beside themselves. */
export interface Assets {
  readonly css: string
  readonly script: string
  /** Files of the fonts that settings name. Default: fonts are those of the reader's system. */
  readonly fonts?: Fonts.Loaded
  /** Parts that a theme draws otherwise. */
  readonly slots?: Slots
  /** Draws diagrams in a frame. Default: they are code. */
  readonly diagrams?: { readonly script: string; readonly frame: string }
  /** Of pages with blocks of integrations. Default: they do without. */
  readonly blocks?: { readonly script: string; readonly css: string }
}

/** Text of the style element of a page: no other that is inline has an effect in it; "" where it has none. */
export const inlineStyle = (
  { customization }: Pick<Around, "customization">,
  { fonts }: Pick<Assets, "fonts">
): string => Style.of(customization, fonts).text

const maxDescription = 160

/** `parts`: scripts of what few pages have. */
export const head = (shown: SitePage, assets: Assets, parts?: Html): Html => {
  const { site, page, customization } = shown
  const name = nameOf(shown)
  const title = page.title === name ? name : `${page.title} | ${name}`
  const description = descriptionOf(shown)
  return html`<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    ${description && html`<meta name="description" content="${description}">`}
    <link rel="canonical" href="${shown.canonicalUrl}">
    ${alternates(shown)}
    ${!(site.isListed && page.isListed) && html`<meta name="robots" content="noindex">`}
    ${favicon(customization.favicon)}
    ${preview(shown, name, description)}
    ${look(customization, assets)}
    ${parts}
    ${SiteScripts.elements(shown)}
    ${breadcrumbs(shown, name)}`
}

/** Of something that is no page of the content, and nothing for search engines. */
export const plain = (around: Around, title: string, more: Html | undefined, assets: Assets): Html =>
  html`<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${`${title} | ${nameOf(around)}`}</title>
    <meta name="robots" content="noindex">
    ${more}
    ${favicon(around.customization.favicon)}
    ${look(around.customization, assets)}
    ${SiteScripts.elements(around)}`

/** The mode that the reader chose comes first: nothing is painted in the other one. */
const look = (customization: Around["customization"], assets: Assets): Html => {
  const style = Style.of(customization, assets.fonts)
  const first = Fonts.first(customization.styling.font, assets.fonts)
  return html`${customization.themes.toggeable && Script.inHead}${first.map((url) => html`<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin>`)}<link rel="stylesheet" href="${assets.css}">${!style.isEmpty && html`<style>${style}</style>`}<script type="module" src="${assets.script}"></script>`
}

/** The same page for machines, in other languages, and what is new on it. */
const alternates = ({ alternates, parts }: SitePage): Html => {
  const { markdown, feed, languages } = alternates
  return html`${markdown && html`<link rel="alternate" type="text/markdown" href="${markdown}">`}${
    feed && html`<link rel="alternate" type="application/atom+xml" href="${feed}" title="${parts.words.updates}">`
  }${languages.map(({ language, url }) => html`<link rel="alternate" hreflang="${language}" href="${url}">`)}`
}

/** Pictures by their URLs; an emoji, and the sign of a site that has neither, as a picture in the page itself. */
const favicon = ({ icon, emoji }: SitePage["customization"]["favicon"]): Html => {
  if (icon === undefined) return html`<link rel="icon" href="${emoji === undefined ? bookmark : pictureOf(emoji)}">`
  const { light, dark } = { light: Urls.source(icon.light), dark: Urls.source(icon.dark) }
  if (light === undefined || dark === undefined) return html`<link rel="icon" href="${bookmark}">`
  if (light === dark) return html`<link rel="icon" href="${light}">`
  return html`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)"><link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)">`
}

const svg = (content: Html): string =>
  `data:image/svg+xml,${encodeURIComponent(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${content}</svg>`.text)}`

const pictureOf = (emoji: string): string => svg(html`<text x="0" y="13" font-size="14">${emoji}</text>`)

const bookmark = svg(html`<path fill="#2f5bd7" d="M3 1h10a1 1 0 0 1 1 1v13l-6-4-6 4V2a1 1 0 0 1 1-1z"/>`)

/** Preview where a link to the page is shown: Open Graph, which others read as well. */
const preview = (shown: SitePage, name: string, description: string): Html => {
  const { page, customization, breadcrumbs, parts } = shown
  const { url } = customization.socialPreview
  const picture = (url === undefined ? undefined : Urls.source(url)) ?? shown.picture
  const account = customization.socialAccounts.find(({ platform }) => platform === "twitter")
  const isFront = breadcrumbs.length === 0 && shown.previous === undefined
  const all: ReadonlyArray<readonly [property: string, content: string | undefined]> = [
    ["og:type", isFront ? "website" : "article"],
    ["og:title", page.title],
    ["og:description", description || undefined],
    ["og:url", shown.canonicalUrl],
    ["og:site_name", name],
    ["og:locale", parts.words.language.replace("-", "_")],
    ["og:image", picture],
    ...(url === undefined && picture !== undefined
      ? ([
          ["og:image:type", "image/png"],
          ["og:image:width", String(SocialPicture.size.width)],
          ["og:image:height", String(SocialPicture.size.height)],
          ["og:image:alt", page.title]
        ] as const)
      : []),
    ["article:modified_time", isFront ? undefined : page.updatedAt]
  ]
  return html`${all.map(([property, content]) => content !== undefined && html`<meta property="${property}" content="${content}">`)}<meta name="twitter:card" content="${picture === undefined ? "summary" : "summary_large_image"}">${
    account && html`<meta${attributes({ name: "twitter:site", content: `@${account.handle}` })}>`
  }`
}

/** Names of the page and of what it stands under. Browsers run nothing of this type, so no policy has to know it. */
const breadcrumbs = (shown: SitePage, name: string): Html | undefined => {
  if (!shown.site.isListed || shown.breadcrumbs.length === 0) return undefined
  const base = shown.canonicalUrl
  const above = [{ title: name, url: shown.site.home }, ...shown.breadcrumbs]
  const items = [...above, { title: shown.page.title, url: base }].map(({ title, url }, i) => ({
    "@type": "ListItem",
    position: i + 1,
    name: title,
    ...(url !== undefined && { item: URL.parse(url, base)?.href })
  }))
  return json({ "@context": "https://schema.org", "@type": "BreadcrumbList", itemListElement: items })
}

/** Data in a script: nothing in it ends the script. */
const json = (value: unknown): Html =>
  html`<script type="application/ld+json">${trusted(JSON.stringify(value).replaceAll("<", "\\u003c"))}</script>`

export const nameOf = ({ site, customization }: Pick<SitePage, "site" | "customization">): string =>
  customization.title ?? site.title

/** The page's own, else its first words, else what its headings say. */
export const descriptionOf = ({ page }: Pick<SitePage, "page">): string => page.description || firstWords(page.document)

const firstWords = ({ nodes }: Document): string => {
  const headings: Array<string> = []
  let size = 0
  for (const node of nodes) {
    const isHeading = node.type.startsWith("heading-")
    if (node.type !== "paragraph" && (!isHeading || size > maxDescription)) continue
    const text = collapsed(DocumentText.ofInlines(node.nodes ?? []))
    if (text === "") continue
    if (!isHeading) return shortened(text)
    headings.push(text)
    size += text.length
  }
  return shortened(headings.join(" · "))
}

const shortened = (text: string): string => {
  if (text.length <= maxDescription) return text
  const cut = text.slice(0, maxDescription)
  const end = cut.lastIndexOf(" ")
  return `${(end > maxDescription / 2 ? cut.slice(0, end) : cut.toWellFormed().replace(/\ufffd$/, "")).trimEnd()}…`
}
