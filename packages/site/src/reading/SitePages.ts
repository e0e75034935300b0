/**
 * Resolves URLs of published sites for a reader. Content that the reader cannot see does not exist.
 *
 * A page is rendered once for its inputs. The core returns the same objects until their content changes. So a rendered
 * page remains valid while its inputs are identical: cached pages need no expiry and no invalidation.
 */
import { ComputedSpecs } from "@lectern/core/computed/ComputedSpecs"
import { ContentSpecs } from "@lectern/core/computed/ContentSpecs"
import { CurrentActor } from "@lectern/core/access/Actor"
import type * as Resources from "@lectern/core/content/ContentResources"
import { Contents } from "@lectern/core/content/Contents"
import * as StoredDocument from "@lectern/core/content/documents/StoredDocument"
import type { LocatedRevision } from "@lectern/core/content/reading/LocatedRevision"
import { AppPaths, editFragment } from "@lectern/core/identity/AppUrls"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { IntegrationRenders } from "@lectern/core/integration/placement/IntegrationRenders"
import { Previews } from "@lectern/core/publishing/Previews"
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import { PublishedSites } from "@lectern/core/publishing/PublishedSites"
import type { PublishedContent, PublishedUrlQuery } from "@lectern/core/publishing/PublishedUrl"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import * as JsonText from "@lectern/core/schema/JsonText"
import { SiteMount } from "@lectern/core/site/SiteAddress"
import type { StorageError } from "@lectern/core/storage/Storage"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { Threads } from "@lectern/core/thread/Threads"
import { Tokens } from "@lectern/core/token/Tokens"
import { Users } from "@lectern/core/user/Users"
import type { ContentRef, Document } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { Context, Effect, Layer } from "effect"
import { ApiCaller } from "../api/ApiCaller.ts"
import * as ApiReference from "../api/ApiReference.ts"
import * as TryIt from "../api/TryIt.ts"
import * as IntegrationBlock from "../contentkit/IntegrationBlock.ts"
import { SnippetCache } from "../rendering/SnippetCache.ts"
import type { OutlineEntry, SitePage } from "../page/SitePage.ts"
import * as Alternates from "./Alternates.ts"
import * as SiteContexts from "./SiteContexts.ts"
import * as IntegrationBlocks from "./IntegrationBlocks.ts"
import * as PageDocument from "./PageDocument.ts"
import * as RepeatedTitle from "./RepeatedTitle.ts"
import * as LinkTargets from "./LinkTargets.ts"
import * as Tree from "./Tree.ts"

export interface ResolvedPage {
  readonly type: "page"
  readonly published: PublishedContent
  readonly site: PublishedSite
  /** All inputs of `sitePage`. A rendered page remains valid while each input is identical. */
  readonly inputs: ReadonlyArray<unknown>
  /** Bytes of memory needed to render the page. */
  readonly renderedBytes: number
  /** Content of the page; computed on first access. */
  readonly sitePage: SitePage
}

/** Result for a URL. */
export type ResolvedUrl =
  | ResolvedPage
  /** The site exists but has no page at this path (see `published.pathname`). */
  | { readonly type: "no-page"; readonly published: PublishedContent; readonly site: PublishedSite }
  | {
      readonly type: "redirect"
      readonly to: string
      readonly leavesSite: boolean
      /** True if the redirect was set as permanent. */
      readonly isPermanent: boolean
    }
  | { readonly type: "nothing" }

export class SitePages extends Context.Service<
  SitePages,
  {
    /**
     * Resolves a URL for a reader. The result `nothing` has no reason: the site does not exist, is unpublished or is
     * not visible to the reader. `origin`: origin of links to the site, if different from the origin of the reader's
     * URL. Default: links are paths.
     */
    readonly find: (query: PublishedUrlQuery, origin?: string) => Effect.Effect<ResolvedUrl, StorageError>
  }
