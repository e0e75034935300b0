/**
 * Finds the tags of one container that belong together, and the `<details>` with them. A tag without its end, an
 * end without its tag, a tag where it may not stand, or one that is not known stays a line of its own.
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

/** A tag with what stands in it; `children` is undefined where the end was left out. */
export interface PairedTag {
  readonly type: "pairedTag"
  /** Start of the tag's line, and end of its end tag. */
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
  /** Of the items in it, their ends, in case they must become lines again. */
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
    // What describes a block holds no tags, so another tag shows that its end was left out.
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
      // It is printed as a tag, which shows the same.
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

/** Tells whether it is printed as a tag, and written as none. */
const isTagless = (node: Content): node is AdmonitionNode | Tabs => node.type === "admonition" || node.type === "tabs"

const broken = new WeakMap<Block, boolean>()

/**
 * Tells whether a hint or a tab that is written without tags holds one that is left over: a tag around it would be
 * read together with that one, so it stays text.
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

/** Tells whether a tag among blocks is left over. */
export const hasLeftOver = (nodes: ReadonlyArray<Block>): boolean => build(nodes, 0).some(isLeftOver)

/** Broken ones as text, and broken ones in it as well; any other block as it is. */
const unbroken = (node: Block): ReadonlyArray<Block> =>
  isBroken(node) ? Admonition.asText(node).flatMap(unbroken) : [node]

/** The same blocks, with hints and tabs as text that would be printed as tags deeper than these nest. */
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

/** Index of the `else` in a condition, behind which stands the part for where it does not hold. */
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
