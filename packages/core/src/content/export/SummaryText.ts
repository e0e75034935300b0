/**
 * The tree of pages as `SUMMARY.md`, which an import makes the same tree of. Groups that nothing
 * follows but groups are headings, all others are entries of a list that carry their slug.
 */
import { Effect, Schema } from "effect"
import { isIntegration, specOf } from "../../computed/ComputedSource.ts"
import * as PageFields from "../import/PageFields.ts"
import * as Summary from "../import/Summary.ts"
import { escape } from "@lectern/document/markdown/print/Escape"
import * as Place from "@lectern/document/markdown/print/Place"
import * as Resources from "@lectern/document/markdown/print/Resources"
import { type PageEntry, Slug as SlugSchema } from "../pages/Page.ts"
import { Slice } from "../../storage/Slice.ts"
import type { PageNode } from "../pages/PageTree.ts"
import * as Slug from "../pages/Slug.ts"
import { encode, type ExportLinks } from "./ExportLinks.ts"
import type { ExportPaths } from "./ExportPaths.ts"
import * as PageMetadata from "./PageMetadata.ts"

export interface SummaryText {
  readonly text: string
  /** Titles of groups and links of which not all could be said. */
  readonly shortened: ReadonlyArray<string>
}

/** How the table of contents says a title; what it can't say of it, fields do. */
export const listedTitle = (title: string): string =>
  title.replaceAll("\u0000", "").replace(/\s+/g, " ").trim() || "Untitled"

export const write = Effect.fnUntraced(function* (
  tree: ReadonlyArray<PageNode>,
  paths: ExportPaths,
  links: ExportLinks
) {
  const slice = yield* Slice.begin
  const writer = new SummaryWriter(paths, links)
  const lines = ["# Table of contents"]
  for (const line of writer.section(tree, 2)) {
    lines.push(line)
    if (slice.isOver()) yield* slice.rest
  }
  return { text: `${lines.join("\n")}\n`, shortened: writer.shortened } satisfies SummaryText
})

const isSlug = Schema.is(SlugSchema)

class SummaryWriter {
  readonly shortened: Array<string> = []
  readonly #paths: ExportPaths
  readonly #links: ExportLinks

  constructor(paths: ExportPaths, links: ExportLinks) {
    this.#paths = paths
    this.#links = links
  }

  /** The lines of a section. Recurses once for each level of headings, of which there are six. */
  *section(nodes: ReadonlyArray<PageNode>, depth: number): Generator<string> {
    const listed = depth > 6 ? nodes.length : nodes.findLastIndex((node) => !isHeading(node)) + 1
    if (listed > 0) {
      yield ""
      yield* this.#list(nodes.slice(0, listed))
    }
    for (const { page, pages } of nodes.slice(listed)) {
      yield ""
      yield `${"#".repeat(depth)} ${this.#entry(page)}`
      yield* this.section(pages, depth + 1)
    }
  }

  *#list(nodes: ReadonlyArray<PageNode>): Generator<string> {
    const open: Array<{ readonly node: PageNode; readonly indent: string }> = []
    const push = (siblings: ReadonlyArray<PageNode>, indent: string) => {
      for (let i = siblings.length - 1; i >= 0; i--) open.push({ node: siblings[i]!, indent })
    }
    push(nodes, "")
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      yield `${next.indent}* ${this.#entry(next.node.page)}`
      push(next.node.pages, `${next.indent}  `)
    }
  }

  #entry(page: PageEntry): string {
    const title = listedTitle(page.title)
    if (page.type === "document") return linkText(title, encode(this.#paths.pages.get(page.id)!))
    return page.type === "group" ? this.#group(page, title) : this.#link(page, title)
  }

  #group(page: PageEntry, title: string): string {
    const anchor = [page.slug, Slug.fromTitle(page.slug), "group"].find((one) => /^[^"\s/?#\\%<>&]{1,100}$/.test(one))!
    const isSaid = isSlug(anchor) && anchor === page.slug
    const entry = `${text(title)} <a href="#${anchor}" id="${anchor}"></a>`
    return this.#withFields(entry, page, title, isSaid ? {} : { slug: page.slug })
  }

  #link(page: PageEntry, title: string): string {
    // A computed page leads to its spec, for readers of the files; nothing else leads to an integration.
    const ofSpec =
      page.computed !== undefined && !isIntegration(page.computed)
        ? ({ kind: "url", url: `/openapi/${specOf(page.computed)}` } as const)
        : undefined
    const { target = ofSpec ?? { kind: "url", url: "" } } = page
    const url = this.#links.url(target, this.#paths.summary)
    const isSayable = !/[\s\p{C}<>\\()]|&#?\w+;/u.test(url)
    const isPlain = isSayable && target.kind === "url" && /^(?:https?:|mailto:|\/\/)/i.test(url)
    return this.#withFields(linkText(title, isSayable ? url : ""), page, title, {
      ...(!isPlain && { link: target.kind === "url" ? "url" : "reference" }),
      ...(!isSayable && { url }),
      ...(page.slug !== Slug.fromTitle(title) && { slug: page.slug })
    })
  }

  #withFields(entry: string, page: PageEntry, title: string, own: PageFields.PageFields): string {
    const fields = {
      ...(title !== page.title && { title: page.title }),
      ...PageMetadata.fieldsOf(PageMetadata.metadataOf(page), (ref) => this.#links.url(ref, this.#paths.summary)),
      ...own
    }
    if (Object.keys(fields).length === 0) return entry
    const line = `${entry} ${PageFields.toComment(PageMetadata.inOrder(fields))}`
    if (line.length + 64 <= Summary.longestLine) return line
    this.shortened.push(page.title)
    return Object.keys(own).length === 0 ? entry : `${entry} ${PageFields.toComment(own)}`
  }
}

const isHeading = ({ page, pages }: PageNode): boolean => page.type === "group" && pages.length > 0

// CommonMark alone is read there.
const place = Place.phrasing | Place.plain

const text = (value: string): string => escape(value, place, "\n", "\n")

const linkText = (title: string, url: string): string =>
  `[${escape(title, Place.inBrackets(place), "[", "](")}](${Resources.resource({ url, title: undefined }, place)})`
