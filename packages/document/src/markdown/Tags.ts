/**
 * The `{% … %}` tags that are blocks, as the types of blocks describe them: what each is called, its
 * attributes, and what may stand in it. Attributes that are not described are kept in
 * `data.attributes` and written back.
 */
import type { Data } from "../Document.ts"
import type { BlockSpec } from "../vocabulary/BlockSpec.ts"
import { type BlockType, blockTypes } from "../vocabulary/BlockTypes.ts"
import * as TagValue from "./TagValue.ts"

type Said = NonNullable<BlockSpec["tag"]>

export interface Tag extends Pick<Said, "name" | "ref" | "argument"> {
  readonly type: BlockType
  readonly attributes: { readonly [name: string]: TagValue.Kind }
  /** Fields of the data that are called otherwise than the attributes. */
  readonly fields: { readonly [attribute: string]: string }
  /** Data that every block of the type has. */
  readonly data: Data | undefined
  /**
   * Content between the tag and its end: `blocks` become its nodes, `items` are the tags of that name and
   * nothing else, `code` is one block of code that takes over the attributes, and a `fragment` of that name
   * holds what describes the block: the end may then be left out. `none` has no end. `details` is that of an
   * HTML element: a summary, then blocks.
   */
  readonly body:
    | { readonly kind: "blocks" }
    | { readonly kind: "items"; readonly of: string }
    | { readonly kind: "code" }
    | { readonly kind: "fragment"; readonly name: string }
    | { readonly kind: "none" }
    | { readonly kind: "details" }
  /** The only tag it may stand in. */
  readonly parent: string | undefined
}

const bodyOf = ({ contents, fragments, tag }: BlockSpec<BlockType>): Tag["body"] => {
  if (tag?.isElement === true) return { kind: "details" }
  if (contents !== undefined) {
    if (contents.blocks === "flow") return { kind: "blocks" }
    const item = blockTypes[contents.blocks[0]!].tag
    return item === undefined ? { kind: "code" } : { kind: "items", of: item.name }
  }
  const [name] = Object.keys(fragments ?? {})
  return name === undefined ? { kind: "none" } : { kind: "fragment", name }
}

const parentOf = (type: BlockType): string | undefined =>
  Object.values(blockTypes).find(
    ({ contents, tag }) =>
      tag !== undefined && contents !== undefined && contents.blocks !== "flow" && contents.blocks.includes(type)
  )?.tag?.name

const tagOf = (type: BlockType, said: Said): Tag => {
  const spec = blockTypes[type]
  const attributes = Object.entries(spec.fields).flatMap(([field, { kind, attribute = field }]) =>
    attribute !== false && field !== said.argument?.field && TagValue.isKind(kind) ? [{ attribute, field, kind }] : []
  )
  return {
    ...said,
    type,
    attributes: Object.fromEntries(attributes.map(({ attribute, kind }) => [attribute, kind])),
    fields: Object.fromEntries(attributes.map(({ attribute, field }) => [attribute, field])),
    data: said.hasData === true ? {} : undefined,
    body: bodyOf(spec),
    parent: parentOf(type)
  }
}

const tags: ReadonlyArray<Tag> = (Object.keys(blockTypes) as Array<BlockType>).flatMap((type) => {
  const said = blockTypes[type].tag
  return said === undefined ? [] : tagOf(type, said)
})

/** Tags by the type of their blocks. */
const byType: ReadonlyMap<string, Tag> = new Map(tags.map((tag) => [tag.type, tag]))

export const ofType = (type: BlockType): Tag => byType.get(type)!

const aliasesOf = (tag: Tag): ReadonlyArray<Tag> =>
  (blockTypes[tag.type].tag?.aliases ?? []).map(({ name, attribute, isAlone }) => ({
    ...tag,
    name,
    ...(tag.ref && { ref: { ...tag.ref, attribute: attribute ?? tag.ref.attribute } }),
    body: isAlone === true ? { kind: "none" } : tag.body
  }))

/** Tags by their names. */
const byName: ReadonlyMap<string, Tag> = new Map(
  tags.flatMap((tag) => [tag, ...aliasesOf(tag)].map((one) => [one.name, one]))
)

/**
 * A block of an integration: `{% @name/block "url" … %}`, whose attributes are its properties (see
 * `TagData`). The URL that it stands for is left out where it is one of them.
 */
export const integration: Tag = ofType("integration")

export const named = (name: string): Tag | undefined => (name.startsWith("@") ? integration : byName.get(name))

/** Tells whether a tag says blocks of this type. */
export const says = (type: string): boolean => byType.has(type)

/** The tag between what is shown where a condition holds and what is shown where it does not. */
export const otherwise = "else"
