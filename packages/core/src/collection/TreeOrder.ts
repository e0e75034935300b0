/**
 * Order of an organization's collections and spaces in lists: depth first, siblings by position, and each collection
 * directly before its content.
 *
 * The key of an item is the sequence of positions from the root to the item. The order of keys as strings is the tree
 * order, since a position contains no line feed and no character above U+007A.
 */
import type { OrganizationFacts } from "../access/AccessFacts.ts"
import type { CollectionId } from "./Collection.ts"

const step = "\n"
const afterAll = "\uffff"

/** A stretch: sibling spaces with no collection between them. */
export interface Stretch {
  /** Null for the top level. */
  readonly parent: CollectionId | null
  /** Positions of the collections before and after the spaces. Undefined if no such collection exists. */
  readonly after: string | undefined
  readonly before: string | undefined
  /** Key of the parent collection in tree order. Empty at the top level. */
  readonly key: string
}

export const keyAt = ({ key }: Pick<Stretch, "key">, position: string): string => key + step + position

/** Returns the collections in tree order with their keys, and the stretches between them. */
export const treeOrder = (facts: OrganizationFacts) => {
  const children = Map.groupBy(facts.collections.values(), ({ parent }) => parent)
  const collections: Array<{ readonly id: CollectionId; readonly key: string }> = []
  const stretches: Array<Stretch> = []
  const walk = (parent: CollectionId | undefined, key: string) => {
    const inside = (children.get(parent) ?? []).toSorted((a, b) => (a.position < b.position ? -1 : 1))
    let after: string | undefined
    for (const { id, position } of inside) {
      stretches.push({ parent: parent ?? null, key, after, before: position })
      const own = keyAt({ key }, position)
      collections.push({ id, key: own })
      walk(id, own)
      after = position
    }
    stretches.push({ parent: parent ?? null, key, after, before: undefined })
  }
  walk(undefined, "")
  return { collections, stretches }
}

/** Returns the parts of the key ranges that follow `place`. */
export const stretchesAfter = (stretches: ReadonlyArray<Stretch>, place: string): ReadonlyArray<Stretch> =>
  stretches.flatMap((stretch) => {
    const { key, after, before } = stretch
    const end = before === undefined ? key + step + afterAll : keyAt(stretch, before)
    if (end <= place) return []
    const start = after === undefined ? key + step : keyAt(stretch, after) + step + afterAll
    if (start >= place) return [stretch]
    return [{ ...stretch, after: place.slice(key.length + step.length).split(step)[0] }]
  })
