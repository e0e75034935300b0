/** The name that was meant where one was written that nobody knows. */
import { closest, distance } from "fastest-levenshtein"

/** Letters of a name for each that may be wrong; so far from a name as `farthest`, none was meant. */
const lettersPerMistake = 3
const farthest = 3

const sorted = (name: string) => [...name].sort().join("")

/**
 * Ends a sentence: `: did you mean port?`, or nothing where no name is near. `prefix` is what all of them begin
 * with, which says nothing of how near they are.
 */
export const hintOf = (name: string, known: ReadonlyArray<string>, prefix = ""): string => {
  const own = name.slice(prefix.length)
  const names = known.map((one) => one.slice(prefix.length))
  const near = names.find((one) => sorted(one) === sorted(own)) ?? closest(own, names)
  const most = Math.min(farthest, Math.floor(own.length / lettersPerMistake))
  return distance(own, near) <= most || sorted(near) === sorted(own) ? `: did you mean ${prefix}${near}?` : ""
}
