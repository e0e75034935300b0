/**
 * Pairs the tags of one container, including `<details>`. A tag without an end, an end without a tag, a misplaced tag
 * and an unknown tag each stay a separate line.
 *
 * Limits: tags and containers nest 24 deep.
 */
import * as Details from "./Details.ts"
import * as HighlightedCode from "./HighlightedCode.ts"
import { tags } from "./dialect/Dialects.ts"
import type { TagPart } from "./dialect/Dialect.ts"
import { toTextBlocks } from "./syntax/HintText.ts"
import type { Admonition as AdmonitionNode, Block, Tabs } from "./syntax/SyntaxTree.ts"
import * as TagLine from "./TagLine.ts"
import { elseTag, type Tag } from "./Tags.ts"

export const maxDepth = 24

/** A tag with its content. `children`: undefined if the end tag is omitted. */
export interface PairedTag {
  readonly type: "pairedTag"
  /** Start of the opening tag, and end of the end tag. */
  readonly from: number
  readonly to: number
  readonly tag: Tag
  readonly line: TagLine.TagLine
  readonly children: ReadonlyArray<Content> | undefined
}

export type Content = Block | PairedTag

interface OpenTag {
  readonly tag: Tag
  readonly line: TagLine.TagLine
  readonly node: Block
  readonly children: Array<Content>
  /** End tags of the nested items, in case the items must become lines again. */
  readonly endTags: Map<Content, Block>
}

export const buildTagTree = (blocks: ReadonlyArray<Block>, depth: number): ReadonlyArray<Content> => {
  const nodes = blocks.some(hasUnpairedTag) ? blocks.flatMap(splitUnpaired) : blocks
  if (!nodes.some((node) => tags.some((syntax) => syntax.isCandidate(node)))) return nodes
  const rootContent: Array<Content> = []
  const stack: Array<OpenTag> = []
  const openCounts = new Map<string, number>()
  const siblings = () => stack.at(-1)?.children ?? rootContent
  const changeCount = (name: string, by: number) => openCounts.set(name, (openCounts.get(name) ?? 0) + by)

  const dissolveLast = () => {
    const frame = stack.pop()!
    changeCount(frame.line.name, -1)
    dissolveTag(frame, siblings())
  }
  const openTag = (tag: Tag, line: TagLine.TagLine, node: Block) => {
    // The description of a block contains no tags, so another tag implies that the end tag was omitted.
    if (stack.at(-1)?.tag.body.kind === "fragment") dissolveLast()
    if (tag.body.kind === "none" && isComplete(tag, line)) {
      siblings().push({ type: "pairedTag", from: node.from, to: node.to, tag, line, children: undefined })
    } else if (isComplete(tag, line) && depth + stack.length < maxDepth) {
      stack.push({ tag, line, node, children: [], endTags: new Map() })
      changeCount(line.name, 1)
    } else siblings().push(node)
  }
  const closeTag = (name: string, node: Block) => {
    if (!openCounts.get(name)) {
      siblings().push(node)
      return
    }
    while (stack.at(-1)!.line.name !== name) dissolveLast()
    const frame = stack.at(-1)!
    if (!isWellFormed(frame, stack.at(-2)?.tag)) {
      dissolveLast()
      siblings().push(node)
      return
    }
    stack.pop()
    changeCount(name, -1)
    const { tag, line, children } = frame
    const block: PairedTag = { type: "pairedTag", from: frame.node.from, to: node.to, tag, line, children }
    siblings().push(block)
    if (frame.tag.parent !== undefined) stack.at(-1)!.endTags.set(block, node)
  }

  for (const node of splitTags(nodes)) {
    const part = parseTag(node)
    if (part?.kind === "open") openTag(part.tag, part.line, node)
    else if (part?.kind === "close") closeTag(part.name, node)
    else {
      // This block is printed as a tag, so it also implies that the end tag of a description was omitted.
      if (isPrintedAsTag(node) && stack.at(-1)?.tag.body.kind === "fragment") dissolveLast()
      siblings().push(node)
    }
  }
  while (stack.length > 0) dissolveLast()
  return rootContent
}

/** True if a block has other syntax in the source but is printed as a tag. */
const isPrintedAsTag = (node: Content): node is AdmonitionNode | Tabs =>
  node.type === "admonition" || node.type === "tabs"

