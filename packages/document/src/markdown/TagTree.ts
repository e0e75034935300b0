/**
 * Pairs the tags of one container, including `<details>`. A tag without an end, an end without a tag, a misplaced tag
 * and an unknown tag each stay a separate line.
 *
 * Limits: tags and containers nest 24 deep.
 */
import * as Details from "./Details.ts"
import * as HighlightedCode from "./HighlightedCode.ts"
import * as Admonition from "./syntax/Admonition.ts"
import type { Admonition as AdmonitionNode, Block, Tabs } from "./syntax/SyntaxTree.ts"
import * as TagLine from "./TagLine.ts"
import { named, otherwise, type Tag } from "./Tags.ts"

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

interface Frame {
  readonly tag: Tag
  readonly line: TagLine.TagLine
  readonly node: Block
  readonly children: Array<Content>
  /** End tags of the nested items, in case the items must become lines again. */
  readonly ends: Map<Content, Block>
}

export const build = (given: ReadonlyArray<Block>, depth: number): ReadonlyArray<Content> => {
  const nodes = given.some(isBroken) ? given.flatMap(unbroken) : given
  if (!nodes.some((node) => node.type === "tag" || Details.isPart(node))) return nodes
  const top: Array<Content> = []
  const stack: Array<Frame> = []
  const opened = new Map<string, number>()
  const siblings = () => stack.at(-1)?.children ?? top
  const count = (name: string, by: number) => opened.set(name, (opened.get(name) ?? 0) + by)

  const dissolveLast = () => {
    const frame = stack.pop()!
    count(frame.line.name, -1)
    dissolve(frame, siblings())
  }
  const open = (tag: Tag, line: TagLine.TagLine, node: Block) => {
    // The description of a block contains no tags, so another tag implies that the end tag was omitted.
    if (stack.at(-1)?.tag.body.kind === "fragment") dissolveLast()
    if (tag.body.kind === "none" && isComplete(tag, line)) {
      siblings().push({ type: "pairedTag", from: node.from, to: node.to, tag, line, children: undefined })
    } else if (isComplete(tag, line) && depth + stack.length < maxDepth) {
      stack.push({ tag, line, node, children: [], ends: new Map() })
      count(line.name, 1)
    } else siblings().push(node)
  }
  const close = (name: string, node: Block) => {
    if (!opened.get(name)) {
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
    count(name, -1)
    const { tag, line, children } = frame
    const block: PairedTag = { type: "pairedTag", from: frame.node.from, to: node.to, tag, line, children }
    siblings().push(block)
    if (frame.tag.parent !== undefined) stack.at(-1)!.ends.set(block, node)
  }

  for (const node of Details.split(nodes)) {
    if (node.type === "html") {
      const part = Details.partOf(node)
      if (part?.kind === "open") open(Details.tag, part.line, node)
      else if (part?.kind === "close") close(Details.tag.name, node)
      else siblings().push(node)
      continue
    }
    if (node.type !== "tag") {
      // This block is printed as a tag, so it also implies that the end tag of a description was omitted.
      if (isTagless(node) && stack.at(-1)?.tag.body.kind === "fragment") dissolveLast()
      siblings().push(node)
      continue
    }
    const line = TagLine.parse(node.value)
    const tag = line && named(line.name)
    if (line !== undefined && tag !== undefined) open(tag, line, node)
    else if (line?.name.startsWith("end") && isBare(line)) close(line.name.slice(3), node)
    else siblings().push(node)
  }
  while (stack.length > 0) dissolveLast()
  return top
}

/** True if a block has other syntax in the source but is printed as a tag. */
const isTagless = (node: Content): node is AdmonitionNode | Tabs => node.type === "admonition" || node.type === "tabs"

const broken = new WeakMap<Block, boolean>()

/**
 * True if a hint or tab without tag syntax contains an unpaired tag. If the hint were printed as a tag, the two could
 * be paired. So it becomes text.
 */
const isBroken = (node: Block): node is AdmonitionNode | Tabs => {
  if (!isTagless(node)) return false
  let known = broken.get(node)
  if (known === undefined) {
    const parts = node.type === "tabs" ? node.children : [node]
    known = parts.some(({ children }) => hasLeftOver(children))
    broken.set(node, known)
  }
  return known
}

/** True if blocks contain an unpaired tag. */
export const hasLeftOver = (nodes: ReadonlyArray<Block>): boolean => build(nodes, 0).some(isLeftOver)

/** Converts hints and tabs for which `isBroken` is true to text, also within others. Returns other blocks unchanged. */
const unbroken = (node: Block): ReadonlyArray<Block> =>
  isBroken(node) ? Admonition.asText(node).flatMap(unbroken) : [node]

/** Converts hints and tabs to text if they would be printed as tags beyond the maximum depth. */
export const withinDepth = (contents: ReadonlyArray<Content>, depth: number): ReadonlyArray<Content> => {
  const isTooDeep = (content: Content): content is AdmonitionNode | Tabs =>
    isTagless(content) && depth + (content.type === "tabs" ? 1 : 0) >= maxDepth
  return contents.some(isTooDeep)
    ? contents.flatMap((content) =>
        isTooDeep(content) ? withinDepth(build(Admonition.asText(content), depth), depth) : [content]
      )
    : contents
}

const isLeftOver = (content: Content): boolean => {
  if (content.type === "pairedTag") return content.children?.some(isLeftOver) === true
  if (content.type === "html") return Details.partOf(content) !== undefined
  if (content.type !== "tag") return false
  const line = TagLine.parse(content.value)
  return line !== undefined && (named(line.name) !== undefined || line.name.startsWith("end"))
}

const isBare = (line: TagLine.TagLine): boolean => line.attributes.length === 0 && line.argument === undefined

/** Returns the index of the `else` in a condition, which separates the two branches. -1 without an `else`. */
export const otherwiseAt = (children: ReadonlyArray<Content>): number =>
  children.findIndex((child) => {
    const line = child.type === "tag" ? TagLine.parse(child.value) : undefined
    return line?.name === otherwise && isBare(line)
  })

const isComplete = (tag: Tag, line: TagLine.TagLine): boolean =>
  (tag.argument?.isOptional === true || (tag.argument === undefined) === (line.argument === undefined)) &&
  (tag.ref === undefined || line.attributes.some(([name]) => name === tag.ref!.attribute))

const isWellFormed = ({ tag, children }: Frame, parent: Tag | undefined): boolean => {
  if (tag.parent !== parent?.name && tag.parent !== undefined) return false
  const { body } = tag
  if (body.kind === "items") return children.every((child) => child.type === "pairedTag" && child.tag.name === body.of)
  if (body.kind === "details") return children[0] !== undefined && Details.summaryOf(children[0]) !== undefined
  if (body.kind !== "code") return true
  const [code, ...rest] = children
  const isCode = code?.type === "code" || (code?.type === "html" && HighlightedCode.parse(code.value) !== undefined)
  return isCode && rest.length === 0
}

const dissolve = (frame: Frame, into: Array<Content>): void => {
  into.push(
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
    const end = frame.ends.get(child)
    if (end === undefined || child.type !== "pairedTag") into.push(child)
    else {
      into.push({ type: "tag", from: child.from, to: child.from, value: TagLine.print(child.line) })
      for (const grandchild of child.children ?? []) into.push(grandchild)
      into.push(end)
    }
  }
}
