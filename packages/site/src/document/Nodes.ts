/** Reads data of nodes. The data of a document is untrusted, so each function checks its type. */
import type { Block, ContentRef, Data, Node } from "@lectern/document/Document"
import { isRef } from "@lectern/document/DocumentRefs"

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

export const refOf = (data: Data | undefined): ContentRef | undefined =>
  isRef(data?.["ref"]) ? data["ref"] : undefined

export const blocksOf = (nodes: ReadonlyArray<Node> = []): ReadonlyArray<Block> =>
  nodes.filter((node) => node.object === "block")

/** Returns the blocks of a fragment; an empty list if the fragment does not exist. */
export const fragmentOf = ({ fragments = [] }: Pick<Block, "fragments">, name: string): ReadonlyArray<Block> =>
  fragments.find(({ fragment, type }) => (fragment ?? type) === name)?.nodes ?? []

const maxId = 1_000

/** Returns a value that is valid as an id and after `#`, from the first 1,000 characters. */
export const idOf = (value: string): string =>
  value
    .slice(0, maxId)
    .toWellFormed()
    .replace(/[^\p{L}\p{N}_.-]/gu, "-")

/**
 * Returns the class of a width in percent, rounded to twelfths, since pages have no inline styles. Undefined if there
 * is no such width.
 */
export const widthClass = (width: unknown): string | undefined => {
  if (typeof width !== "object" || width === null || !("value" in width) || !("unit" in width)) return undefined
  const { unit, value } = width
  if (unit !== "%" || typeof value !== "number" || !(value > 0 && value < 100)) return undefined
  return `of-12-${Math.min(11, Math.max(1, Math.round((value * 12) / 100)))}`
}
