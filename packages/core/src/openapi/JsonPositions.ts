/**
 * Finds the positions of values in valid JSON by their paths. The position of a property is the position of its name.
 * The position of an item is the position of its value. Takes one pass over the text for any number of paths, without
 * recursion.
 */
import type { Path, Position } from "./SpecSource.ts"

/** Requested paths as a tree. `places`: indexes of the paths that end at this node. */
interface Wanted {
  readonly below: Map<string, Wanted>
  readonly places: Array<number>
}

interface Frame {
  readonly wanted: Wanted | undefined
  readonly isArray: boolean
  index: number
  /** The node of the next value; undefined if no requested path leads to it. */
  next: Wanted | undefined
  /** True if the next string is a property name. */
  isName: boolean
}

const none = (): Wanted => ({ below: new Map(), places: [] })

export const find = (text: string, paths: ReadonlyArray<Path>): ReadonlyArray<Position | undefined> => {
  const root = none()
  for (const [i, path] of paths.entries()) {
    let wanted = root
    for (const part of path) {
      let next = wanted.below.get(String(part))
      if (next === undefined) wanted.below.set(String(part), (next = none()))
      wanted = next
    }
    wanted.places.push(i)
  }
  const offsets = offsetsOf(text, root, paths.length)
  return positionsOf(text, offsets)
}

const offsetsOf = (text: string, root: Wanted, count: number): ReadonlyArray<number | undefined> => {
  const offsets = Array<number | undefined>(count).fill(undefined)
  const note = (wanted: Wanted | undefined, offset: number) => {
    for (const place of wanted?.places ?? []) offsets[place] = offset
  }
  const frames: Array<Frame> = []
  const current = (): Wanted | undefined => {
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
          frame.next = frame.wanted?.below.get(
            frame.wanted.below.size === 0 ? "" : (JSON.parse(text.slice(i, end + 1)) as string)
          )
          note(frame.next, i)
        }
        i = end
        break
      }
      case "{":
      case "[": {
        const isArray = text[i] === "["
        const wanted = current()
        if (frame === undefined) note(wanted, i)
        const inside: Frame = { wanted, isArray, index: 0, next: undefined, isName: !isArray }
        if (isArray) {
          inside.next = wanted?.below.get("0")
          note(inside.next, next(text, i + 1))
        }
        frames.push(inside)
        break
      }
      case "}":
      case "]":
        frames.pop()
        break
      case ",":
        if (frame === undefined) break
        if (frame.isArray) {
          frame.next = frame.wanted?.below.get(String(++frame.index))
          if (frame.next !== undefined) note(frame.next, next(text, i + 1))
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
