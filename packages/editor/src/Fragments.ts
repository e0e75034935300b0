/** Fragments of blocks and cells, with the properties that the editor keeps: key and type. */
import type { Block, Fragment } from "@lectern/document/Document"
import type { Attrs } from "prosemirror-model"

const properties = new Set(["object", "key", "fragment", "type", "nodes"])

/** True if a fragment has only the properties that the editor keeps. */
export const isPlain = (fragment: Fragment): boolean => Object.keys(fragment).every((name) => properties.has(name))

/** Returns a fragment with the key and type in the attributes of its node. */
export const fragmentWith = (name: string, { key, type }: Attrs, nodes: ReadonlyArray<Block>): Fragment => ({
  object: "fragment",
  ...(key !== null && { key }),
  fragment: name,
  ...(type !== null && { type }),
  nodes
})
