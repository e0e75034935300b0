/**
 * The references of a document: what it links to, shows or includes. They stand in the data of
 * blocks and inlines, in tables also within values, so every object in data that has the shape of a
 * reference is one.
 */
import type { Block, ContentRef, Document, Fragment, Node } from "./Document.ts"

const kinds: ReadonlyMap<string, string> = new Map([
  ["url", "url"],
  ["file", "file"],
  ["page", "page"],
  ["anchor", "anchor"],
  ["user", "user"],
  ["collection", "collection"],
  ["space", "space"],
  ["reusable-content", "reusableContent"],
  ["openapi", "spec"]
])

export const isRef = (value: unknown): value is ContentRef => {
  if (typeof value !== "object" || value === null || !("kind" in value) || typeof value.kind !== "string") return false
  const field = kinds.get(value.kind)
  return field !== undefined && typeof (value as { readonly [name: string]: unknown })[field] === "string"
}

/** Every reference, in the order of the text. */
export const refs = (document: Document): Array<ContentRef> => {
  const found: Array<ContentRef> = []
  const open: Array<unknown> = [document.nodes]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== "object" || value === null) continue
    if (isRef(value)) {
      found.push(value)
      continue
    }
    const values = Object.values(value)
    for (let i = values.length - 1; i >= 0; i--) if (typeof values[i] === "object") open.push(values[i])
  }
  return found
}

/** The document with every reference as `f` gives it; parts in which none changes stay the same objects. */
export const mapRefs = (document: Document, f: (ref: ContentRef) => ContentRef): Document => {
  const nodes = mapList(document.nodes, (node) => mapNode(node, f))
  return nodes === document.nodes ? document : { ...document, nodes }
}

// Documents nest 100 deep at most, so recursion is bounded.
const mapNode = <A extends Node>(node: A, f: (ref: ContentRef) => ContentRef): A => {
  if (node.object === "text") return node
  const data = node.data === undefined ? undefined : (mapValue(node.data, f) as Block["data"])
  const nodes = node.nodes === undefined ? undefined : mapList<Node>(node.nodes, (child) => mapNode(child, f))
  const fragments =
    node.fragments === undefined ? undefined : mapList(node.fragments, (fragment) => mapFragment(fragment, f))
  if (data === node.data && nodes === node.nodes && fragments === node.fragments) return node
  return {
    ...node,
    ...(data === undefined ? {} : { data }),
    ...(nodes === undefined ? {} : { nodes }),
    ...(fragments === undefined ? {} : { fragments })
  }
}

const mapFragment = (fragment: Fragment, f: (ref: ContentRef) => ContentRef): Fragment => {
  const nodes = mapList(fragment.nodes, (node) => mapNode(node, f))
  return nodes === fragment.nodes ? fragment : { ...fragment, nodes }
}

const mapValue = (value: unknown, f: (ref: ContentRef) => ContentRef): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (isRef(value)) return f(value)
  if (Array.isArray(value)) return mapList(value as ReadonlyArray<unknown>, (item) => mapValue(item, f))
  let changed: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(value)) {
    const mapped = mapValue(field, f)
    if (mapped === field) continue
    changed ??= { ...value }
    changed[name] = mapped
  }
  return changed ?? value
}

const mapList = <A>(list: ReadonlyArray<A>, f: (item: A) => A): ReadonlyArray<A> => {
  let changed: Array<A> | undefined
  for (const [i, item] of list.entries()) {
    const mapped = f(item)
    if (changed !== undefined) changed.push(mapped)
    else if (mapped !== item) {
      changed = list.slice(0, i)
      changed.push(mapped)
    }
  }
  return changed ?? list
}
