/**
 * Pages of a reference of one API, from only its specification: a front page, and a page for each tag with its
 * operations. `server/ReferenceApp` serves them.
 */
import { merged, renderedByDefault } from "@lectern/core/customization/Customization"
import { lineOf, type Spec, type SpecOperation, type SpecTag, textOf } from "@lectern/core/computed/SpecParser"
import { UniqueSlugs } from "@lectern/core/computed/UniqueSlugs"
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { html } from "../html/Html.ts"
import * as LocalizedMessages from "../page/LocalizedMessages.ts"
import type { SearchResult, SearchResults } from "../page/SearchPage.ts"
import type { NavEntry, SiteContext, SitePage } from "../page/SitePage.ts"
import type { SnippetSource } from "../rendering/SnippetCache.ts"
import * as ApiReference from "./ApiReference.ts"
import * as TryIt from "./TryIt.ts"

/** Name of the specification in references of blocks. */
const specName = "api"

const maxResults = 30

export interface ReferenceOptions {
  /** Base path of the pages, with a trailing slash. */
  readonly base: string
  /** Absolute URL of the front page. */
  readonly canonicalUrl: string
  /** URL of the specification. */
  readonly specUrl: string
  /** Markdown of the front page, after the description of the specification. */
  readonly introduction: string
  readonly snippets: () => SnippetSource
}

interface Operation {
  readonly specOperation: SpecOperation
  readonly anchor: string
  readonly tag: Tag
  /** Texts to search in, in lower case. */
  readonly title: string
  readonly text: string
}

interface Tag {
  readonly tag: SpecTag
  readonly slug: string
  readonly url: string
}

export interface ReferencePages {
  readonly spec: Spec
  /** Returns a page by its path below the base; undefined if it does not exist. */
  readonly page: (path: string) => SitePage | undefined
  /** Returns the context of pages that are not content. */
  readonly context: () => SiteContext
  readonly search: (query: string) => SearchResults
  readonly operation: (method: string, path: string) => SpecOperation | undefined
}