>()("@lectern/site/reading/SitePages") {
  static readonly make = Effect.gen(function* () {
    const urls = yield* PublishedUrls
    const sites = yield* PublishedSites
    const contents = yield* Contents
    const users = yield* Users
    const tokens = yield* Tokens
    const threads = yield* Threads
    const computedSpecs = yield* ComputedSpecs
    const contentSpecs = yield* ContentSpecs
    const snippetCache = yield* SnippetCache
    const previews = yield* Previews
    const caller = yield* ApiCaller
    const renders = yield* IntegrationRenders
    const budget = yield* MemoryBudget
    const frameOrigin = new URL(yield* IntegrationsUrl).origin
    const hasApp = (yield* AppPaths).content !== undefined

    const readPage = Effect.fnUntraced(function* (published: PublishedContent) {
      const { organization, site: id, shareKey } = published
      const site = yield* sites.get(organization, id, shareKey === undefined ? {} : { shareKey })
      if (published.page === undefined) return { type: "no-page", published, site } satisfies ResolvedUrl
      const location = yield* contents.locate({ space: published.space })
      const tree = yield* Tree.read(contents, location)
      const page = yield* contents.page(location, published.page, PageDocument.options)
      const json = JsonText.jsonOfField(page, "document")
      if (json !== undefined) yield* budget.reserveForResponse(json.length * PageDocument.bytesPerCharacter)
      const mount = yield* SiteMount
      const isStatic = mount?.staticSite !== undefined
      const hasPublicUrl = mount?.staticSite?.hasPublicUrl ?? true
      const space = { location, tree, base: published.basePath, isStatic }
      if (page.type === "group") return resolveGroup(page, space, published, site)
      const { document: fullDocument, refs } = yield* PageDocument.read(threads, page)
      const apis = yield* ApiReference.load({ specs: computedSpecs, contentSpecs }, location, fullDocument)
      const specs = apis.loaded
      const isFromSpec = page.type === "document" && page.computed?.type === "builtin:openapi"
      const visibleDocument = isFromSpec ? ApiReference.withoutTables(fullDocument, specs) : fullDocument
      const hasTitle = page.type === "document" && page.layout.title
      const { document, titleId } = hasTitle
        ? RepeatedTitle.omitRepeatedTitle(visibleDocument, page.title)
        : { document: visibleDocument }
      const customization = SiteContexts.customizationOf(site, published)
      const preview = yield* SiteContexts.previewOf(previews, published)
      const targets = yield* LinkTargets.find({ contents, users }, site, space, [
        ...refs,
        ...coverOf(page),
        ...siteRefs(customization)
      ])
      const canonicalUrl = canonicalOf(site, published, page, tree)
      const variants = yield* Alternates.pageInVariants(contents, site, published, page)
      const url = isStatic ? new URL(canonicalUrl).pathname : canonicalUrl
      const alternates = Alternates.alternatesOf(published, { page, document, url, variants, hasPublicUrl })
      const variantUrls = new Map(variants.map(({ siteSpace, url }) => [siteSpace.id, url]))
      const theme = customization.themes.default === "dark" ? "dark" : "light"
      const blocks = yield* budget.pause(IntegrationBlocks.renderBlocks(renders, published.space, document, theme))
      const { language, gitSync } = location.space
      const loadedSpecs = [...specs.values()]
      const sources = loadedSpecs.map(({ source }) => source)
      const isSignedOn = published.session !== undefined
      const otherInputs = JSON.stringify([
        canonicalUrl,
        alternates,
        [...variantUrls],
        language,
        gitSync,
        preview,
        isSignedOn,
        sources
      ])
      const specInputs = [...loadedSpecs.map(({ spec }) => spec), apis.isComplete]
      const inputs = [site, tree, page, targets.text, otherInputs, ...blocks.inputs, ...specInputs]
      const { targetOf } = targets
      const createSitePage = (): SitePage => {
        const path = Tree.pathTo(tree, page.id)
        const neighbors = Tree.neighborsOf(tree, page.id)
        const linkOf = (linkedPage: Resources.DocumentPage | undefined) =>
          linkedPage && { title: linkedPage.title, url: Tree.urlOf(linkedPage, space) }
        const previous = linkOf(neighbors.previous)
        const next = linkOf(neighbors.next)
        const [cover] = page.type === "document" ? coverOf(page).map(targetOf) : []
        const { isComplete, pending, ...snippets } = snippetCache.snippets(customization.styling.icons)
        const buttons = new TryIt.TryItButtons({
          base: published.basePath,
          page: page.id,
          hasProxy: caller !== undefined
        })
        return {
          isComplete: () => blocks.isComplete && apis.isComplete && isComplete(),
          pending,
          callableOrigins: () => [...buttons.origins],
          ...SiteContexts.siteContextOf(published, site, {
            customization,
            language,
            variantUrls,
            targetOf,
            snippets,
            api: ApiReference.createRenderer(specs, isStatic ? undefined : buttons),
            staticSite: mount?.staticSite,
            integration: (block, renderer) => {
              const blockLocation = {
                base: published.basePath,
                site: published.siteBasePath,
                page: page.id,
                frameOrigin
              }
              return IntegrationBlock.renderBlock(block, blocks.resultOf(block), blockLocation, renderer)
            },
            preview
          }),
          tree: Tree.entries(
            space,
            path.map((ancestor) => ancestor.id)
          ),
          page: {
            id: page.id,
            title: page.title,
            ...(titleId !== undefined && { titleId }),
            ...Tree.emojiOf(page),
            ...(page.icon !== undefined && { icon: page.icon }),
            ...(page.type === "document" && page.description !== undefined && { description: page.description }),
            // The time of an import would differ from run to run.
            ...(!isStatic && { updatedAt: page.updatedAt }),
            ...(location.space.language !== undefined && { language: location.space.language }),
            ...(gitEditOf(location, page) ?? (hasApp && !isStatic && preview === undefined ? appEditOf(page) : {})),
            isListed: !("noRobotsIndex" in page && page.noRobotsIndex === true),
            layout: page.type === "document" ? page.layout : plainLayout,
            ...(cover?.url !== undefined && {
              cover: { url: cover.url, isFull: page.type === "document" && page.layout.coverSize === "full" }
            }),
            document,
            outline: outlineOf(document)
          },
          breadcrumbs: path.slice(0, -1).map((ancestor) => ({
            title: ancestor.title,
            ...(ancestor.type === "document" && { url: Tree.urlOf(ancestor, space) })
          })),
          ...(isBlank(document) && { cards: Tree.childCards(page.id, space) }),
          ...(previous && { previous }),
          ...(next && { next }),
          canonicalUrl,
          alternates
        }
      }
      let sitePage: SitePage | undefined
      return {
        type: "page",
        published,
        site,
        inputs,
        renderedBytes: estimateBytes(page),
        get sitePage() {
          return (sitePage ??= createSitePage())
        }
      } satisfies ResolvedUrl
    })

    const find = Effect.fn("SitePages.find")(
      function* (query: PublishedUrlQuery, origin = "") {
        const urlResult = yield* urls.resolve(query)
        const published = "redirect" in urlResult || origin === "" ? urlResult : withOrigin(origin, urlResult)
        if ("redirect" in published) {
          return {
            type: "redirect",
            to: published.redirect,
            leavesSite: published.target === "external",
            isPermanent: published.permanent === true
          } satisfies ResolvedUrl
        }
        const reader = yield* tokens.authenticate(published.apiToken)
        const resolved: ResolvedUrl = yield* Effect.provideService(readPage(published), CurrentActor, reader)
        return resolved.type === "redirect" ? { ...resolved, to: resolved.to + new URL(query.url).search } : resolved
      },
      (result): Effect.Effect<ResolvedUrl, StorageError> =>
        Effect.catch(result, (failure) =>
          failure._tag === "StorageError" ? Effect.fail(failure) : Effect.succeed<ResolvedUrl>({ type: "nothing" })
        )
    )

    return SitePages.of({ find })
  })

  static readonly layer = Layer.effect(SitePages, this.make)
}

