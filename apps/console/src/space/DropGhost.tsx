/** The text next to the pointer during a drag: the title of the item, and the name of the place where it would drop. */
import type { RefObject } from "react"
import { text } from "../language/Language.ts"
import { titleOf, type TreeItem } from "./PageTree.ts"

export interface DropNeighbors {
  /** Item that would be the parent. Undefined at the top. */
  readonly parent: TreeItem<unknown> | undefined
  /** Item that would be directly before. Undefined for the first place. */
  readonly before: TreeItem<unknown> | undefined
}

/** Returns the name of a place. `isInto`: true for the last place in the parent. */
export const describePlace = ({ before, parent }: DropNeighbors, isInto: boolean): string => {
  if (before !== undefined) return text("tree.drop.after", { title: titleOf(before) })
  if (parent === undefined) return text("tree.drop.top")
  return text(isInto ? "tree.drop.into" : "tree.drop.first", { title: titleOf(parent) })
}

/** Moves the text to a point of the viewport. All of it stays visible. */
export const moveGhost = (ghost: HTMLElement, x: number, y: number): void => {
  const maxX = innerWidth - ghost.offsetWidth - 2 * ghost.offsetLeft
  const maxY = innerHeight - ghost.offsetHeight - 2 * ghost.offsetTop
  ghost.style.translate = `${Math.max(0, Math.min(x, maxX))}px ${Math.max(0, Math.min(y, maxY))}px`
}

interface DropGhostProps {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly title: string
  readonly place: string
}

export const DropGhost = ({ place, ref, title }: DropGhostProps) => (
  <div className="tree-ghost" ref={ref} aria-hidden="true">
    <strong>{title}</strong>
    <span>{place}</span>
  </div>
)
