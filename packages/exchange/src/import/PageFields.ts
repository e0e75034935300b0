/**
 * Fields of a page that the layout of a folder cannot express, so that an export is lossless. They are stored in the
 * mapping `lectern` in the front matter of a page. For a group or link they are in a comment `<!--{…}-->` after its
 * entry in the table of contents. A field overrides the value that an import would determine otherwise; null means that
 * the page has no value. Invalid fields are ignored.
 */
import { Schema } from "effect"
import { ComputedSource } from "@lectern/core/computed/ComputedSource"
import type { PagePatch } from "@lectern/core/content/edits/ContentEditor"
import type { ContentRef } from "@lectern/document/Document"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as FieldByField from "@lectern/core/schema/FieldByField"
import * as Text from "@lectern/core/schema/Text"
import {
  ChosenSlug,
  CoverHeight,
  maxTitle,
  type PageEntry,
  PageLayout,
  PageMetadata,
  Variables
} from "@lectern/core/content/pages/Page"
import { PageTags } from "@lectern/core/content/tags/Tag"

const Cover = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  dark: Schema.optionalKey(Schema.String),
  y: Schema.Finite,
  height: Schema.optionalKey(CoverHeight)
})

const clearable = <S extends Schema.Top>(field: S) => Schema.optionalKey(Schema.NullOr(field))

const { emoji, icon, description, hidden, noIndex, noRobotsIndex, condition } = PageMetadata.fields

const title = Text.lineFrom(1, maxTitle)

export const PageFields = Schema.Struct({
  title: Schema.optionalKey(title),
  slug: Schema.optionalKey(ChosenSlug),
  linkTitle: Schema.optionalKey(title),
  emoji: clearable(emoji),
  icon: clearable(icon),
  description: clearable(description),
  hidden: clearable(hidden),
  noIndex: clearable(noIndex),
  noRobotsIndex: clearable(noRobotsIndex),
  condition: clearable(condition),
  layout: clearable(PageLayout),
  variables: clearable(Variables),
  tags: clearable(PageTags),
  /** Source of a computed page. A link entry with this field is the placeholder of the computed pages. */
  computed: clearable(ComputedSource),
  /** Unrecognized front matter, verbatim. */
  frontMatter: clearable(Schema.String),
  cover: clearable(Cover),
  /** URLs in the page that stay unchanged, although an import would resolve them to a file of the folder. */
  urls: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Target of a link entry: `url`, the URL stays unchanged; `reference`, the URL is resolved to a reference. */
  link: Schema.optionalKey(Schema.Literals(["url", "reference"])),
  /** URL of a link entry, if the entry cannot express it. */
  url: Schema.optionalKey(Schema.String),
  /** Marks an entry without a link as a group below another page. Without this field such an entry becomes a page. */
  group: Schema.optionalKey(Schema.Literal(true))
})
export type PageFields = typeof PageFields.Type

export type Read = FieldByField.ReadResult<PageFields>

/** Reads the fields. Undefined if the value is not a mapping. */
export const read = FieldByField.reader<PageFields>(PageFields.fields)

/** Returns a message with the names of the ignored fields. */
export const leftOut = (wrong: ReadonlyArray<string>): string =>
  `What an export wrote here can't be read, and is left out: ${wrong.join(", ")}`

type Resolve = (url: string) => ContentRef | undefined

/** Returns the metadata that the fields set. */
export const patch = (fields: PageFields, resolve: Resolve): Omit<PagePatch, "title" | "slug" | "target" | "git"> => {
  const { title: _title, slug: _slug, urls: _urls, url: _url, link: _link, group: _group, cover, ...rest } = fields
  const plain = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? undefined]))
  return cover === undefined ? plain : { ...plain, cover: cover === null ? undefined : coverOf(cover, resolve) }
}

const coverOf = ({ url, dark, y, height }: typeof Cover.Type, resolve: Resolve): NonNullable<PageEntry["cover"]> => {
  const refOf = (text: string) => resolve(text) ?? RefUrl.fromUrl(text)
  return {
    ...(url !== undefined && { ref: refOf(url) }),
    ...(dark !== undefined && { refDark: refOf(dark) }),
    yPos: y,
    ...(height !== undefined && { height })
  }
}

/**
 * Serializes the fields as a comment in the table of contents. `fromComment` is the inverse and returns undefined for
 * other comments.
 */
export const toComment = (fields: PageFields): string => `<!--${JSON.stringify(fields).replaceAll(">", "\\u003e")}-->`

export const fromComment = (html: string): Read | undefined => {
  if (!html.startsWith("<!--{") || !html.endsWith("}-->")) return undefined
  try {
    return read(JSON.parse(html.slice(4, -3)))
  } catch {
    return undefined
  }
}
