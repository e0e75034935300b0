/**
 * Random blocks of every type in `BlockTypes`, generated from the described fields, contents and fragments. All laws
 * thus cover new types automatically.
 */
import * as fc from "fast-check"
import type { Block, ContentRef, Data, Fragment, Inline, Leaf, Node, Text } from "@lectern/document/Document"
import type { BlockSpec, BlockContent } from "@lectern/document/vocabulary/BlockSpec"
import { type BlockType, blockTypes, flowTypes } from "@lectern/document/vocabulary/BlockTypes"
import type { Field, Fields } from "@lectern/document/vocabulary/Field"
import { type InlineType, inlineTypes } from "@lectern/document/vocabulary/InlineTypes"
import { type MarkType, markTypes } from "@lectern/document/vocabulary/MarkTypes"
import { table } from "./Documents.ts"

/** Shape of a random block. `Maker` builds the block with keys and words. */
export interface Shape {
  readonly type: BlockType
  readonly size: number
  /** Bits that choose optional fields and variants of values. */
  readonly has: number
  readonly inner: ReadonlyArray<Shape>
}

const specOf = (type: BlockType): BlockSpec<BlockType> => blockTypes[type]

/** Returns true if a block of this type can contain blocks of any type. */
const isHolder = (type: BlockType): boolean => {
  const { content, fragments = {}, contentKind } = specOf(type)
  return (
    content !== undefined || contentKind === "table" || Object.values(fragments).some(({ blocks }) => blocks === "flow")
  )
}

const some = { size: fc.integer({ min: 0, max: 6 }), has: fc.nat({ max: 0xffff }) }

export const shape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({
      type: fc.oneof(
        fc.constantFrom<BlockType>("paragraph", "code"),
        fc.constantFrom(...flowTypes.filter((type) => !isHolder(type)))
      ),
      ...some,
      inner: fc.constant([])
    }),
    fc.record({
      type: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...flowTypes.filter(isHolder)) }, fc.constant("table")),
      ...some,
      inner: fc.array(tie("shape"), { maxLength: 4 })
    })
  )
})).shape

const space: Leaf = { object: "leaf", text: " ", marks: [] }

const isFlag = (has: number, at: number) => ((has >> (at % 16)) & 1) === 1

/**
 * Creates blocks with unique keys, words (visible text) and names (invisible values). Makers with different names
 * create different ones.
 */
export class Maker {
  readonly #name: string
  #count = 0

  constructor(name: string) {
    this.#name = name
  }

  key(): string {
    return `${this.#name}k${this.#count++}`
  }

  word(): string {
    return `${this.#name}w${this.#count++}`
  }

  name(): string {
    return `${this.#name}n${this.#count++}`
  }

  text(size: number, ...marks: ReadonlyArray<MarkType>): Text {
    const text = Array.from({ length: size }, () => this.word()).join(" ")
    return { object: "text", leaves: [{ object: "leaf", text, marks: marks.map((type) => this.#mark(type)) }] }
  }

  #mark(type: MarkType) {
    const { fields } = markTypes[type] as { readonly fields?: Fields }
    return { object: "mark" as const, type, ...(fields && { data: this.data(fields, 0) }) }
  }

  /** Returns words; from a size of 3 also a marked word and an inline. */
  inlines(size: number, has: number): ReadonlyArray<Inline | Text> {
    if (size < 3) return size === 0 ? [] : [this.text(size)]
    const marks = Object.keys(markTypes) as ReadonlyArray<MarkType>
    const types = Object.keys(inlineTypes) as ReadonlyArray<InlineType>
    const [first, second] = [marks[has % marks.length]!, types[(has >> 4) % types.length]!]
    const before = Array.from({ length: size - 2 }, () => ({ ...space, text: `${this.word()} ` }))
    return [
      { object: "text", leaves: [...before, ...this.text(1, first).leaves, space] },
      this.inline(second, has),
      { object: "text", leaves: [space, ...this.text(1).leaves] }
    ]
  }

  inline(type: InlineType, has: number): Inline {
    const { fields, fragments = [], contentKind } = inlineTypes[type]
    return {
      object: "inline",
      type,
      data: this.data(fields, has),
      ...(contentKind === "void" ? { isVoid: true } : { nodes: [this.text(1)] }),
      ...(fragments.length > 0 && { fragments: fragments.map((name) => this.#fragment(name, [this.paragraph()])) })
    }
  }

  data(fields: Fields, has: number): Data {
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, field], i) =>
        field.isRequired === true || isFlag(has, i) ? [[name, this.value(field, has)] as const] : []
      )
    )
  }

  value({ kind, examples, isTranslated, plainTextForm }: Field, has: number): unknown {
    switch (kind) {
      case "text":
        if (examples !== undefined) return examples[has % examples.length]
        return isTranslated === true || plainTextForm !== undefined ? this.word() : this.name()
      case "boolean":
        return has % 2 === 0
      case "number":
        return has % 100
      case "length":
        return has % 2 === 0 ? has % 100 : { unit: has % 4 === 1 ? "%" : "px", value: has % 100 }
      case "list":
        return [this.name(), this.name()]
      case "tags":
        return [{ kind: "tag", tag: this.name() }]
      case "ref":
        return this.#ref(has)
      case "properties":
        return plainTextForm === "props" ? { content: this.word() } : { action: "search", query: this.name() }
      case "values":
        return []
    }
  }

  #ref(has: number): ContentRef {
    switch (has % 3) {
      case 0:
        return { kind: "url", url: `https://example.com/${this.name()}` }
      case 1:
        return { kind: "page", page: this.name() }
      default:
        return { kind: "file", file: this.name(), space: this.name() }
    }
  }

  paragraph(): Block {
    return { object: "block", type: "paragraph", key: this.key(), nodes: [this.text(2)] }
  }

  #fragment(name: string, nodes: ReadonlyArray<Block>): Fragment {
    return { object: "fragment", fragment: name, type: name, nodes }
  }