const hasUnpairedTagCache = new WeakMap<Block, boolean>()

/**
 * True if a hint or tab without tag syntax contains an unpaired tag. If the hint were printed as a tag, its tag could
 * be paired with the unpaired one. So the hint becomes text.
 */
const hasUnpairedTag = (node: Block): node is AdmonitionNode | Tabs => {
  if (!isPrintedAsTag(node)) return false
  let cachedResult = hasUnpairedTagCache.get(node)
  if (cachedResult === undefined) {
    const parts = node.type === "tabs" ? node.children : [node]
    cachedResult = parts.some(({ children }) => containsUnpairedTag(children))
    hasUnpairedTagCache.set(node, cachedResult)
  }
  return cachedResult
}

/** True if blocks contain an unpaired tag. */
export const containsUnpairedTag = (nodes: ReadonlyArray<Block>): boolean => buildTagTree(nodes, 0).some(isUnpaired)

/** Converts hints and tabs for which `hasUnpairedTag` is true to text, also within others. Returns other blocks unchanged. */
const splitUnpaired = (node: Block): ReadonlyArray<Block> =>
  hasUnpairedTag(node) ? toTextBlocks(node).flatMap(splitUnpaired) : [node]

/** Converts hints and tabs to text if they would be printed as tags beyond the maximum depth. */
export const limitDepth = (contents: ReadonlyArray<Content>, depth: number): ReadonlyArray<Content> => {
  const isTooDeep = (content: Content): content is AdmonitionNode | Tabs =>
    isPrintedAsTag(content) && depth + (content.type === "tabs" ? 1 : 0) >= maxDepth
  return contents.some(isTooDeep)
    ? contents.flatMap((content) =>
        isTooDeep(content) ? limitDepth(buildTagTree(toTextBlocks(content), depth), depth) : [content]
      )
    : contents
}

const isUnpaired = (content: Content): boolean => {
  if (content.type === "pairedTag") return content.children?.some(isUnpaired) === true
  return parseTag(content) !== undefined
}

const splitTags = (nodes: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  tags.reduce((parts, { split }) => (split === undefined ? parts : parts.flatMap(split)), nodes)

const parseTag = (node: Block): TagPart | undefined => {
  for (const syntax of tags) {
    const part = syntax.parse(node)
    if (part !== undefined) return part
  }
  return undefined
}

/** Returns the index of the `else` in a condition, which separates the two branches. -1 without an `else`. */
export const elseIndex = (children: ReadonlyArray<Content>): number =>
  children.findIndex((child) => {
    const line = child.type === "tag" ? TagLine.parse(child.value) : undefined
    return line?.name === elseTag && TagLine.hasNoParameters(line)
  })

const isComplete = (tag: Tag, line: TagLine.TagLine): boolean =>
  (tag.argument?.isOptional === true || (tag.argument === undefined) === (line.argument === undefined)) &&
  (tag.ref === undefined || line.attributes.some(([name]) => name === tag.ref!.attribute))

const isWellFormed = ({ tag, children }: OpenTag, parent: Tag | undefined): boolean => {
  if (tag.parent !== parent?.name && tag.parent !== undefined) return false
  const { body } = tag
  if (body.kind === "items")
    return children.every((child) => child.type === "pairedTag" && child.tag.name === body.item)
  if (body.kind === "details") return children[0] !== undefined && Details.summaryContent(children[0]) !== undefined
  if (body.kind !== "code") return true
  const [code, ...rest] = children
  const isCode = code?.type === "code" || (code?.type === "html" && HighlightedCode.parse(code.value) !== undefined)
  return isCode && rest.length === 0
}

const dissolveTag = (frame: OpenTag, output: Array<Content>): void => {
  output.push(
    frame.tag.body.kind === "fragment"
      ? {
          type: "pairedTag",
          from: frame.node.from,
          to: frame.node.to,
          tag: frame.tag,
          line: frame.line,
          children: undefined
        }
      : frame.node
  )
  for (const child of frame.children) {
    const end = frame.endTags.get(child)
    if (end === undefined || child.type !== "pairedTag") output.push(child)
    else {
      output.push({ type: "tag", from: child.from, to: child.from, value: TagLine.print(child.line) })
      for (const grandchild of child.children ?? []) output.push(grandchild)
      output.push(end)
    }
  }
}
