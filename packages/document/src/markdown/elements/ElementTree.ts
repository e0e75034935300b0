/**
 * Pairs the tags of elements. A tag without an end, and an end without a tag, contain nothing.
 *
 * Limit: elements nest 20 deep. Deeper ones contain nothing.
 */
import type { HiddenPart, Part, TagPart, TextPart } from "./ElementPart.ts"

const maxDepth = 20

export interface Element {
  readonly type: "element"
  readonly open: TagPart
  readonly close: TagPart | undefined
  readonly children: ReadonlyArray<ElementNode>
}

export type ElementNode = TextPart | HiddenPart | Element

interface OpenElement {
  readonly open: TagPart
  readonly children: Array<ElementNode>
}

export const build = (parts: ReadonlyArray<Part>): ReadonlyArray<ElementNode> => {
  const root: Array<ElementNode> = []
  const stack: Array<OpenElement> = []
  const openCounts = new Map<string, number>()
  const siblings = () => stack.at(-1)?.children ?? root
  const changeCount = (name: string, by: number) => openCounts.set(name, (openCounts.get(name) ?? 0) + by)
  const dissolveLast = () => {
    const { children, open } = stack.pop()!
    changeCount(open.tag.name, -1)
    const into = siblings()
    into.push({ type: "element", open, close: undefined, children: [] })
    for (const child of children) into.push(child)
  }
  for (const part of parts) {
    if (part.type !== "tag") siblings().push(part)
    else if (part.tag.kind === "open" && stack.length < maxDepth) {
      stack.push({ open: part, children: [] })
      changeCount(part.tag.name, 1)
    } else if (part.tag.kind === "close" && (openCounts.get(part.tag.name) ?? 0) > 0) {
      while (stack.at(-1)!.open.tag.name !== part.tag.name) dissolveLast()
      const { children, open } = stack.pop()!
      changeCount(open.tag.name, -1)
      siblings().push({ type: "element", open, close: part, children })
    } else siblings().push({ type: "element", open: part, close: undefined, children: [] })
  }
  while (stack.length > 0) dissolveLast()
  return root
}

/** Returns true for a line without text. */
export const isBlank = (node: ElementNode): boolean => node.type === "text" && node.text.trim() === ""

/** Returns true for a part that is not displayed. */
export const isInvisible = (node: ElementNode): boolean =>
  isBlank(node) || node.type === "hidden" || (node.type === "element" && node.open.form?.kind === "hidden")

/** Returns the elements among nodes, if no other node is displayed and all have one of the kinds. */
export const onlyElements = (
  nodes: ReadonlyArray<ElementNode>,
  ...kinds: ReadonlyArray<string>
): ReadonlyArray<Element> | undefined => {
  const visible = nodes.filter((node) => !isInvisible(node))
  const elements = visible.filter((node): node is Element => node.type === "element" && isOf(node, kinds))
  return elements.length > 0 && elements.length === visible.length ? elements : undefined
}

const isOf = ({ open }: Element, kinds: ReadonlyArray<string>): boolean =>
  open.form !== undefined && kinds.includes(open.form.kind)

/** Returns the position of the first node that starts a line and is not blank. */
export const firstLine = (nodes: ReadonlyArray<ElementNode>): { readonly lead: string } | undefined => {
  for (const node of nodes) {
    if (isBlank(node)) continue
    const position = node.type === "element" ? node.open : node
    if (position.startsLine) return position
    const inner = node.type === "element" ? firstLine(node.children) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Returns the numbers of the first line of an element and of the line after its last. */
export const rangeOf = ({ close, open }: Element): { readonly from: number; readonly to: number } => ({
  from: open.from,
  to: (close ?? open).to
})