export const make = (spec: Spec, options: ReferenceOptions): ReferencePages => {
  const { base, canonicalUrl, specUrl, introduction } = options
  const title = lineOf(spec.info.title, 100)
  const slugs = new UniqueSlugs()
  const tags = spec.tags.map((tag): Tag => {
    const slug = slugs.free(tag.title)
    return { tag, slug, url: base + slug }
  })
  const operations = tags.flatMap((tag) =>
    tag.tag.operations.map((specOperation): Operation => {
      const { verb, path, title, operation } = specOperation
      return {
        specOperation,
        anchor: lineOf(operation.operationId, 200) || `${verb}-${path}`,
        tag,
        title: title.toLowerCase(),
        text: `${verb} ${path} ${tag.tag.title} ${textOf(operation.description)}`.toLowerCase()
      }
    })
  )
  const specs: ApiReference.Specs = new Map([[specName, { spec }]])
  const customization = merged(renderedByDefault, {
    title,
    header: { links: [{ title: "openapi.json", to: { kind: "url", url: specUrl }, links: [] }] },
    pageActions: { items: [] }
  })

  const contextOf = (snippets: SnippetSource, buttons?: TryIt.TryItButtons): SiteContext => ({
    site: { id: specName, title, home: base, isListed: true },
    base,
    customization,
    sections: [],
    variants: [],
    dependencies: {
      targetOf: (ref: ContentRef) => (ref.kind === "url" ? { url: ref.url, title: ref.url } : undefined),
      messages: LocalizedMessages.messagesFor("en"),
      highlight: snippets.highlight,
      formula: snippets.formula,
      icon: snippets.icon,
      integration: () => undefined,
      api: ApiReference.createRenderer(specs, buttons),
      opensNewWindows: false,
      theme: {}
    }
  })

  const operationsOf = (tag: Tag) => operations.filter((operation) => operation.tag === tag)

  const treeFor = (current: Tag | undefined): ReadonlyArray<NavEntry> => [
    { id: "front", title, url: base, isCurrent: current === undefined, isOpen: false, children: [] },
    ...tags.map((tag): NavEntry => {
      const isCurrent = tag === current
      const children = isCurrent
        ? operationsOf(tag).map(({ anchor, specOperation }) => ({
            id: anchor,
            title: specOperation.title,
            url: `#${encodeURIComponent(anchor)}`,
            method: specOperation.method,
            isCurrent: false,
            isOpen: false,
            children: []
          }))
        : []
      return { id: tag.slug, title: tag.tag.title, url: tag.url, isCurrent, isOpen: isCurrent, children }
    })
  ]

  const frontLink = { title, url: base }
  const linkOf = (tag: Tag | undefined) => tag && { title: tag.tag.title, url: tag.url }

  const page = (path: string): SitePage | undefined => {
    const index = tags.findIndex(({ slug }) => slug === path)
    const tag = tags[index]
    if (tag === undefined && path !== "") return undefined
    const snippets = options.snippets()
    const buttons = new TryIt.TryItButtons({ base, page: path, hasProxy: false })
    const [previous, next] = [index === 0 ? frontLink : linkOf(tags[index - 1]), linkOf(tags[index + 1])]
    return {
      ...contextOf(snippets, buttons),
      tree: treeFor(tag),
      page: {
        id: path || "front",
        title: tag?.tag.title ?? title,
        isListed: true,
        layout: {
          width: "default",
          title: true,
          description: true,
          tableOfContents: true,
          outline: true,
          pagination: true,
          metadata: false,
          actions: false
        },
        document:
          tag === undefined
            ? documentOf(`${textOf(spec.info.description)}\n\n${introduction}`)
            : documentOf(tag.tag.description, operationsOf(tag)),
        outline: []
      },
      breadcrumbs: tag === undefined ? [] : [frontLink],
      ...(tag === undefined && {
        cards: tags.map(({ tag, url }) => ({
          title: tag.title,
          url,
          description: lineOf(tag.summary ?? tag.description, 120)
        }))
      }),
      ...(previous && { previous }),
      ...(next && { next }),
      canonicalUrl: tag === undefined ? canonicalUrl : `${canonicalUrl}/${tag.slug}`,
      alternates: { index: specUrl, languages: [] },
      isComplete: snippets.isComplete,
      pending: snippets.pending,
      callableOrigins: () => [...buttons.origins]
    }
  }

  const search = (query: string): SearchResults => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const found = operations
      .filter(({ title, text }) => words.every((word) => title.includes(word) || text.includes(word)))
      .map((operation) => ({
        operation,
        score: words.filter((word) => operation.title.includes(word)).length
      }))
      .toSorted((a, b) => b.score - a.score)
    return {
      query,
      scope: "all",
      count: found.length,
      pages: found.slice(0, maxResults).map(({ operation }) => resultOf(operation))
    }
  }

  return {
    spec,
    page,
    context: () => contextOf(options.snippets()),
    search,
    operation: (method, path) =>
      operations.find(({ specOperation }) => specOperation.method === method && specOperation.path === path)
        ?.specOperation
  }
}

const resultOf = ({ specOperation: { verb, path, title, operation }, anchor, tag }: Operation): SearchResult => ({
  title: html`${title}`,
  url: `${tag.url}#${encodeURIComponent(anchor)}`,
  ancestors: [tag.tag.title],
  description: html`<span class="api-method ${verb}">${verb.toUpperCase()}</span> <code>${lineOf(path, 200)}</code> ${lineOf(operation.description, 120)}`,
  sections: []
})

/** Returns a document of Markdown, followed by operations with their titles as headings. */
const documentOf = (markdown: string, operations: ReadonlyArray<Operation> = []): Document => {
  let last = 0
  const nextKey = () => `r${++last}`
  const document = VisitorDocument.visitorDocument(Markdown.parse(markdown, { nextKey }).document)
  const blocks = operations.flatMap(({ specOperation: { title, verb, path }, anchor }): ReadonlyArray<Block> => [
    {
      object: "block",
      type: "heading-1",
      key: nextKey(),
      data: {},
      meta: { id: anchor },
      nodes: [{ object: "text", leaves: [{ object: "leaf", text: title, marks: [] }] }]
    },
    {
      object: "block",
      type: "openapi-operation",
      key: nextKey(),
      data: { ref: { kind: "openapi", spec: specName }, method: verb, path },
      nodes: []
    }
  ])
  return { ...document, nodes: [...document.nodes, ...blocks] }
}
