/**
 * Spaces and collections of an organization as a tree, and moves in it, as data. If the user
 * does not see a collection, its content is at the end of the top level, in the order of the API: positions of different
 * parents can't be compared.
 */
import type { Collection, Space } from "../api/Resources.ts"
import type { Move } from "../space/TreeMoves.ts"
import type { TreePosition } from "../space/TreeRows.ts"

interface PlacedItem {
  readonly id: string
  readonly title: string
  /** True for the content of a collection that the user does not see. */
  readonly isDetached: boolean
}

export type SpaceItem =
  | (PlacedItem & { readonly type: "space"; readonly space: Space })
  | (PlacedItem & {
      readonly type: "collection"
      readonly collection: Collection
      readonly pages: ReadonlyArray<SpaceItem>
    })

interface Ordered {
  readonly id: string
  readonly parent?: string
  readonly position?: string
}

const byPosition = (a: Ordered, b: Ordered): number => {
  const [first, second] = [a.position ?? "", b.position ?? ""]
  return first < second ? -1 : first > second ? 1 : 0
}

/** Returns the spaces and collections at the top, with their content. */
export const spaceItems = (
  spaces: ReadonlyArray<Space>,
  collections: ReadonlyArray<Collection>
): ReadonlyArray<SpaceItem> => {
  const ids = new Set<string>(collections.map(({ id }) => id))
  const isDetached = ({ parent }: Ordered) => parent !== undefined && !ids.has(parent)
  const byParent = Map.groupBy<string | undefined, Collection | Space>(
    [...collections, ...spaces],
    ({ parent }) => parent
  )
  const itemOf = (resource: Collection | Space): SpaceItem => {
    const { id, title } = resource
    const placed = { id, title, isDetached: isDetached(resource) }
    return resource.object === "space"
      ? { ...placed, type: "space", space: resource }
      : { ...placed, type: "collection", collection: resource, pages: itemsIn(id) }
  }
  const itemsIn = (parent: string | undefined): ReadonlyArray<SpaceItem> =>
    (byParent.get(parent) ?? []).toSorted(byPosition).map(itemOf)
  return [...itemsIn(undefined), ...[...collections, ...spaces].filter(isDetached).map(itemOf)]
}

/** Permissions of the user in an organization. */
export interface MoveRights {
  readonly items: ReadonlyArray<SpaceItem>
  /** True if the user may put content at the top of the organization. */
  readonly canCreateAtTop: boolean
}

/**
 * Returns true if the user may move an item. For a space, the permission to create content in its collection stands for
 * the one to move the space, which its resource does not state. `parent`: collection of the item.
 */
export const canMove = (item: SpaceItem, parent: SpaceItem | undefined, canCreateAtTop: boolean): boolean => {
  if (item.type === "collection") return item.collection.permissions.create
  const { admin, review } = item.space.permissions
  if (admin) return true
  const canCreate = parent?.type === "collection" ? parent.collection.permissions.create : canCreateAtTop
  return review && canCreate && !item.isDetached
}

/** Returns true if the user may put content at a position. `parent`: collection of the position. */
export const canPut = (
  { at, into }: TreePosition,
  parent: SpaceItem | undefined,
  { canCreateAtTop, items }: MoveRights
): boolean =>
  into === null
    ? canCreateAtTop && at <= items.filter(({ isDetached }) => !isDetached).length
    : parent?.type === "collection" && parent.collection.permissions.create

const referenceTo = ({ id, type }: SpaceItem) => ({ type, [type]: id })

/** Returns the body of the request for a move. `siblings`: content of the target, with or without the moved item. */
export const moveBody = ({ at, into, page }: Move, siblings: ReadonlyArray<SpaceItem>) => {
  const others = siblings.filter(({ id, isDetached }) => id !== page && !isDetached)
  const before = others[Math.min(at, others.length) - 1]
  const next = others[at]
  return {
    parent: into,
    ...(before !== undefined
      ? { position: { after: referenceTo(before) } }
      : next !== undefined && { position: { before: referenceTo(next) } })
  }
}
