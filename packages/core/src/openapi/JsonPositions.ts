/**
 * Finds the positions of values in valid JSON by their paths. The position of a property is the position of its name.
 * The position of an item is the position of its value. Takes one pass over the text for any number of paths, without
 * recursion.
 */
import type { Path, Position } from "./SpecSource.ts"

/** Requested paths as a tree. Each node lists the indexes of the paths that end at the node. */
interface PathNode {
  readonly children: Map<string, PathNode>
  readonly pathIndexes: Array<number>
}

interface Frame {
  readonly node: PathNode | undefined
  readonly isArray: boolean
  index: number
  /** The node of the next value; undefined if no requested path leads to it. */
  next: PathNode | undefined
  /** True if the next string is a property name. */
  isName: boolean
}

const emptyNode = (): PathNode => ({ children: new Map(), pathIndexes: [] })

export const find = (text: string, paths: ReadonlyArray<Path>): ReadonlyArray<Position | undefined> => {
  const root = emptyNode()
  for (const [i, path] of paths.entries()) {
    let node = root
    for (const part of path) {
      let next = node.children.get(String(part))
      if (next === undefined) node.children.set(String(part), (next = emptyNode()))
      node = next
    }
    node.pathIndexes.push(i)
  }
  const offsets = offsetsOf(text, root, paths.length)
  return positionsOf(text, offsets)
}

const offsetsOf = (text: string, root: PathNode, count: number): ReadonlyArray<number | undefined> => {
  const offsets = Array<number | undefined>(count).fill(undefined)
  const setOffset = (node: PathNode | undefined, offset: number) => {
    for (const pathIndex of node?.pathIndexes ?? []) offsets[pathIndex] = offset
  }
  const frames: Array<Frame> = []
  const current = (): PathNode | undefined => {
    const frame = frames.at(-1)
    return frame === undefined ? root : frame.next
  }
  for (let i = 0; i < text.length; i++) {
    const frame = frames.at(-1)
    switch (text[i]) {
      case '"': {
        const end = endOfString(text, i)
        if (frame?.isName === true) {
          frame.isName = false
          frame.next = frame.node?.children.get(
            frame.node.children.size === 0 ? "" : (JSON.parse(text.slice(i, end + 1)) as string)
          )
          setOffset(frame.next, i)
        }
        i = end
        break
      }
      case "{":
      case "[": {
        const isArray = text[i] === "["
        const node = current()
        if (frame === undefined) setOffset(node, i)
        const inner: Frame = { node, isArray, index: 0, next: undefined, isName: !isArray }
        if (isArray) {
          inner.next = node?.children.get("0")
          setOffset(inner.next, next(text, i + 1))
        }
        frames.push(inner)
        break
      }
      case "}":
      case "]":
        frames.pop()
        break
      case ",":
        if (frame === undefined) break
        if (frame.isArray) {
          frame.next = frame.node?.children.get(String(++frame.index))
          if (frame.next !== undefined) setOffset(frame.next, next(text, i + 1))
        } else frame.isName = true
    }
  }
  return offsets
}

/** Returns the offset of the next character that is not white space. */
const next = (text: string, from: number): number => {
  let i = from
  while (i < text.length && /\s/.test(text[i]!)) i++
  return i
}

const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  for (;;) {
    let escapes = 0
    while (text[end - 1 - escapes] === "\\") escapes++
    if (end < 0 || escapes % 2 === 0) return end < 0 ? text.length : end
    end = text.indexOf('"', end + 1)
  }
}

const positionsOf = (text: string, offsets: ReadonlyArray<number | undefined>): ReadonlyArray<Position | undefined> => {
  const positions = new Map<number, Position>()
  let line = 1
  let start = 0
  for (const offset of offsets.filter((one) => one !== undefined).sort((a, b) => a - b)) {
    for (let end = text.indexOf("\n", start); end >= 0 && end < offset; end = text.indexOf("\n", start)) {
      line++
      start = end + 1
    }
    positions.set(offset, { line, column: offset - start + 1 })
  }
  return offsets.map((offset) => (offset === undefined ? undefined : positions.get(offset)))
}