/** Replaces base paths with absolute URLs. */
const withOrigin = (origin: string, published: PublishedContent): PublishedContent => ({
  ...published,
  basePath: origin + published.basePath,
  siteBasePath: origin + published.siteBasePath
})

/**
 * Returns the canonical URL of a page. The first page of a space is available at two paths; its canonical URL is the
 * URL of the space.
 */
const canonicalOf = (
  site: PublishedSite,
  { canonicalUrl, siteSpace }: PublishedContent,
  page: Resources.Page,
  tree: Resources.Pages
): string => {
  if (!Tree.isFront(page, tree)) return canonicalUrl
  return LinkTargets.siteSpacesOf(site).find(({ id }) => id === siteSpace)?.urls.published ?? canonicalUrl
}

/** Resolves the URL of a group to the first document in the group, if there is one, since a group has no content. */
const resolveGroup = (
  group: Resources.Page,
  space: LinkTargets.LocatedSpace,
  { page: _, ...published }: PublishedContent,
  site: PublishedSite
): ResolvedUrl => {
  const firstPage = Tree.firstDocument([Tree.find(space.tree, group.id) ?? group])
  return firstPage === undefined
    ? { type: "no-page", published, site }
    : { type: "redirect", to: Tree.urlOf(firstPage, space), leavesSite: false, isPermanent: false }
}

