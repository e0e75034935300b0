/** API resources of content: revisions, pages, files, and changes between revisions. */
import { Schema } from "effect"
import { ChangeRequest } from "../change-request/ChangeRequest.ts"
import { ComputedDocument, ComputedPages, IntegrationSource } from "../computed/ComputedSource.ts"
import * as Text from "../schema/Text.ts"
import { ContentRef } from "@lectern/document/ContentRef"
import { FileId } from "./files/File.ts"
import { GitBlob, PageCover, PageId, PageLayout, VariableTexts } from "./pages/Page.ts"
import { PageTag, Tag } from "./tags/Tag.ts"
import { RevisionGit, RevisionId, RevisionType } from "./revisions/Revision.ts"

const pageFields = {
  object: Schema.Literal("page"),
  id: PageId,
  title: Schema.String,
  /** Name in navigation. Default: the title. */
  linkTitle: Schema.optionalKey(Schema.String),
  emoji: Schema.optionalKey(Schema.String),
  icon: Schema.optionalKey(Schema.String),
  createdAt: Text.Timestamp,
  updatedAt: Text.Timestamp,
  condition: Schema.optionalKey(Schema.String),
  hidden: Schema.optionalKey(Schema.Boolean),
  urls: Schema.Struct({ app: Schema.String })
}

const treeFields = {
  slug: Schema.String,
  /** Path of the page: the slugs from the top down to the page. */
  path: Schema.String,
  noIndex: Schema.optionalKey(Schema.Boolean),
  noRobotsIndex: Schema.optionalKey(Schema.Boolean),
  pages: Schema.Array(Schema.suspend((): Schema.Codec<Page, unknown> => Page))
}

interface PageBase {
  readonly object: "page"
  readonly id: PageId
  /** Title. */
  readonly title: string
  /** Title in the tree of pages. Default: the title. */
  readonly linkTitle?: string
  /** Emoji. */
  readonly emoji?: string
  /** Name of an icon. */
  readonly icon?: string
  readonly createdAt: Text.Timestamp
  readonly updatedAt: Text.Timestamp
  /** Expression that decides for each visitor if the page is visible. */
  readonly condition?: string
  /** True if the page is not in the tree of a site. */
  readonly hidden?: boolean
  readonly urls: { readonly app: string }
}

interface TreePage extends PageBase {
  /** Last segment of the path. */
  readonly slug: string
  /** Path of the page: the slugs from the top down to the page. */
  readonly path: string
  /** True to hide the page from the search of a site. */
  readonly noIndex?: boolean
  /** True to hide the page from search engines. */
  readonly noRobotsIndex?: boolean
  /** Child pages, in order. */
  readonly pages: ReadonlyArray<Page>
}

export interface DocumentPage extends TreePage {
  /** Kind of the page. */
  readonly type: "document"
  readonly kind: "sheet"
  /** Description. */
  readonly description?: string
  /** Parts of the page that a site shows. */
  readonly layout: PageLayout
  /** Picture above the page. */
  readonly cover?: typeof PageCover.Type
  /** Variables of the page, by name. */
  readonly variables?: typeof VariableTexts.Type
  /** Tags of the page. */
  readonly tags: ReadonlyArray<PageTag>
  /** File in the repository, if the space is synchronized with one. */
  readonly git?: GitBlob
  /** Source of a computed document, and the seed of the ids in it. */
  readonly computed?: ComputedDocument | IntegrationSource
  readonly computedSeed?: string
  /** Markdown of the document. Only in the response for a single page in this format. */
  readonly markdown?: string
  /** Document. Only in the response for a single page in this format. */
  readonly document?: unknown
}

export interface GroupPage extends TreePage {
  readonly type: "group"
  readonly kind: "group"
}

export interface LinkPage extends PageBase {
  readonly type: "link"
  readonly kind: "link"
  /** Target of the link. */
  readonly target: ContentRef
  /** URL of the target. Absent for a broken link. */
  readonly href?: string
}

