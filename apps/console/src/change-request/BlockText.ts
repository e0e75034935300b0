/** Text of a block of a document without its marks, for differences and conflicts. A block of its own has a line. */
interface Node {
  readonly object?: string
  readonly type?: string
  readonly key?: string
  readonly text?: string
  readonly leaves?: ReadonlyArray<Node>
  readonly nodes?: ReadonlyArray<Node>
  readonly fragments?: ReadonlyArray<Node>
  readonly data?: { readonly [name: string]: unknown }
}

/** Fields of the data of a block that stand for it if it has no text. */
const dataFields = ["title", "alt", "url", "label", "formula", "expression"] as const

const ownText = ({ data = {} }: Node): string => {
  const value = dataFields.map((name) => data[name]).find((field) => typeof field === "string" && field !== "")
  return typeof value === "string" ? value : ""
}

const textOf = (node: Node): string => {
  if (node.leaves !== undefined) return node.leaves.map(({ text = "" }) => text).join("")
  const children = [...(node.fragments ?? []), ...(node.nodes ?? [])]
  if (children.length === 0) return node.text ?? ownText(node)
  const areBlocks = children.some(({ object }) => object === "block" || object === "fragment")
  return children
    .map(textOf)
    .filter((line) => !areBlocks || line !== "")
    .join(areBlocks ? "\n" : "")
}

/** Returns the text of a block, or of another value such as a title. Undefined for nothing. */
export const blockText = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value !== "object") return String(value)
  const node = value as Node
  if (node.object === undefined && node.nodes === undefined) {
    const { title, name } = value as { readonly title?: unknown; readonly name?: unknown }
    return typeof title === "string" ? title : typeof name === "string" ? name : JSON.stringify(value)
  }
  return textOf(node)
}

/** Returns the key of a block. Empty for other values. */
export const blockKey = (value: unknown): string => (Object(value) as Node).key ?? ""

export const blockType = (value: unknown): string => (Object(value) as Node).type ?? ""
