/**
 * Maps the parts of a document. Unchanged parts stay the same objects, so a document without changes is not copied.
 * Callers detect changes by comparing objects.
 */
import type { Block, Data, Fragment, Inline } from "./Document.ts"

/** Returns the list with each item mapped by `f`. */
export const mapList = <A>(list: ReadonlyArray<A>, f: (item: A) => A): ReadonlyArray<A> => {
  let changed: Array<A> | undefined
  // Uses an index, since an iterator of entries takes twice as long and every node of a document is mapped here.
  for (let i = 0; i < list.length; i++) {
    const mapped = f(list[i]!)
    if (changed !== undefined) changed.push(mapped)
    else if (mapped !== list[i]) {
      changed = list.slice(0, i)
      changed.push(mapped)
    }
  }
  return changed ?? list
}

/** Returns the list with each item replaced by the items that `f` returns. */
export const flatMapList = <A>(list: ReadonlyArray<A>, f: (item: A) => ReadonlyArray<A>): ReadonlyArray<A> => {
  let changed: Array<A> | undefined
  for (const [i, item] of list.entries()) {
    const mapped = f(item)
    if (changed === undefined) {
      if (mapped.length === 1 && mapped[0] === item) continue
      changed = list.slice(0, i)
    }
    for (const each of mapped) changed.push(each)
  }
  return changed ?? list
}

/** Returns the data with each field mapped by `f`. */
export const mapFields = (data: Data, f: (field: unknown, name: string) => unknown): Data => {
  let changed: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(data)) {
    const mapped = f(field, name)
    if (mapped !== field) (changed ??= { ...data })[name] = mapped
  }
  return changed ?? data
}

/** Returns the fragment or document with other nodes. */
export const withNodes = <A extends { readonly nodes: ReadonlyArray<Block> }>(
  parent: A,
  nodes: ReadonlyArray<Block>
): A => (nodes === parent.nodes ? parent : { ...parent, nodes })

/** Returns the node with other parts. Absent or undefined parts stay. */
export const withParts = <A extends Block | Inline>(
  node: A,
  {
    data = node.data,
    nodes = node.nodes,
    fragments = node.fragments
  }: {
    readonly data?: Data | undefined
    readonly nodes?: Block["nodes"] | undefined
    readonly fragments?: ReadonlyArray<Fragment> | undefined
  }
): A =>
  data === node.data && nodes === node.nodes && fragments === node.fragments
    ? node
    : { ...node, ...(data && { data }), ...(nodes && { nodes }), ...(fragments && { fragments }) }
