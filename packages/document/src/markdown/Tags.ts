/**
 * The `{% … %}` tags of blocks, derived from the block types: name, attributes, and permitted content. Unknown
 * attributes are stored in `data.attributes` and printed again.
 */
import type { Data } from "../Document.ts"
import type { BlockSpec } from "../vocabulary/BlockSpec.ts"
import { type BlockType, blockTypes } from "../vocabulary/BlockTypes.ts"
import * as TagValue from "./TagValue.ts"

type TagSpec = NonNullable<BlockSpec["tag"]>

export interface Tag extends Pick<TagSpec, "name" | "ref" | "argument"> {
  readonly type: BlockType
  readonly attributes: { readonly [name: string]: TagValue.AttributeKind }
  /** Data field of each attribute. */
  readonly fields: { readonly [attribute: string]: string }
  /** Data of blocks whose tag has no attributes: `{}`, or undefined if such blocks have no `data`. */
  readonly data: Data | undefined
  /**
   * Content between the tag and its end tag:
   *
   * - `blocks`: the nodes of the block.
   * - `items`: only tags with the name `item`.
   * - `code`: one code block, which gets the attributes of the tag.
   * - `fragment`: a fragment that describes the block. The end tag is optional.
   * - `none`: no content and no end tag.
   * - `details`: content of an HTML element: a summary, then blocks.
   */
  readonly body:
    | { readonly kind: "blocks" }
    | { readonly kind: "items"; readonly item: string }
    | { readonly kind: "code" }
    | { readonly kind: "fragment"; readonly name: string }
    | { readonly kind: "none" }
    | { readonly kind: "details" }
  /** Name of the only tag that may contain this tag. */
  readonly parent: string | undefined
}

const tagBody = ({ content, fragments, tag }: BlockSpec<BlockType>): Tag["body"] => {
  if (tag?.isElement === true) return { kind: "details" }
  if (content !== undefined) {
    if (content.blocks === "flow") return { kind: "blocks" }
    const item = blockTypes[content.blocks[0]!].tag
    return item === undefined ? { kind: "code" } : { kind: "items", item: item.name }
  }
  const [name] = Object.keys(fragments ?? {})
  return name === undefined ? { kind: "none" } : { kind: "fragment", name }
}

const parentTagName = (type: BlockType): string | undefined =>
  Object.values(blockTypes).find(
    ({ content, tag }) =>
      tag !== undefined && content !== undefined && content.blocks !== "flow" && content.blocks.includes(type)
  )?.tag?.name

const createTag = (type: BlockType, tagSpec: TagSpec): Tag => {
  const spec = blockTypes[type]
  const attributes = Object.entries(spec.fields).flatMap(([field, { kind, attribute = field }]) =>
    attribute !== false && field !== tagSpec.argument?.field && TagValue.isAttributeKind(kind)
      ? [{ attribute, field, kind }]
      : []
  )
  return {
    ...tagSpec,
    type,
    attributes: Object.fromEntries(attributes.map(({ attribute, kind }) => [attribute, kind])),
    fields: Object.fromEntries(attributes.map(({ attribute, field }) => [attribute, field])),
    data: tagSpec.alwaysHasData === true ? {} : undefined,
    body: tagBody(spec),
    parent: parentTagName(type)
  }
}

const tags: ReadonlyArray<Tag> = (Object.keys(blockTypes) as Array<BlockType>).flatMap((type) => {
  const tagSpec = blockTypes[type].tag
  return tagSpec === undefined ? [] : createTag(type, tagSpec)
})

/** Tags by block type. */
const tagByType: ReadonlyMap<string, Tag> = new Map(tags.map((tag) => [tag.type, tag]))

export const tagOfType = (type: BlockType): Tag => tagByType.get(type)!

const tagAliases = (tag: Tag): ReadonlyArray<Tag> =>
  (blockTypes[tag.type].tag?.aliases ?? []).map(({ name, attribute, isSelfClosing }) => ({
    ...tag,
    name,
    ...(tag.ref && { ref: { ...tag.ref, attribute: attribute ?? tag.ref.attribute } }),
    body: isSelfClosing === true ? { kind: "none" } : tag.body
  }))

/** Tags by name, including aliases. */
const tagByName: ReadonlyMap<string, Tag> = new Map(
  tags.flatMap((tag) => [tag, ...tagAliases(tag)].map((one) => [one.name, one]))
)

/**
 * Tag of an integration's block: `{% @name/block "url" … %}`. Its attributes are the properties of the block (see
 * `TagData`). The URL is omitted if it is one of the properties.
 */
export const integration: Tag = tagOfType("integration")

export const tagOfName = (name: string): Tag | undefined => (name.startsWith("@") ? integration : tagByName.get(name))

/** True if blocks of this type have a tag. */
export const hasTag = (type: string): boolean => tagByType.has(type)

/** Name of the tag between the two branches of a condition. */
export const elseTag = "else"
