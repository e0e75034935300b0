/**
 * Converts an HTML page to Markdown, and lists its links and images. Scripts do not run and are not part of the result.
 *
 * Limits: 5,000 links, 500 images, 100 embedded images, 256 characters of the title, 500 of the description.
 */
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import type { PageOptions, SourceFile, SourcePage } from "@lectern/exchange/import/SourceReader"
import * as DataUrl from "@lectern/exchange/import/DataUrl"
import * as FileType from "@lectern/core/content/files/FileType"
import type { Element, Nodes, Root } from "hast"
import * as Charset from "./Charset.ts"
import * as CleanHtml from "./CleanHtml.ts"
import { attribute, elements, find, isElement, line } from "./Hast.ts"
import * as Formulas from "./Formulas.ts"
import * as HtmlBlocks from "./HtmlBlocks.ts"
import * as MainContent from "./MainContent.ts"
import { PageNodes } from "./PageNodes.ts"
import * as PageTree from "./PageTree.ts"
import * as Anchors from "./Anchors.ts"
import * as Readable from "./Readable.ts"
import * as WordFootnotes from "./WordFootnotes.ts"
import type * as WordFormulas from "./WordFormulas.ts"
import * as WordMarks from "./WordMarks.ts"

const maxLinks = 5000
const maxImages = 500
const maxTitle = 256
const maxDescription = 500

export const read = (bytes: Uint8Array, options: PageOptions): SourcePage => {
  const html = Charset.decode(bytes, options.contentType)
  const root = PageTree.parse(html)
  const base = baseOf(root, options.url)
  const links = allowsFollowing(root) ? linksOf(root, base) : []
  const description = meta(root, "description", "og:description")
  const title = titleOf(root)
  const content = MainContent.mainContentOf(root, () => Readable.read(html, root))
  const page = pageOf(content, { ...options, base, files: [], title, nodes: new PageNodes(), hasLayoutTables: true })
  return { ...page, links, ...(description && { description: truncate(description, maxDescription) }) }
}

/**
 * Converts the HTML of a Word document to a page with its files. The HTML contains only content of the page. `formulas`
 * is the LaTeX of the formulas that the HTML refers to (see `WordMarks`). Default: none.
 */
export const readWordHtml = (
  html: string,
  options: PageOptions,
  files: ReadonlyArray<SourceFile>,
  formulas: ReadonlyArray<WordFormulas.Formula> = []
): SourcePage => {
  const content = PageTree.parse(html)
  const nodes = new PageNodes()
  WordMarks.resolve(content, nodes, formulas)
  WordFootnotes.mark(content, nodes)
  const source = { base: options.url, files, title: undefined, nodes, hasLayoutTables: false }
  return pageOf(content, { ...options, ...source })
}

interface PageSource extends PageOptions {
  readonly base: string | undefined
  readonly files: ReadonlyArray<SourceFile>
  readonly title: string | undefined
  readonly nodes: PageNodes
  readonly hasLayoutTables: boolean
}

const pageOf = (
  content: Root | Element,
  { url, base, embedded, nodes, hasLayoutTables, ...source }: PageSource
): SourcePage => {
  const files = [...source.files]
  const embeddedUrls = new Set(files.map(({ path }) => `embedded:${path}`))
  const images = new Set<string>()
  Formulas.mark(content, nodes)
  Anchors.markAnchors(content, nodes)
  CleanHtml.clean(content, {
    hasLayoutTables,
    link: (href) => linkOf(href, base, url),
    image: (src) => {
      if (embeddedUrls.has(src)) return src
      if (DataUrl.isDataUrl(src)) return embed(src, embedded, files)
      const image = resolved(src, base)
      if (image === undefined || images.size >= maxImages) return image
      if (/^https?:/i.test(image)) images.add(image)
      return image
    }
  })
  const heading = find(content, (element) => isElement(element, "h1") && line(element) !== "")
  const title = heading === undefined ? source.title : line(heading)
  if (heading !== undefined && isFirst(content, heading)) remove(content, heading)
  return {
    ...HtmlBlocks.print(content, nodes),
    links: [],
    images: [...images],
    files,
    ...(title && { title: truncate(title, maxTitle) })
  }
}

const truncate = (text: string, length: number): string =>
  Array.from(text.toWellFormed()).slice(0, length).join("").trim()

const baseOf = (root: Root, url: string | undefined): string | undefined => {
  const element = find(root, (child) => isElement(child, "base") && attribute(child, "href") !== undefined)
  const href = element && attribute(element, "href")
  return href !== undefined && URL.canParse(href, url) ? new URL(href, url).href : url
}

const meta = (root: Root, ...names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const element = find(
      root,
      (child) =>
        isElement(child, "meta") && (attribute(child, "name") ?? attribute(child, "property"))?.toLowerCase() === name
    )
    const content = element && collapseWhiteSpace(attribute(element, "content") ?? "")
    if (content) return content
  }
  return undefined
}

