/**
 * Writes the page tree as `SUMMARY.md`, from which an import restores the tree. Groups at the top are headings that end
 * before the next heading or divider. All other pages are entries of a list.
 */
import { Effect, Schema } from "effect"
import { isIntegration, specOf } from "@lectern/core/computed/ComputedSource"
import * as PageFields from "../import/PageFields.ts"
import * as Summary from "../import/Summary.ts"
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import { escape } from "@lectern/document/markdown/print/Escape"
import * as TextContext from "@lectern/document/markdown/print/TextContext"
import * as Resources from "@lectern/document/markdown/print/Resources"
import { isUnlinked, type PageEntry, Slug as SlugSchema } from "@lectern/core/content/pages/Page"
import { Slice } from "@lectern/core/storage/Slice"
import type { PageNode } from "@lectern/core/content/pages/PageTree"
import * as ServedNames from "@lectern/core/site/ServedNames"
import * as Slug from "@lectern/core/content/pages/Slug"
import { encode, type ExportUrls } from "./ExportUrls.ts"
import { type ExportPaths, relativePath } from "./ExportPaths.ts"
import * as PageMetadata from "./PageMetadata.ts"

export interface SummaryText {
  readonly text: string
  /** Titles of groups and links whose metadata was truncated. */
  readonly shortened: ReadonlyArray<string>
}

/** Returns the form of a title in the table of contents. Fields state the full title if it differs. */
export const listedTitle = (title: string): string => collapseWhiteSpace(title.replaceAll("\u0000", "")) || "Untitled"

export const write = Effect.fnUntraced(function* (tree: ReadonlyArray<PageNode>, paths: ExportPaths, urls: ExportUrls) {
  const slice = yield* Slice.start
  const entries = new SummaryEntries(paths, urls)
  const lines = ["# Table of contents"]
  let isInGroup = false
  let isInList = false
  for (const node of tree) {
    if (slice.isOver()) yield* slice.pause
    if (isHeading(node)) {
      lines.push("", `## ${entries.entryOf(node.page)}`, "")
      for (const line of entries.listLines(node.pages)) lines.push(line)
      isInGroup = true
      continue
    }
    if (isInGroup) lines.push("", divider, "")
    else if (!isInList) lines.push("")
    for (const line of entries.listLines([node])) lines.push(line)
    isInGroup = false
    isInList = true
  }
  return { text: `${lines.join("\n")}\n`, shortened: entries.shortened } satisfies SummaryText
})

export const divider = "***"

const isSlug = Schema.is(SlugSchema)

/** Writes the entries of a table of contents. */
export class SummaryEntries {
  readonly shortened: Array<string> = []
  readonly #paths: ExportPaths
  readonly #urls: ExportUrls

  constructor(paths: ExportPaths, urls: ExportUrls) {
    this.#paths = paths
    this.#urls = urls
  }

  /** Yields the lines of a list. */
  *listLines(nodes: ReadonlyArray<PageNode>): Generator<string> {
    const pending: Array<{ readonly node: PageNode; readonly indent: string }> = []
    const push = (siblings: ReadonlyArray<PageNode>, indent: string) => {
      for (let i = siblings.length - 1; i >= 0; i--) pending.push({ node: siblings[i]!, indent })
    }
    push(nodes, "")
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      yield `${next.indent}* ${this.entryOf(next.node.page)}`
      push(next.node.pages, `${next.indent}  `)
    }
  }

  /** Returns the entry of a page, without a bullet. */
  entryOf(page: PageEntry): string {
    const title = listedTitle(page.title)
    if (page.type === "group" || isUnlinked(page)) return this.#unlinked(page, title)
    if (page.type !== "document") return this.#link(page, title)
    const path = relativePath(this.#paths.summary, this.#paths.pages.get(page.id)!)
    return linkText(title, encode(path), page.linkTitle)
  }

  #unlinked(page: PageEntry, title: string): string {
    const isNested = page.type === "group" && page.parent !== null
    const group = isNested ? ({ group: true } as const) : {}
    // A title that looks like other syntax, such as a task's checkbox, is only safe with an anchor.
    if (page.slug === Slug.fromTitle(title) && isPlain(title)) {
      return this.#withFields(escapeText(title), page, title, group)
    }
    const anchor = [page.slug, Slug.fromTitle(page.slug), "group"].find((one) => /^[^"\s/?#\\%<>&]{1,100}$/.test(one))!
    const statesSlug = isSlug(anchor) && anchor === page.slug && ServedNames.avoided(anchor) === anchor
    const entry = `${escapeText(title)} <a href="#${anchor}" id="${anchor}"></a>`
    return this.#withFields(entry, page, title, { ...(!statesSlug && { slug: page.slug }), ...group })
  }

  #link(page: PageEntry, title: string): string {
    // A computed page links to its spec, for readers of the files. Integrations have no URL.
    const specTarget =
      page.computed !== undefined && !isIntegration(page.computed)
        ? ({ kind: "url", url: `/openapi/${specOf(page.computed)}` } as const)
        : undefined
    const { target = specTarget ?? { kind: "url", url: "" } } = page
    const url = this.#urls.url(target, this.#paths.summary)
    const isExpressible = !/[\s\p{C}<>\\()]|&#?\w+;/u.test(url)
    const isWebUrl = isExpressible && target.kind === "url" && /^(?:https?:|mailto:|\/\/)/i.test(url)
    const isPageAnchor =
      isExpressible && target.kind === "anchor" && url.includes("#") && this.#urls.localRef(target) !== undefined
    return this.#withFields(linkText(title, isExpressible ? url : "", undefined), page, title, {
      ...(!isWebUrl && !isPageAnchor && { link: target.kind === "url" ? "url" : "reference" }),
      ...(!isExpressible && { url }),
      ...(page.slug !== Slug.fromTitle(title) && { slug: page.slug })
    })
  }

  #withFields(entry: string, page: PageEntry, title: string, ownFields: PageFields.PageFields): string {
    const fields = {
      ...(title !== page.title && { title: page.title }),
      ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }),
      ...PageMetadata.fieldsOf(PageMetadata.metadataOf(page), (ref) => this.#urls.url(ref, this.#paths.summary)),
      ...ownFields
    }
    if (Object.keys(fields).length === 0) return entry
    const line = `${entry} ${PageFields.toComment(PageMetadata.orderedFields(fields))}`
    if (line.length + 64 <= Summary.maxLineLength) return line
    this.shortened.push(page.title)
    return Object.keys(ownFields).length === 0 ? entry : `${entry} ${PageFields.toComment(ownFields)}`
  }
}

export const isHeading = ({ page, pages }: PageNode): boolean =>
  page.type === "group" && page.parent === null && pages.length > 0

const isPlain = (title: string): boolean => /^[\p{L}\p{N}]/u.test(title)

// Texts are escaped for CommonMark only, since a table of contents is parsed as CommonMark.
const context = TextContext.phrasing | TextContext.plain

export const escapeText = (value: string): string => escape(value, context, "\n", "\n")

/** Returns the text of a link, without its brackets. */
export const escapeLinkText = (title: string): string => escape(title, TextContext.inBrackets(context), "[", "](")

/** Returns the part of a link after its text. */
export const linkEnd = (url: string, label: string | undefined): string =>
  `](${Resources.resource({ url, title: label }, context)})`

const linkText = (title: string, url: string, label: string | undefined): string =>
  `[${escapeLinkText(title)}${linkEnd(url, label)}`