/** A page of type `computed`, in a tree without built computed pages. */
export interface ComputedPage extends PageBase {
  readonly type: "computed"
  readonly slug: string
  readonly path: string
  readonly computed: ComputedPages | IntegrationSource
}

export type Page = DocumentPage | GroupPage | LinkPage | ComputedPage

export const Page: Schema.Codec<Page, unknown> = Schema.Union([
  Schema.Struct({
    ...pageFields,
    ...treeFields,
    type: Schema.Literal("document"),
    kind: Schema.Literal("sheet"),
    description: Schema.optionalKey(Schema.String),
    layout: PageLayout,
    cover: Schema.optionalKey(PageCover),
    variables: Schema.optionalKey(VariableTexts),
    tags: Schema.Array(PageTag),
    git: Schema.optionalKey(GitBlob),
    computed: Schema.optionalKey(Schema.Union([ComputedDocument, IntegrationSource])),
    computedSeed: Schema.optionalKey(Schema.String),
    markdown: Schema.optionalKey(Schema.String),
    document: Schema.optionalKey(Schema.Unknown)
  }),
  Schema.Struct({ ...pageFields, ...treeFields, type: Schema.Literal("group"), kind: Schema.Literal("group") }),
  Schema.Struct({
    ...pageFields,
    type: Schema.Literal("link"),
    kind: Schema.Literal("link"),
    target: ContentRef,
    href: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    ...pageFields,
    type: Schema.Literal("computed"),
    slug: treeFields.slug,
    path: treeFields.path,
    computed: Schema.Union([ComputedPages, IntegrationSource])
  })
]).annotate({ identifier: "Page" })

export const PageFormat = Schema.Literals(["markdown", "document"])
export type PageFormat = typeof PageFormat.Type

export const Pages = Schema.Struct({
  /** Pages at the top, with their child pages. */
  pages: Schema.Array(Page)
})
export interface Pages extends Schema.Schema.Type<typeof Pages> {}

/** The document of a page, without the page. */
export const PageDocument = Schema.Struct({
  object: Schema.Literal("document"),
  data: Schema.Record(Schema.String, Schema.Unknown),
  nodes: Schema.Array(Schema.Unknown)
}).annotate({ identifier: "Document" })

/** Alternate URLs of a page as links for the HTML head. Always empty. */
export const PageMetaLinks = Schema.Struct({})

export const File = Schema.Struct({
  object: Schema.Literal("file"),
  id: FileId,
  /** Name. */
  name: Schema.String,
  /** Media type. */
  contentType: Schema.String,
  /** Signed URL, valid for at least 10 minutes. */
  downloadURL: Schema.String,
  /** Size in bytes. */
  size: Schema.Int,
  /** Size of an image in pixels. */
  dimensions: Schema.optionalKey(Schema.Struct({ width: Schema.Int, height: Schema.Int })),
  /** File in the repository, if the space is synchronized with one. */
  git: Schema.optionalKey(GitBlob)
})
export interface File extends Schema.Schema.Type<typeof File> {}

export const Revision = Schema.Struct({
  object: Schema.Literal("revision"),
  id: RevisionId,
  /** Ids of the revisions that this one follows. */
  parents: Schema.Array(RevisionId),
  /** Origin of the revision. */
  type: RevisionType,
  /** The merged change request, for a revision of type `merge`. */
  mergedFrom: Schema.optionalKey(ChangeRequest),
  /** Pages at the top, with their child pages. */
  pages: Schema.Array(Page),
  /** Files. */
  files: Schema.Array(File),
  /** Reusable contents. */
  reusableContents: Schema.Array(
    Schema.Struct({
      object: Schema.Literal("reusable-content"),
      id: Schema.String,
      title: Schema.String,
      /** Commit, if the space is synchronized with a repository. */
      git: Schema.optionalKey(GitBlob)
    })
  ),
  /** Tags of the space. */
  tags: Schema.Array(Tag),
  /** Variables of the space, by name. */
  variables: VariableTexts,
  createdAt: Text.Timestamp,
  git: Schema.optionalKey(RevisionGit),
  urls: Schema.Struct({ app: Schema.String })
})
export interface Revision extends Schema.Schema.Type<typeof Revision> {}

