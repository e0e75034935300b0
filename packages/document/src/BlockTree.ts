/**
 * A document as a tree of blocks. A block has child blocks in slots: its nodes, and each of its fragments by name.
 * Blocks in an inline node, such as an annotation, are part of the text and not of the tree.
 *
 * No function here is recursive, so deep documents can't overflow the stack.
 */
import type { Block, Document, Fragment, Inline, Node, Text } from "./Document.ts"

export type Parent = Block | Document

export interface Slot {
  readonly name: string
  readonly blocks: ReadonlyArray<Block>
}

export interface Entry {
  readonly block: Block
  /** Parent block. Undefined for top-level blocks. */
  readonly parent: Block | undefined
  readonly slot: string
}

/** Name of the slot for a block's own nodes. */
export const nodesSlot = "nodes"

export const isBlock = (node: Node): node is Block => node.object === "block"

/** Returns the text and inline nodes of a block. */
export const inlines = (block: Block): ReadonlyArray<Inline | Text> =>
  block.nodes?.filter((node) => !isBlock(node)) ?? []

/** Returns a unique name for each fragment. Fragments with the same name are numbered. */
export const fragmentNames = (fragments: ReadonlyArray<Fragment>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  return fragments.map((fragment) => {
    const name = `fragment:${fragment.fragment ?? fragment.type ?? ""}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}\u0000${count}`
  })
}

export const slots = (parent: Parent): ReadonlyArray<Slot> => {
  const result: Array<Slot> = []
  if (parent.nodes !== undefined && parent.nodes.length > 0) {
    const blocks = (parent.nodes as ReadonlyArray<Node>).filter(isBlock)
    if (blocks.length > 0) result.push({ name: nodesSlot, blocks })
  }
  if (parent.object === "block" && parent.fragments !== undefined) {
    const names = fragmentNames(parent.fragments)
    for (const [i, { nodes }] of parent.fragments.entries()) result.push({ name: names[i]!, blocks: nodes })
  }
  return result
}

/** Returns all blocks, parents before their children, level by level. */
export const entries = (document: Document): ReadonlyArray<Entry> => {
  const result: Array<Entry> = []
  const add = (parent: Parent) => {
    for (const { blocks, name } of slots(parent)) {
      for (const block of blocks) {
        result.push({ block, parent: parent.object === "document" ? undefined : parent, slot: name })
      }
    }
  }
  add(document)
  for (let i = 0; i < result.length; i++) add(result[i]!.block)
  return result
}

const replaceBlocks = (nodes: ReadonlyArray<Node>, blocks: ReadonlyArray<Block>): ReadonlyArray<Node> => {
  const inlineNodes = nodes.filter((node) => !isBlock(node))
  if (inlineNodes.length === 0) return blocks
  if (nodes.length - inlineNodes.length !== blocks.length) return [...inlineNodes, ...blocks]
  let next = 0
  return nodes.map((node) => (isBlock(node) ? blocks[next++]! : node))
}

const haveSameItems = <A>(a: ReadonlyArray<A>, b: ReadonlyArray<A>) =>
  a.length === b.length && a.every((item, i) => item === b[i])

/** Returns the parent with other blocks in its slots, or the same object if no block differs. */
export const withBlocks = <P extends Parent>(parent: P, blocksOf: (slot: string) => ReadonlyArray<Block>): P => {
  let result: Parent = parent
  const ownNodes: ReadonlyArray<Node> = parent.nodes ?? []
  const blocks = blocksOf(nodesSlot)
  if (!haveSameItems(ownNodes.filter(isBlock), blocks))
    result = { ...result, nodes: replaceBlocks(ownNodes, blocks) } as Parent
  if (parent.object === "block" && parent.fragments !== undefined) {
    const names = fragmentNames(parent.fragments)
    const fragments = parent.fragments.map((fragment, i) => {
      const nodes = blocksOf(names[i]!)
      return haveSameItems(fragment.nodes, nodes) ? fragment : { ...fragment, nodes }
    })
    if (!haveSameItems(parent.fragments, fragments)) result = { ...result, fragments } as Parent
  }
  return result as P
}

/**
 * Rebuilds a document from its leaves up. `change` receives each block with its rebuilt children, and returns the block
 * or blocks that replace it (an empty list removes it). Unchanged parts stay the same objects.
 */
export const mapBlocks = (
  document: Document,
  change: (rebuilt: Block, original: Block, index: number) => ReadonlyArray<Block> | Block
): Document => {
  const allEntries = entries(document)
  const results: Array<ReadonlyArray<Block> | Block> = []
  // `all` is in breadth-first order. Backwards, the children of each block are therefore the contiguous range before
  // `end`.
  let end = allEntries.length
  const rebuild = <P extends Parent>(parent: P): P => {
    const lists = new Map<string, Array<Block>>()
    for (const { blocks, name } of slots(parent).toReversed()) {
      lists.set(name, results.slice(end - blocks.length, end).flat() as Array<Block>)
      end -= blocks.length
    }
    return lists.size === 0 ? parent : withBlocks(parent, (slot) => lists.get(slot) ?? [])
  }
  for (let i = allEntries.length - 1; i >= 0; i--)
    results[i] = change(rebuild(allEntries[i]!.block), allEntries[i]!.block, i)
  return rebuild(document)
}

/**
 * Returns a function that derives a free key from a key in use by appending a number. It remembers the last number per
 * key, so many equal keys take linear time.
 */
export const freeKeyMaker = (used: Set<string>): ((key: string) => string) => {
  const counts = new Map<string, number>()
  return (key) => {
    for (let n = counts.get(key) ?? 2; ; n++) {
      const candidateKey = `${key}-${n}`
      if (used.has(candidateKey)) continue
      used.add(candidateKey)
      counts.set(key, n + 1)
      return candidateKey
    }
  }
}

/** Returns the document with unique keys. If blocks share a key, all but the first get a new one. */
export const withUniqueKeys = (document: Document): Document => {
  const all = entries(document)
  const used = new Set(all.map(({ block }) => block.key))
  if (used.size === all.length) return document
  const freeKey = freeKeyMaker(used)
  const seenKeys = new Set<string>()
  const keys = all.map(({ block: { key } }) => {
    if (seenKeys.has(key)) return freeKey(key)
    seenKeys.add(key)
    return key
  })
  return mapBlocks(document, (block, _, i) => (block.key === keys[i] ? block : { ...block, key: keys[i]! }))
}
