/** Arrow keys in a tree, as if the screen read from left to right. */
import type { Direction } from "./TreeMoves.ts"

export const isRightToLeft = (): boolean => document.documentElement.dir === "rtl"

const directions: { readonly [key: string]: Direction } = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out"
}

/** Returns the key as if the screen read from left to right. */
export const logicalKey = (key: string): string =>
  !isRightToLeft() ? key : key === "ArrowLeft" ? "ArrowRight" : key === "ArrowRight" ? "ArrowLeft" : key

/** Returns the step of a move for a logical key. Undefined for other keys. */
export const directionOf = (key: string): Direction | undefined => directions[key]
