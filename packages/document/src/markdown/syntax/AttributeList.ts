/**
 * Parses attribute lists, such as `{: #id .class name="value" }`, as the patterns of the dialects define them. A list
 * applies to the preceding block, image, link, code or emphasis, or else to the next block. It is not text. The id of a
 * heading, the size of an image, the style of a hint and `toc` have an effect. All other attributes are ignored.
 *
 * Limits: 300 characters on one line.
 */
import { attributeLists } from "../dialect/Dialects.ts"
import { anyItem } from "../dialect/AttributePatterns.ts"
import type * as Tree from "./SyntaxTree.ts"

const maxLength = 300

const items = new RegExp(anyItem, "g")

/** Matches the start of text that could be parsed as an attribute list, regardless of the text after it. */
export const opening = /\{(?::[ \t]*)?[ \t]*(?:[.#]|toc\b|[A-Za-z_:@][\w:.@-]*=)/y

export interface ParsedAttributes {
  readonly attributes: Tree.Attributes
  /** Offset after the list. */
  readonly end: number
}

/** Position of a list, which determines its accepted forms. */
export type Position = "line" | "afterText" | "afterLink"

export const attributesAt = (text: string, from: number, position: Position): ParsedAttributes | undefined => {
  if (text.charCodeAt(from) !== 123) return undefined
  for (const { [position]: list } of attributeLists) {
    if (list === undefined) continue
    list.lastIndex = from
    const [source] = list.exec(text) ?? []
    if (source !== undefined && source.length <= maxLength) {
      return { attributes: read(source), end: from + source.length }
    }
  }
  return undefined
}

/** Returns the list at `from` if only white space follows up to `end`. */
export const attributeLineAt = (
  text: string,
  from: number,
  end: number,
  position: Position
): ParsedAttributes | undefined => {
  const attributeList = attributesAt(text, from, position)
  return attributeList !== undefined && text.slice(attributeList.end, end).trim() === "" ? attributeList : undefined
}

const read = (source: string): Tree.Attributes => {
  const values = new Map<string, string>()
  let style: string | undefined
  let hasTitle = false
  let isContents = false
  for (const [item] of source.slice(1, -1).matchAll(items)) {
    if (item === "toc") isContents = true
    else if (item.startsWith("#")) values.set("id", item.slice(1))
    else if (item.startsWith(".")) {
      for (const name of item.slice(1).split(".")) {
        const [hint] = attributeLists.flatMap(({ hintOfClass }) => hintOfClass?.(name) ?? [])
        if (hint !== undefined) ({ style, hasTitle } = hint)
      }
    } else {
      const separator = item.indexOf("=")
      values.set(item.slice(0, separator), item.slice(separator + 1).replace(/^(["'])(.*)\1$/, "$2"))
    }
  }
  const valueOf = (name: string) => values.get(name) || undefined
  return { id: valueOf("id"), style, hasTitle, width: valueOf("width"), height: valueOf("height"), isContents }
}

/**
 * Removes the attribute lines from blocks, and applies each to the block directly above, or else to the one directly
 * below.
 */
export const applyAttributeLines = (blocks: ReadonlyArray<Tree.Block>, text: string): Array<Tree.Block> => {
  const result: Array<Tree.Block> = []
  /** Attribute line without a block directly above. */
  let pendingLine: Tree.AttributeLine | undefined
  for (const block of blocks) {
    const blockAbove = result.at(-1)
    if (block.type !== "attributes") {
      result.push(
        pendingLine !== undefined && isOnNextLine(pendingLine, block, text)
          ? applyToBlock(block, pendingLine, text)
          : block
      )
      pendingLine = undefined
    } else if (pendingLine !== undefined && isOnNextLine(pendingLine, block, text))
      pendingLine = combineLines(pendingLine, block)
    else if (blockAbove === undefined || !isOnNextLine(blockAbove, block, text)) pendingLine = block
    else if (block.attributes.isContents && blockAbove.type === "list") result.pop()
    else result[result.length - 1] = applyToBlock(blockAbove, block, text)
  }
  return result
}

/** Combines two adjacent attribute lines. The second takes precedence. */
const combineLines = (one: Tree.AttributeLine, other: Tree.AttributeLine): Tree.AttributeLine => {
  const { style, hasTitle } = other.attributes.style === undefined ? one.attributes : other.attributes
  return { ...other, from: one.from, attributes: { ...other.attributes, style, hasTitle } }
}

const isOnNextLine = (above: Tree.TextRange, below: Tree.TextRange, text: string): boolean => {
  const lineEnd = text.indexOf("\n", above.to)
  return lineEnd !== -1 && lineEnd < below.from && text.indexOf("\n", lineEnd + 1) >>> 0 >= below.from
}

const applyToBlock = (block: Tree.Block, { attributes, from, to }: Tree.AttributeLine, text: string): Tree.Block => {
  const { id, style, hasTitle } = attributes
  if (block.type === "heading" && id !== undefined && from > block.from) {
    block.id = id
    block.to = to
    return block
  }
  if (style === undefined || (block.type !== "paragraph" && block.type !== "blockquote")) return block
  // A blockquote with open HTML does not become a hint, since the HTML would extend beyond the end of the hint.
  if (block.type === "blockquote" && block.children.some((one) => one.type === "html" && one.isOpen)) return block
  // An alert such as `[!NOTE]` stays unchanged, since it states its own style.
  if (block.type === "blockquote" && text.startsWith("[!", block.children[0]?.from)) return block
  return {
    type: "admonition",
    from: Math.min(from, block.from),
    to: Math.max(to, block.to),
    style,
    openingLine: "",
    closingLine: undefined,
    fallback: block,
    hasTitle: hasTitle && block.type === "blockquote",
    children: block.type === "blockquote" ? block.children : [block]
  }
}
