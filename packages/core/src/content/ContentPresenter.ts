/** Converts stored content to resources of the API, with one function for each resource. */
import { Effect } from "effect"
import {
  type ComputedSource,
  type ComputedDocument,
  type IntegrationSource,
  isIntegration,
  isPages,
  specOf
} from "../computed/ComputedSource.ts"
import { Slice, type Steps } from "../storage/Slice.ts"
import type { AppUrls } from "../identity/AppUrls.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Resources from "./ContentResources.ts"
import type { ContentReader } from "./ContentReader.ts"
import type * as ContentDiff from "./ContentDiff.ts"
import type { FileEntry } from "./files/File.ts"
import { defaultLayout, type PageEntry, shownType, textsOf, type Variables } from "./pages/Page.ts"
import * as PageTree from "./pages/PageTree.ts"
import type { RevisionRow } from "./revisions/Revision.ts"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { displayedTags, type Tag } from "./tags/Tag.ts"
import type { VisibleReferences } from "./VisibleReferences.ts"

/** Base of links in a response, and whether it includes mutable Git metadata. */
export interface Presentation {
  readonly urls: AppUrls
  readonly space: string
  readonly metadata: boolean
  readonly downloadURL: (file: FileEntry) => string
  /** Tags that the content defines, by slug. Default: none. */
  readonly tags?: ReadonlyMap<string, Tag>
  /**
   * Restrictions for a visitor: no editing metadata, only these variables, and no names of specs that the visitor does
   * not see.
   */
  readonly restrictions?: Pick<VisibleReferences, "variables" | "pageVariables"> & {
    readonly seesSpec: (spec: string) => boolean
  }
}

const git = <A>(value: A | undefined, { metadata }: Presentation) =>
  metadata && value !== undefined ? { git: value } : {}

/**
 * Converts a tree of pages to resources, in time slices (see `Slice`). `parentPath`: the path of the page that contains
 * the nodes; empty at the top.
 */
export const pages = (
  nodes: ReadonlyArray<PageTree.PageNode>,
  presentation: Presentation,
  above = ""
): Effect.Effect<ReadonlyArray<Resources.Page>> => Slice.run(presentationSteps(nodes, presentation, above))

/** Converts a page with its descendants to a resource, in time slices (see `Slice`). */
export const page = (
  node: PageTree.PageNode,
  presentation: Presentation,
  parentPath: string
): Effect.Effect<Resources.Page> => Effect.map(pages([node], presentation, parentPath), ([page]) => page!)

function* presentationSteps(
  nodes: ReadonlyArray<PageTree.PageNode>,
  presentation: Presentation,
  parentPath: string
): Steps<ReadonlyArray<Resources.Page>> {
  const order = yield* PageTree.preorder(nodes)
  const presentedByNode = new Map<PageTree.PageNode, Resources.Page>()
  const take = (node: PageTree.PageNode) => {
    const page = presentedByNode.get(node)!
    presentedByNode.delete(node)
    return page
  }
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i]!
    presentedByNode.set(node, pageOf(node, presentation, parentPath, node.pages.map(take)))
    yield
  }
  return nodes.map(take)
}