  block(shape: Shape): Block {
    const { has, inner, size, type } = shape
    const { content, fields, contentKind } = specOf(type)
    const key = this.key()
    if (contentKind === "table") return this.#table(key, inner)
    const data = this.data(fields, has)
    const fragments = this.#fragments(shape)
    return {
      object: "block",
      type,
      key,
      ...(Object.keys(fields).length > 0 && { data }),
      ...(contentKind === "void" && { isVoid: true }),
      ...(contentKind === "text" && { nodes: this.inlines(size, has) }),
      ...(contentKind === "verbatim" && { nodes: size === 0 ? [] : [this.text(2)] }),
      ...(content !== undefined && { nodes: this.#contents(content, shape) }),
      ...(fragments.length > 0 && { fragments })
    }
  }

  #contents({ blocks, minBlocks }: BlockContent<BlockType>, { has, inner, size }: Shape): ReadonlyArray<Node> {
    if (blocks === "flow") return inner.map((each) => this.block(each))
    const item = blocks[0]!
    const { content } = specOf(item)
    if (content === undefined) {
      return Array.from({ length: Math.max(size, minBlocks ?? 0) }, (_, i) =>
        this.block({ type: item, size: 1, has: has >> i, inner: [] })
      )
    }
    const all = inner.map((each, i) => this.block({ type: item, size: 0, has: has >> i, inner: [each] }))
    return all.length >= (minBlocks ?? 0) ? all : [this.block({ type: item, size: 0, has, inner: [] })]
  }

  #fragments({ has, inner, type }: Shape): ReadonlyArray<Fragment> {
    const described = Object.entries(specOf(type).fragments ?? {})
    return described.flatMap(([name, { blocks, minBlocks }], i) => {
      if (blocks !== "flow") return minBlocks === 1 || isFlag(has, i) ? [this.#fragment(name, [this.paragraph()])] : []
      return inner.length > 0
        ? [
            this.#fragment(
              name,
              inner.map((each) => this.block(each))
            )
          ]
        : []
    })
  }

  #table(key: string, inner: ReadonlyArray<Shape>): Block {
    const titles = Array.from({ length: 1 + (inner.length % 3) }, () => this.word())
    return table(
      key,
      titles,
      inner.map(() => titles.map(() => this.word()))
    )
  }
}

/** Returns the created words or names in a text or value. */
const made = (value: unknown, pattern: RegExp): ReadonlySet<string> =>
  new Set((typeof value === "string" ? value : JSON.stringify(value)).match(pattern))

export const words = (value: unknown): ReadonlySet<string> => made(value, /\b[a-z]w\d+\b/g)
export const names = (value: unknown): ReadonlySet<string> => made(value, /\b[a-z]n\d+\b/g)
