/**
 * Finds the tags of one container that belong together. A tag without its end, an end without its
 * tag, a tag where it may not stand, or one that is not known stays a line of its own.
 *
 * Limits: tags and containers nest 24 deep.
 */
import type { RootContent } from "mdast"
import * as TagLine from "./TagLine.ts"
import type { TagNode } from "./TagSyntax.ts"
import { byName, type Tag } from "./Tags.ts"

export const maxDepth = 24

/** A tag with what stands in it; `children` is undefined where the end was left out. */
export interface PairedTag {
  readonly type: "pairedTag"
  readonly tag: Tag
  readonly line: TagLine.TagLine
  readonly children: ReadonlyArray<Content> | undefined
}

export type Content = RootContent | PairedTag

interface Frame {
  readonly tag: Tag
  readonly line: TagLine.TagLine
  readonly node: TagNode
  readonly children: Array<Content>
  /** Of the items in it, their ends, in case they must become lines again. */
  readonly ends: Map<Content, TagNode>
}

export const build = (nodes: ReadonlyArray<RootContent>, depth: number): ReadonlyArray<Content> => {
  if (!nodes.some((node) => node.type === "tag")) return nodes
  const top: Array<Content> = []
  const stack: Array<Frame> = []
  const opened = new Map<string, number>()
  const siblings = () => stack.at(-1)?.children ?? top
  const count = (name: string, by: number) => opened.set(name, (opened.get(name) ?? 0) + by)

  const dissolveLast = () => {
    const frame = stack.pop()!
    count(frame.tag.name, -1)
    dissolve(frame, siblings())
  }

  for (const node of nodes) {
    if (node.type !== "tag") {
      siblings().push(node)
      continue
    }
    const line = TagLine.parse(node.value)
    const tag = line && byName.get(line.name)
    if (line !== undefined && tag !== undefined) {
      // What describes a block holds no tags, so another tag shows that its end was left out.
      if (stack.at(-1)?.tag.body.kind === "fragment") dissolveLast()
      if (isComplete(tag, line) && depth + stack.length < maxDepth) {
        stack.push({ tag, line, node, children: [], ends: new Map() })
        count(tag.name, 1)
      } else siblings().push(node)
      continue
    }
    const ended = line?.name.startsWith("end") && line.attributes.length === 0 ? line.name.slice(3) : undefined
    if (ended === undefined || !opened.get(ended)) {
      siblings().push(node)
      continue
    }
    while (stack.at(-1)!.tag.name !== ended) dissolveLast()
    const frame = stack.at(-1)!
    if (isWellFormed(frame, stack.at(-2)?.tag)) {
      stack.pop()
      count(ended, -1)
      const block: PairedTag = { type: "pairedTag", tag: frame.tag, line: frame.line, children: frame.children }
      siblings().push(block)
      if (frame.tag.parent !== undefined) stack.at(-1)!.ends.set(block, node)
    } else {
      dissolveLast()
      siblings().push(node)
    }
  }
  while (stack.length > 0) dissolveLast()
  return top
}

const isComplete = (tag: Tag, line: TagLine.TagLine): boolean =>
  tag.ref === undefined || line.attributes.some(([name]) => name === tag.ref!.attribute)

const isWellFormed = ({ tag, children }: Frame, parent: Tag | undefined): boolean => {
  if (tag.parent !== parent?.name && tag.parent !== undefined) return false
  const { body } = tag
  if (body.kind === "items") return children.every((child) => child.type === "pairedTag" && child.tag.name === body.of)
  return body.kind !== "code" || (children.length === 1 && children[0]!.type === "code")
}

const dissolve = (frame: Frame, into: Array<Content>): void => {
  into.push(
    frame.tag.body.kind === "fragment"
      ? { type: "pairedTag", tag: frame.tag, line: frame.line, children: undefined }
      : frame.node
  )
  for (const child of frame.children) {
    const end = frame.ends.get(child)
    if (end === undefined || child.type !== "pairedTag") into.push(child)
    else {
      into.push({ type: "tag", value: TagLine.print(child.line) })
      for (const grandchild of child.children ?? []) into.push(grandchild)
      into.push(end)
    }
  }
}