/** Presents a page with its presented children. */
const pageOf = (
  node: PageTree.PageNode,
  presentation: Presentation,
  parentPath: string,
  children: ReadonlyArray<Resources.Page>
): Resources.Page => {
  const { page: entry } = node
  const path = parentPath === "" ? node.path : `${parentPath}/${node.path}`
  const base = {
    object: "page",
    id: entry.id,
    title: entry.title,
    ...(entry.linkTitle !== undefined && { linkTitle: entry.linkTitle }),
    ...(entry.emoji !== undefined && { emoji: entry.emoji }),
    ...(entry.icon !== undefined && { icon: entry.icon }),
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
    ...(entry.condition !== undefined && { condition: entry.condition }),
    ...(entry.hidden === true && { hidden: true }),
    urls: { app: presentation.urls.page(presentation.space, entry.id) }
  } as const
  const { restrictions } = presentation
  if (entry.type === "link") {
    const storedTarget = entry.target ?? ({ kind: "url", url: "" } as const)
    const target = restrictions === undefined ? storedTarget : VisitorDocument.safeRef(storedTarget)
    return { ...base, type: "link", kind: "link", target, ...(target.kind === "url" && { href: target.url }) }
  }
  if (entry.type === "computed") {
    if (entry.computed !== undefined && (isIntegration(entry.computed) || isPages(entry.computed))) {
      return {
        ...base,
        type: "computed",
        slug: entry.slug,
        path,
        computed: withoutHiddenDetails(entry.computed, restrictions)
      }
    }
  }
  const treeFields = {
    slug: entry.slug,
    path,
    ...(entry.noIndex === true && { noIndex: true }),
    ...(entry.noRobotsIndex === true && { noRobotsIndex: true }),
    pages: children
  } as const
  if (shownType(entry, entry.parent === null && parentPath === "") === "group")
    return { ...base, ...treeFields, type: "group", kind: "group" }
  const variables =
    restrictions === undefined ? entry.variables : pickNames(entry.variables, restrictions.pageVariables.get(entry.id))
  return {
    ...base,
    ...treeFields,
    type: "document",
    kind: "sheet",
    ...(entry.description !== undefined && { description: entry.description }),
    layout: entry.layout ?? defaultLayout,
    ...(entry.cover && { cover: restrictions === undefined ? entry.cover : safeCover(entry.cover) }),
    ...(variables && { variables: textsOf(variables) }),
    tags: displayedTags(entry.tags, presentation.tags),
    // A page without a file has no Git data, since its path refers to no file.
    ...(entry.unlinked === undefined && git(entry.git, presentation)),
    ...(entry.computed && {
      computed: withoutHiddenDetails(documentSourceOf(entry.computed, entry.title), restrictions),
      computedSeed: entry.id
    })
  }
}

/** Returns the variables with one of these names. Undefined without such variables. */
const pickNames = <A>(variables: Readonly<Record<string, A>> | undefined, names: ReadonlySet<string> = new Set()) => {
  const selectedVariables = Object.entries(variables ?? {}).filter(([name]) => names.has(name))
  return selectedVariables.length === 0 ? undefined : Object.fromEntries(selectedVariables)
}

const safeCover = (cover: NonNullable<PageEntry["cover"]>): NonNullable<PageEntry["cover"]> => ({
  ...cover,
  ...(cover.ref !== undefined && { ref: VisitorDocument.safeRef(cover.ref) }),
  ...(cover.refDark !== undefined && { refDark: VisitorDocument.safeRef(cover.refDark) })
})

/**
 * Removes hidden details of a source for a visitor: the props of an integration, and the name of a spec that the
 * visitor does not see.
 */
const withoutHiddenDetails = <A extends ComputedSource>(source: A, restrictions: Presentation["restrictions"]): A => {
  if (restrictions === undefined) return source
  if (isIntegration(source)) return { type: source.type, props: {} } as unknown as A
  const unnamedSpec = { spec: { ref: { kind: "openapi", spec: "" } } } as const
  return restrictions.seesSpec(specOf(source)) ? source : { ...source, dependencies: unnamedSpec }
}

/**
 * Returns the source of a page's own document. The document of a page with the pages of a spec describes the spec
 * itself.
 */
const documentSourceOf = (source: ComputedSource, title: string): ComputedDocument | IntegrationSource =>
  isPages(source) ? { ...source, props: { doc: "info", page: title } } : source

export const file = (entry: FileEntry, presentation: Presentation): Resources.File => ({
  object: "file",
  id: entry.id,
  name: entry.name,
  contentType: entry.contentType,
  downloadURL: presentation.downloadURL(entry),
  size: entry.size,
  ...(entry.dimensions && { dimensions: entry.dimensions }),
  ...git(entry.git, presentation)
})