const coverOf = (page: Resources.Page): ReadonlyArray<ContentRef> =>
  page.type === "document" && page.layout.cover && page.cover?.ref !== undefined ? [page.cover.ref] : []

/** Returns the link targets of the header, the footer and the announcement. */
export const siteRefs = ({
  header,
  footer,
  announcement
}: PublishedSite["customizations"]["site"]): ReadonlyArray<ContentRef> => [
  ...header.links.flatMap(({ to, links }) => [...(to === null ? [] : [to]), ...links.map((link) => link.to)]),
  ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
  ...(announcement?.link === undefined ? [] : [announcement.link.to])
]

/**
 * Estimates the memory of a rendered page: 4 MiB for navigation, and 20 bytes for each JSON character of the document.
 */
const estimateBytes = (page: Resources.Page): number =>
  4 * 1024 * 1024 + 20 * (JsonText.jsonOfField(page, "document")?.length ?? StoredDocument.smallJson / 4)

/** True if the document has no visible content. */
const isBlank = ({ nodes }: Document): boolean =>
  nodes.every(
    ({ type, nodes = [] }) =>
      type === "html" ||
      (type === "paragraph" &&
        nodes.every((node) => node.object === "text" && node.leaves.every(({ text }) => text.trim() === "")))
  )

const plainLayout: SitePage["page"]["layout"] = {
  width: "default",
  title: true,
  description: true,
  tableOfContents: true,
  outline: false,
  pagination: true,
  metadata: false,
  actions: false
}

type Edit = Pick<SitePage["page"], "edit">

/** Returns a link to the page's file in its repository, if the site shows the repository to its readers. */
const gitEditOf = ({ space }: LocatedRevision, page: Resources.Page): Edit | undefined => {
  const { gitSync } = space
  if (gitSync === undefined || page.type !== "document" || page.git === undefined) return undefined
  const { installationProvider: provider, url } = gitSync
  const [repository, branch] = url.split(/\/(?:-\/)?tree\//)
  if (branch === undefined || (provider !== "github" && provider !== "gitlab")) return undefined
  const editSegment = provider === "github" ? "edit" : "-/edit"
  const host = provider === "github" ? "GitHub" : "GitLab"
  const path = page.git.path.split("/").map(encodeURIComponent).join("/")
  return { edit: { host, url: `${repository}/${editSegment}/${branch}/${path}` } }
}

/** Returns a link that opens the page in the app for writing. A computed page is not written. */
const appEditOf = (page: Resources.Page): Edit =>
  page.type === "document" && page.computed === undefined ? { edit: { url: `${page.urls.app}#${editFragment}` } } : {}

/** Returns the headings that the outline lists: levels 1 and 2. */
const outlineOf = (document: Document): ReadonlyArray<OutlineEntry> =>
  document.nodes.flatMap((block) => {
    const level = DocumentText.headingLevel(block)
    const id = block.meta?.id
    if (level === undefined || id === undefined || level > 2) return []
    const title = DocumentText.inlinesText(block.nodes ?? [])
    // A heading without text is omitted, since it would make a link without text.
    return title.trim() === "" ? [] : [{ id, level, title }]
  })
