/**
 * Tags of a space. Each tag is defined once in the content (`.gitbook/tags.yaml`) and is assigned to pages by its slug
 * in their front matter. Undefined tags of a page are not displayed.
 *
 * Limits: 1,000 tags of a space, 100 on a page; slug and label 100 characters, icon 50.
 */
import { colors } from "@lectern/document/vocabulary/Colors"
import { Schema } from "effect"
import { Emoji } from "../../schema/Emoji.ts"
import * as Text from "../../schema/Text.ts"

export const maxTags = 1_000
const maxOnPage = 100

export const TagSlug = Text.between(1, 100)

export const TagColor = Schema.Literals(colors)

export const TagLabel = Text.between(1, 100)
export const TagIcon = Text.between(1, 50)
export const TagEmoji = Emoji.check(Schema.isMinLength(1))

export const Tag = Schema.Struct({
  slug: TagSlug,
  label: Schema.String,
  color: TagColor,
  icon: Schema.optionalKey(Schema.String),
  emoji: Schema.optionalKey(Schema.String)
})
export type Tag = typeof Tag.Type

/**
 * Tags of a page in front matter: a slug, or an object with a slug and `primary`, which marks the tag that navigation
 * shows.
 */
export const PageTags = Schema.Array(
  Schema.Union([TagSlug, Schema.Struct({ tag: TagSlug, primary: Schema.optionalKey(Schema.Boolean) })])
).check(Schema.isMinLength(1), Schema.isMaxLength(maxOnPage))
export type PageTags = typeof PageTags.Type

/** A tag of a page in a response. */
export const PageTag = Schema.Struct({
  tag: Schema.Struct({ kind: Schema.Literal("tag"), tag: Schema.String }),
  primary: Schema.optionalKey(Schema.Boolean)
})
export type PageTag = typeof PageTag.Type

/** Returns the defined tags of a page, each once. */
export const displayedTags = (
  tags: PageTags | undefined,
  defined: ReadonlyMap<string, Tag> = new Map()
): ReadonlyArray<PageTag> => {
  const seenSlugs = new Set<string>()
  return (tags ?? []).flatMap((pageTag): ReadonlyArray<PageTag> => {
    const { tag, primary } = typeof pageTag === "string" ? { tag: pageTag, primary: undefined } : pageTag
    if (!defined.has(tag) || seenSlugs.has(tag)) return []
    seenSlugs.add(tag)
    return [{ tag: { kind: "tag", tag }, ...(primary !== undefined && { primary }) }]
  })
}