const allowsFollowing = (root: Root): boolean => !/\b(?:nofollow|none)\b/i.test(meta(root, "robots") ?? "")

/** Returns the HTTP URLs that the page links to, without fragments and without links marked `nofollow`. */
const linksOf = (root: Root, base: string | undefined): ReadonlyArray<string> => {
  const links = new Set<string>()
  for (const element of elements(root)) {
    if (!isElement(element, "a", "area") || /\bnofollow\b/i.test(attribute(element, "rel") ?? "")) continue
    const href = attribute(element, "href")?.trim()
    if (!href || href.startsWith("#") || !URL.canParse(href, base)) continue
    const url = new URL(href, base)
    url.hash = ""
    if (url.protocol === "http:" || url.protocol === "https:") links.add(url.href)
    if (links.size >= maxLinks) break
  }
  return [...links]
}

/**
 * Resolves a URL. Without a base, a text without a scheme is a path and stays unchanged. Undefined if the URL has
 * another scheme than HTTP or `archive`.
 */
const resolved = (text: string, base: string | undefined): string | undefined => {
  if (base !== undefined && URL.canParse(text, base)) {
    const url = new URL(text, base)
    return /^(?:https?|archive):$/.test(url.protocol) ? url.href : undefined
  }
  if (URL.canParse(text)) return /^https?:/i.test(text) ? text : undefined
  return /^[^\s:]*(?:[/?#].*)?$/.test(text) ? text : undefined
}

const linkOf = (href: string, base: string | undefined, url: string | undefined): string | undefined => {
  if (/^(?:mailto|tel):/i.test(href)) return URL.canParse(href) ? new URL(href).href : undefined
  if (/^#[^\s]+$/.test(href)) return href
  const link = resolved(href, base)
  if (link === undefined || link === "#" || url === undefined) return link === "#" ? undefined : link
  const pageUrl = url.split("#", 1)[0]
  return link.startsWith(`${pageUrl}#`) && link.length > `${pageUrl}#`.length ? link.slice(pageUrl!.length) : link
}

const maxEmbedded = 100

const embed = (src: string, folder: string, files: Array<SourceFile>): string | undefined => {
  if (files.length >= maxEmbedded) return undefined
  const data = DataUrl.read(src)
  if (data === undefined || data.bytes.length === 0) return undefined
  const { contentType } = FileType.detect(data.bytes, "image", data.contentType)
  if (!contentType.startsWith("image/")) return undefined
  const ending = /^image\/([a-z]{2,8})/.exec(contentType)?.[1] ?? "img"
  const path = `${folder}/image-${files.length + 1}.${ending === "jpeg" ? "jpg" : ending}`
  files.push({ path, bytes: data.bytes })
  return `embedded:${path}`
}

/** Returns the title of the page without the name of its site. */
const titleOf = (root: Root): string | undefined => {
  const element = find(root, (child) => isElement(child, "title"))
  const title = element === undefined ? "" : line(element)
  const site = meta(root, "og:site_name")
  for (const separator of [" | ", " – ", " — ", " · ", " - ", " :: "]) {
    const separatorIndex = title.lastIndexOf(separator)
    if (
      separatorIndex > 0 &&
      (site === undefined || title.slice(separatorIndex + separator.length).trim() === site || separator !== " - ")
    ) {
      return title.slice(0, separatorIndex).trim()
    }
  }
  return title === "" ? undefined : title
}

const contentElements = new Set(["p", "ul", "ol", "table", "pre", "h2", "h3", "blockquote"])

/**
 * True if a heading is the first content: no text in a block precedes the heading, and no block encloses it. Visits
 * each node once.
 */
const isFirst = (content: Root | Element, heading: Element): boolean => {
  const pendingNodes: Array<{ readonly node: Nodes; readonly isInBlock: boolean }> = [
    { node: content, isInBlock: false }
  ]
  for (let next = pendingNodes.pop(); next !== undefined; next = pendingNodes.pop()) {
    const { node } = next
    if (node === heading) return !next.isInBlock
    if (node.type === "text" && next.isInBlock && node.value.trim() !== "") return false
    if (!("children" in node)) continue
    const isInBlock = next.isInBlock || (node.type === "element" && contentElements.has(node.tagName))
    for (let i = node.children.length - 1; i >= 0; i--) pendingNodes.push({ node: node.children[i]!, isInBlock })
  }
  return false
}

const remove = (content: Root | Element, removed: Element): void => {
  for (const parent of [content, ...elements(content)]) {
    const index = (parent.children as Array<unknown>).indexOf(removed)
    if (index === -1) continue
    parent.children.splice(index, 1)
    return
  }
}
