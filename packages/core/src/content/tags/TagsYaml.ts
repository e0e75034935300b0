/**
 * Reads `.gitbook/tags.yaml`: a list of tags, each with a slug (`tag`), and optionally a `label`, a `color`, and an
 * `icon` or `emoji`. Invalid settings are ignored, and entries without a slug are skipped.
 *
 * Limits: 256 KiB (see `GitbookYaml`), and the limits of `Tag`. Of equal slugs the first counts.
 */
import { Result, Schema } from "effect"
import * as YamlText from "@lectern/document/YamlText"
import { maxTags, type Tag, TagColor, TagEmoji, TagIcon, TagLabel, TagSlug } from "./Tag.ts"

/** Path of the file below the root of a folder. */
export const path = ".gitbook/tags.yaml"

const maxLength = 256 * 1024

const isSlug = Schema.is(TagSlug)
const isLabel = Schema.is(TagLabel)
const isColor = Schema.is(TagColor)
const isIcon = Schema.is(TagIcon)
const isEmoji = Schema.is(TagEmoji)

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export interface ReadTags {
  readonly tags: ReadonlyArray<Tag>
  /** Problems of unreadable entries, as sentences. */
  readonly problems: ReadonlyArray<string>
}

export const read = (text: string): ReadTags => {
  const noTags = (problem: string) => ({ tags: [], problems: [problem] })
  if (text.length > maxLength) return noTags(`Expected at most ${maxLength / 1024} KiB`)
  const value = YamlText.parseYaml(text.replace(/[\u200B-\u200D\u2060\uFEFF]/g, ""))
  if (Result.isFailure(value)) return noTags(value.failure)
  if (value.success === null) return { tags: [], problems: [] }
  if (!Array.isArray(value.success)) return noTags("Expected a list of tags")
  const problems: Array<string> = []
  const tags = new Map<string, Tag>()
  for (const [i, entry] of (value.success as ReadonlyArray<unknown>).entries()) {
    if (tags.size === maxTags) {
      problems.push(`Of its tags the first ${maxTags} are taken`)
      break
    }
    const { tag: slug, label, color, icon, emoji } = isRecord(entry) ? entry : {}
    if (!isSlug(slug)) problems.push(`Entry ${i + 1} has no \`tag\``)
    else if (tags.has(slug)) problems.push(`The tag "${slug}" is there twice`)
    else {
      tags.set(slug, {
        slug,
        label: isLabel(label) ? label : slug,
        color: isColor(color) ? color : "default",
        ...(isEmoji(emoji) ? { emoji } : isIcon(icon) && { icon })
      })
    }
  }
  return { tags: [...tags.values()], problems: problems.slice(0, 20) }
}
