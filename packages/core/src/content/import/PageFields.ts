/**
 * Fields of a page that a folder's layout has no words for, so that an export loses nothing: the mapping
 * `lectern` in the front matter of a page, a comment `<!--{…}-->` after the entry of a group or a link in the
 * table of contents. Each field wins over what an import would decide by itself; null says that the page has
 * none. One that holds something else than it should says nothing.
 */
import { Schema } from "effect"
import { ComputedSource } from "../../computed/ComputedSource.ts"
import type { PagePatch } from "../edits/ContentEditor.ts"
import type { ContentRef } from "@lectern/document/Document"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as FieldByField from "../../schema/FieldByField.ts"
import * as Text from "../../schema/Text.ts"
import {
  ChosenSlug,
  CoverHeight,
  maxTitle,
  type PageEntry,
  PageLayout,
  PageMetadata,
  Variables
} from "../pages/Page.ts"
import { PageTags } from "../tags/Tag.ts"

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
  /** Source of a computed page. An entry of the table of contents that is a link stands for the pages built. */
  computed: clearable(ComputedSource),
  /** Front matter that is not understood, verbatim. */
  frontMatter: clearable(Schema.String),
  cover: clearable(Cover),
  /** URLs in the page that are what they say, though they could name a file of the folder. */
  urls: Schema.optionalKey(Schema.Array(Schema.String)),
  /** An entry that is a link: its URL is what it says, or names what it leads to. */
  link: Schema.optionalKey(Schema.Literals(["url", "reference"])),
  /** The URL of such an entry, where the entry can't hold it. */
  url: Schema.optionalKey(Schema.String),
  /** An entry without a link that is a group below another page, which no other entry makes. */
  group: Schema.optionalKey(Schema.Literal(true))
})
export type PageFields = typeof PageFields.Type

export type Read = FieldByField.Read<PageFields>

/** Undefined of what is no mapping. */
export const read = FieldByField.reader<PageFields>(PageFields.fields)

/** Says which fields are left out. */
export const leftOut = (wrong: ReadonlyArray<string>): string =>
  `What an export wrote here can't be read, and is left out: ${wrong.join(", ")}`

type Resolve = (url: string) => ContentRef | undefined

/** The metadata that the fields set. */
export const patch = (fields: PageFields, resolve: Resolve): Omit<PagePatch, "title" | "slug" | "target" | "git"> => {
  const { title: _title, slug: _slug, urls: _urls, url: _url, link: _link, group: _group, cover, ...rest } = fields
  const plain = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? undefined]))
  return cover === undefined ? plain : { ...plain, cover: cover === null ? undefined : coverOf(cover, resolve) }
}

const coverOf = ({ url, dark, y, height }: typeof Cover.Type, resolve: Resolve): NonNullable<PageEntry["cover"]> => {
  const refOf = (one: string) => resolve(one) ?? RefUrl.fromUrl(one)
  return {
    ...(url !== undefined && { ref: refOf(url) }),
    ...(dark !== undefined && { refDark: refOf(dark) }),
    yPos: y,
    ...(height !== undefined && { height })
  }
}

/** The fields as a comment of the table of contents, and back; what is no such comment says nothing. */
export const toComment = (fields: PageFields): string => `<!--${JSON.stringify(fields).replaceAll(">", "\\u003e")}-->`

export const fromComment = (html: string): Read | undefined => {
  if (!html.startsWith("<!--{") || !html.endsWith("}-->")) return undefined
  try {
    return read(JSON.parse(html.slice(4, -3)))
  } catch {
    return undefined
  }
}
