/**
 * The order in which an organization's collections and spaces are listed: depth first, each thing by
 * its position among its siblings, what lies in a collection right behind it.
 *
 * A place is told by the positions on the way to it, joined so that such keys compare as their places
 * do: a position has no line break, and nothing above U+007A.
 */
import type { OrganizationFacts } from "../access/AccessFacts.ts"
import type { CollectionId } from "./Collection.ts"

const step = "\n"
const behindAll = "\uffff"

/** The spaces of one parent that have no collection between them. */
export interface Stretch {
  /** Null: at the top. */
  readonly parent: CollectionId | null
  /** Positions that they stand between; undefined where there is no collection before or behind. */
  readonly after: string | undefined
  readonly before: string | undefined
  /** Of the parent. */
  readonly key: string
}

export const keyAt = ({ key }: Pick<Stretch, "key">, position: string): string => key + step + position

/** The collections in their order, each with its key; and the stretches between them. */
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

/** The part of the stretches that lies behind a place. */
export const behind = (stretches: ReadonlyArray<Stretch>, place: string): ReadonlyArray<Stretch> =>
  stretches.flatMap((stretch) => {
    const { key, after, before } = stretch
    const end = before === undefined ? key + step + behindAll : keyAt(stretch, before)
    if (end <= place) return []
    const start = after === undefined ? key + step : keyAt(stretch, after) + step + behindAll
    if (start >= place) return [stretch]
    return [{ ...stretch, after: place.slice(key.length + step.length).split(step)[0] }]
  })
