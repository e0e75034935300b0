/**
 * A page as a revision keeps it: everything but the document, which is an object of its own, and
 * the path, which follows from the slugs of the page and those above it.
 *
 * Limits: title 1 to 256 characters, slug 1 to 100, description 2,000, icon and emoji 50; at most
 * 10 levels below a page and 50,000 pages in a space.
 */
import { Schema } from "effect"
import { ObjectHash } from "../../storage/ObjectStore.ts"
import { Timestamp } from "../../schema/Text.ts"
import { Emoji } from "../../schema/Emoji.ts"
import * as Text from "../../schema/Text.ts"
import { ComputedSource } from "../../computed/ComputedSource.ts"
import { ContentRef } from "@lectern/document/Document"
import * as ServedNames from "../../site/ServedNames.ts"
import { PageTags } from "../tags/Tag.ts"

export const PageId = Schema.String.pipe(Schema.brand("PageId"))
export type PageId = typeof PageId.Type

/** A `computed` page stands for pages that are built where it stands (see `ComputedContents`). */
export const PageType = Schema.Literals(["document", "group", "link", "computed"])
export type PageType = typeof PageType.Type

/** One segment of a path: no slash, query, fragment, white space or control character, and not `.` or `..`. */
export const Slug = Text.between(1, 100).check(
  Schema.isPattern(new RegExp(`^(?!\\.{1,2}$)[^\\s${Text.controls}/?#\\\\%]+$`, "u"), {
    message: "Expected a slug: no slash, white space, control character, ?, #, % or \\"
  })
)

/** A slug that a caller supplies: not one of the names that every site serves itself. */
export const ChosenSlug = Slug.check(
  Schema.makeFilter((slug: string) => (ServedNames.isReserved(slug) ? ServedNames.refusal(slug) : undefined))
)

export const PageLayout = Schema.Struct({
  width: Schema.Literals(["default", "wide"]),
  cover: Schema.Boolean,
  coverSize: Schema.Literals(["hero", "full", "background"]),
  coverMask: Schema.Literals(["none", "radial"]),
  title: Schema.Boolean,
  description: Schema.Boolean,
  tableOfContents: Schema.Boolean,
  outline: Schema.Boolean,
  pagination: Schema.Boolean,
  metadata: Schema.Boolean,
  tags: Schema.Boolean,
  actions: Schema.Boolean,
  anchors: Schema.Boolean
})
export type PageLayout = typeof PageLayout.Type

/** The layout of a page that does not set one. */
export const defaultLayout: PageLayout = {
  width: "default",
  cover: true,
  coverSize: "hero",
  coverMask: "none",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true
}

/** In pixels. */
export const CoverHeight = Schema.Finite.check(Schema.isBetween({ minimum: 10, maximum: 700 }))

export const PageCover = Schema.Struct({
  ref: Schema.optionalKey(ContentRef),
  refDark: Schema.optionalKey(ContentRef),
  yPos: Schema.Finite,
  height: Schema.optionalKey(CoverHeight)
})

export const Variables = Schema.Record(Schema.String, Schema.Union([Text.storable, Schema.Finite, Schema.Boolean]))
export type Variables = typeof Variables.Type

/** Variables as they are told: each as text. */
export const VariableTexts = Schema.Record(Schema.String, Schema.String)

export const textsOf = (variables: Variables): typeof VariableTexts.Type =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]))

/** Origin of an imported page or file: the id of the blob and its path in the folder. */
export const GitBlob = Schema.Struct({ oid: Schema.String, path: Schema.String })
export type GitBlob = typeof GitBlob.Type

export const maxTitle = 256

const Title = Text.line(1, maxTitle)

/** Fields that callers may set on a page, apart from its place and its document. */
export const PageMetadata = Schema.Struct({
  title: Title,
  /** Name in navigation, where that is not its title. */
  linkTitle: Title,
  slug: Slug,
  emoji: Emoji,
  icon: Text.atMost(50),
  description: Text.atMost(2000),
  hidden: Schema.Boolean,
  noIndex: Schema.Boolean,
  noRobotsIndex: Schema.Boolean,
  condition: Text.between(1, 1024)
})

export const PageEntry = Schema.Struct({
  id: PageId,
  type: PageType,
  title: PageMetadata.fields.title,
  linkTitle: Schema.optionalKey(PageMetadata.fields.linkTitle),
  slug: Slug,
  /** The page or group it stands under; null at the top. */
  parent: Schema.NullOr(PageId),
  /** Its place among its siblings: a fractional index, ordered by code point. */
  position: Schema.String,
  emoji: Schema.optionalKey(PageMetadata.fields.emoji),
  icon: Schema.optionalKey(PageMetadata.fields.icon),
  description: Schema.optionalKey(PageMetadata.fields.description),
  hidden: Schema.optionalKey(Schema.Boolean),
  noIndex: Schema.optionalKey(Schema.Boolean),
  noRobotsIndex: Schema.optionalKey(Schema.Boolean),
  condition: Schema.optionalKey(PageMetadata.fields.condition),
  layout: Schema.optionalKey(PageLayout),
  cover: Schema.optionalKey(PageCover),
  variables: Schema.optionalKey(Variables),
  tags: Schema.optionalKey(PageTags),
  /** Front matter that is not understood, verbatim: it is written back as it came. */
  frontMatter: Schema.optionalKey(Schema.String),
  /** The document of a page of type `document`; absent while it is empty. */
  document: Schema.optionalKey(ObjectHash),
  /** Target of a page of type `link`. */
  target: Schema.optionalKey(ContentRef),
  /** Source of a page of type `computed`, or of the text of one of type `document`. */
  computed: Schema.optionalKey(ComputedSource),
  git: Schema.optionalKey(GitBlob),
  /** An entry of a table of contents without a link became it: while it is empty, an export writes no file. */
  unlinked: Schema.optionalKey(Schema.Literal(true)),
  /** The file that it was imported from (see `SourceText`). */
  source: Schema.optionalKey(ObjectHash),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type PageEntry = typeof PageEntry.Type

/** Attributes that are sets of options, each of which is decided by itself, and what they are where not set. */
export const pageOptions = {
  layout: defaultLayout,
  cover: {},
  variables: {}
} as const satisfies { readonly [name in keyof PageEntry]?: object }

/** Fields of a page that a reader sees, apart from its place and its document. */
export const pageAttributes = [
  "title",
  "linkTitle",
  "slug",
  "emoji",
  "icon",
  "description",
  "hidden",
  "noIndex",
  "noRobotsIndex",
  "condition",
  "layout",
  "cover",
  "variables",
  "tags",
  "target",
  "computed"
] as const satisfies ReadonlyArray<keyof PageEntry>

/** The type that a page has for readers: groups stand at the top alone, and are documents without a text elsewhere. */
export const shownType = ({ type, parent }: PageEntry, isTop = parent === null): PageEntry["type"] =>
  type === "group" && !isTop ? "document" : type

/** Tells whether a page has no file of its own, for nothing is in it. */
export const isUnlinked = ({ unlinked, document, computed, parent }: PageEntry): boolean =>
  unlinked === true && document === undefined && computed === undefined && parent !== null