export const revision = Effect.fnUntraced(function* (
  row: RevisionRow,
  content: ContentReader,
  presentation: Presentation
): Effect.fn.Return<Resources.Revision, StorageError> {
  const { restrictions } = presentation
  const tree = yield* PageTree.tree(content)
  const files = yield* content.files
  const variables = yield* content.variables
  const reusableContents = yield* content.reusableContents
  const result: Resources.Revision = {
    object: "revision",
    id: row.id,
    parents: restrictions === undefined ? row.parents : [],
    type: row.type,
    pages: yield* pages(tree, presentation),
    files: files.map((entry) => file(entry, presentation)),
    reusableContents: reusableContents.map((entry) => ({
      object: "reusable-content",
      id: entry.id,
      title: entry.title,
      ...git(entry.git, presentation)
    })),
    tags: [...(presentation.tags?.values() ?? [])],
    variables: textsOf(restrictions === undefined ? variables : (pickNames(variables, restrictions.variables) ?? {})),
    createdAt: row.createdAt,
    ...(restrictions === undefined && git(row.git, presentation)),
    urls: { app: `${presentation.urls.publicUrl}/v1/spaces/${presentation.space}/revisions/${row.id}` }
  }
  return result
})

/**
 * Presents changes. A page before the change has its path in the old content, a page after the change its path in the
 * new content.
 */
export const changes = Effect.fnUntraced(function* (
  semanticChanges: ContentDiff.SemanticChanges,
  before: ContentReader,
  after: ContentReader,
  presentation: Presentation
): Effect.fn.Return<Resources.Changes, StorageError> {
  const changedPage = Effect.fnUntraced(function* (entry: PageEntry, content: ContentReader) {
    return {
      id: entry.id,
      type: shownType(entry),
      title: entry.title,
      ...(entry.type !== "link" && { path: yield* PageTree.path(content, entry) })
    }
  })
  const parent = Effect.fnUntraced(function* (entry: PageEntry, content: ContentReader) {
    const parentPage = entry.parent === null ? undefined : yield* content.page(entry.parent)
    return parentPage && (yield* changedPage(parentPage, content))
  })
  const changedFile = ({ id, name, contentType, ...rest }: FileEntry) => ({
    id,
    name,
    contentType,
    downloadURL: presentation.downloadURL({ id, name, contentType, ...rest })
  })

  const present = Effect.fnUntraced(function* (change: ContentDiff.SemanticChange) {
    switch (change.type) {
      case "page_created":
        return { type: change.type, page: yield* changedPage(change.page, after) }
      case "page_deleted":
        return { type: change.type, page: yield* changedPage(change.page, before) }
      case "page_moved": {
        const from = yield* parent(change.before, before)
        const to = yield* parent(change.after, after)
        return {
          type: change.type,
          page: yield* changedPage(change.after, after),
          parent: { ...(from && { before: from }), ...(to && { after: to }) }
        }
      }
      case "page_edited":
        return {
          type: change.type,
          page: yield* changedPage(change.after, after),
          attributes: attributes(withTextVariables(change.before), withTextVariables(change.after), change.attributes)
        }
      case "file_created":
      case "file_deleted":
        return { type: change.type, file: changedFile(change.file) }
      case "file_edited":
        return {
          type: change.type,
          file: changedFile(change.after),
          attributes: attributes(change.before, change.after, change.attributes)
        }
      case "reusable_content_created":
      case "reusable_content_deleted":
        return {
          type: change.type,
          reusableContent: { id: change.reusableContent.id, title: change.reusableContent.title }
        }
      case "reusable_content_edited":
        return {
          type: change.type,
          reusableContent: { id: change.after.id, title: change.after.title },
          attributes: attributes(change.before, change.after, change.attributes)
        }
      case "variables_edited":
        return { type: change.type, variables: variableTexts(change.variables) }
    }
  })

  const presentedChanges: ReadonlyArray<Resources.SemanticChange> = yield* Effect.forEach(
    semanticChanges.changes,
    present
  )
  return { changes: presentedChanges, ...(semanticChanges.more > 0 && { more: semanticChanges.more }) }
})

const withTextVariables = (entry: PageEntry): PageEntry =>
  entry.variables === undefined ? entry : { ...entry, variables: textsOf(entry.variables) }

/** Returns the changed variables as text, before and after. */
const variableTexts = (variables: Readonly<Record<string, Variables>>) =>
  Object.fromEntries(Object.entries(variables).map(([name, change]) => [name, textsOf(change)]))

const attributes = <A extends object>(before: A, after: A, names: ReadonlyArray<keyof A & string>) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        ...(before[name] !== undefined && { before: before[name] }),
        ...(after[name] !== undefined && { after: after[name] })
      }
    ])
  )
