/**
 * A page as a revision stores it. The document is a separate object, and the path follows from the slugs of the page
 * and its ancestors.
 *
 * Limits: title 1 to 256 characters, slug 1 to 100, description 2,000, icon and emoji 50; at most 10 levels below a
 * page and 50,000 pages in a space.
 */
import { Schema } from "effect"
import { ObjectHash } from "../../storage/ObjectStore.ts"
import { Timestamp } from "../../schema/Text.ts"
import { Emoji } from "../../schema/Emoji.ts"
import * as Text from "../../schema/Text.ts"
import { ComputedSource } from "../../computed/ComputedSource.ts"
import { ContentRef } from "@lectern/document/ContentRef"
import * as ServedNames from "../../site/ServedNames.ts"
import { PageTags } from "../tags/Tag.ts"

/** Id of a page. A page keeps it when it is moved or renamed. */
export const PageId = Schema.String.pipe(Schema.brand("PageId"))
export type PageId = typeof PageId.Type

/**
 * Type of a page. A `computed` page is a placeholder for pages that are built at its position (see `ComputedContents`).
 */
export const PageType = Schema.Literals(["document", "group", "link", "computed"])
export type PageType = typeof PageType.Type

/**
 * One segment of a path: no slash, backslash, query, fragment, percent sign, white space or control character, and not
 * `.` or `..`.
 */
export const Slug = Text.between(1, 100).check(
  Schema.isPattern(new RegExp(`^(?!\\.{1,2}$)[^\\s${Text.controls}/?#\\\\%]+$`, "u"), {
    message: "Expected a slug: no slash, white space, control character, ?, #, % or \\"
  })
)

/** A slug that a caller supplies. Names that every site serves itself are rejected. */
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

/** Layout of a page that does not set a layout. */
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

/** Height of a cover (pixels). */
export const CoverHeight = Schema.Finite.check(Schema.isBetween({ minimum: 10, maximum: 700 }))

export const PageCover = Schema.Struct({
  ref: Schema.optionalKey(ContentRef),
  refDark: Schema.optionalKey(ContentRef),
  yPos: Schema.Finite,
  height: Schema.optionalKey(CoverHeight)
})

export const Variables = Schema.Record(Schema.String, Schema.Union([Text.storable, Schema.Finite, Schema.Boolean]))
export type Variables = typeof Variables.Type

/** Variables in responses: each value as text. */
export const VariableTexts = Schema.Record(Schema.String, Schema.String)

export const textsOf = (variables: Variables): typeof VariableTexts.Type =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]))

/**
 * Returns the values of a change of variables. Responses have the text of each value, so a text that is equal to that of
 * the stored value keeps the value: a number stays a number.
 */
export const valuesOf = (variables: Variables, stored: Variables = {}): Variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const current = Object.hasOwn(stored, name) ? stored[name] : undefined
      return [name, current !== undefined && String(current) === value ? current : value]
    })
  )

/** Origin of an imported page or file: the id of the blob and its path in the folder. */
export const GitBlob = Schema.Struct({ oid: Schema.String, path: Schema.String })
export type GitBlob = typeof GitBlob.Type

export const maxTitle = 256

const Title = Text.line(1, maxTitle)

/** Fields that callers may set on a page, except its position and its document. */
export const PageMetadata = Schema.Struct({
  title: Title,
  /** Name in navigation. Default: the title. */
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
  /** The parent page or group. Null at the top. */
  parent: Schema.NullOr(PageId),
  /** Position among the siblings: a fractional index, ordered by code point. */
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
  /** Unrecognized front matter, verbatim. Exports write it back unchanged. */
  frontMatter: Schema.optionalKey(Schema.String),
  /** Document of a page of type `document`. Absent if the document is empty. */
  document: Schema.optionalKey(ObjectHash),
  /** Target of a page of type `link`. */
  target: Schema.optionalKey(ContentRef),
  /** Source of a page of type `computed`, or of the text of a page of type `document`. */
  computed: Schema.optionalKey(ComputedSource),
  git: Schema.optionalKey(GitBlob),
  /**
   * Marks a page that was imported from an entry of a table of contents without a link. An export writes no file for
   * the page while it is empty.
   */
  unlinked: Schema.optionalKey(Schema.Literal(true)),
  /** The file that the page was imported from (see `SourceText`). */
  source: Schema.optionalKey(ObjectHash),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type PageEntry = typeof PageEntry.Type

/** Attributes that are sets of options, with their defaults. A merge decides each option separately. */
export const pageOptions = {
  layout: defaultLayout,
  cover: {},
  variables: {}
} as const satisfies { readonly [name in keyof PageEntry]?: object }

/** Fields of a page that are visible to readers, except its position and its document. */
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

/** Returns the type of a page for readers. A group below the top level is displayed as a document without text. */
export const shownType = ({ type, parent }: PageEntry, isTop = parent === null): PageEntry["type"] =>
  type === "group" && !isTop ? "document" : type

/**
 * Returns true if a page needs no file in an export: an empty page that was imported without a link, below the top
 * level.
 */
export const isUnlinked = ({ unlinked, document, computed, parent }: PageEntry): boolean =>
  unlinked === true && document === undefined && computed === undefined && parent !== null