const ChangedPage = Schema.Struct({
  id: PageId,
  type: Schema.String,
  title: Schema.String,
  path: Schema.optionalKey(Schema.String)
})
const ChangedFile = Schema.Struct({
  id: FileId,
  name: Schema.String,
  contentType: Schema.String,
  downloadURL: Schema.String
})
const ChangedReusableContent = Schema.Struct({ id: Schema.String, title: Schema.String })
const BeforeAndAfter = Schema.Struct({
  before: Schema.optionalKey(Schema.Unknown),
  after: Schema.optionalKey(Schema.Unknown)
})
const Attributes = Schema.Record(Schema.String, BeforeAndAfter)

export const SemanticChange = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["page_created", "page_deleted"]), page: ChangedPage }),
  Schema.Struct({
    type: Schema.Literal("page_moved"),
    page: ChangedPage,
    parent: Schema.Struct({ before: Schema.optionalKey(ChangedPage), after: Schema.optionalKey(ChangedPage) })
  }),
  Schema.Struct({ type: Schema.Literal("page_edited"), page: ChangedPage, attributes: Attributes }),
  Schema.Struct({ type: Schema.Literals(["file_created", "file_deleted"]), file: ChangedFile }),
  Schema.Struct({ type: Schema.Literal("file_edited"), file: ChangedFile, attributes: Attributes }),
  Schema.Struct({
    type: Schema.Literals(["reusable_content_created", "reusable_content_deleted"]),
    reusableContent: ChangedReusableContent
  }),
  Schema.Struct({
    type: Schema.Literal("reusable_content_edited"),
    reusableContent: ChangedReusableContent,
    attributes: Attributes
  }),
  Schema.Struct({ type: Schema.Literal("variables_edited"), variables: Attributes })
])
export type SemanticChange = typeof SemanticChange.Type

/** Changes of a revision compared with its parent. */
export const Changes = Schema.Struct({
  /** The merged change request, if the revision came from one. */
  mergedFrom: Schema.optionalKey(ChangeRequest),
  /** Changes of pages, files, reusable contents and variables. */
  changes: Schema.Array(SemanticChange),
  /** Number of omitted changes. */
  more: Schema.optionalKey(Schema.Int)
})
export interface Changes extends Schema.Schema.Type<typeof Changes> {}

/** Id of the page that contains a source. Ids of the computed pages are derived from it. */
const Seed = Text.between(1, 256)

/** Request for the pages of a source. */
export const PagesRequest = Schema.Struct({
  /** Source of the pages: an OpenAPI spec or an integration, with its properties. */
  source: Schema.Union([ComputedPages, IntegrationSource]),
  /** Id of the page that contains the source. Ids of the computed pages are derived from it. */
  seed: Seed
})
export type PagesRequest = typeof PagesRequest.Type

/** Request for the document of a source. */
export const DocumentRequest = Schema.Struct({
  /** Source of the document. */
  source: Schema.Union([ComputedDocument, IntegrationSource]),
  /** Id of the page that contains the source. */
  seed: Seed
})
export type DocumentRequest = typeof DocumentRequest.Type

/** Pages of a source, nested, and their files. */
export const ComputedRevision = Schema.Struct({
  pages: Schema.Array(Page),
  files: Schema.Array(File),
  /** Always empty, since reusable contents are never computed. */
  reusableContents: Schema.Array(Schema.Never)
})
export interface ComputedRevision extends Schema.Schema.Type<typeof ComputedRevision> {}
