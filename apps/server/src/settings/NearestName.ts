/** Suggests a known name for an unknown one. */
import { closest, distance } from "fastest-levenshtein"

/** Number of letters of a name for each allowed mistake. `farthest` is the maximum number of mistakes. */
const lettersPerMistake = 3
const farthest = 3

const sorted = (name: string) => [...name].sort().join("")

/**
 * Returns the end of a message such as `: did you mean port?`, or an empty text if no name is similar. `prefix` is the
 * common prefix of all names, which is not compared.
 */
export const hintOf = (name: string, known: ReadonlyArray<string>, prefix = ""): string => {
  const own = name.slice(prefix.length)
  const names = known.map((one) => one.slice(prefix.length))
  const near = names.find((one) => sorted(one) === sorted(own)) ?? closest(own, names)
  const most = Math.min(farthest, Math.floor(own.length / lettersPerMistake))
  return distance(own, near) <= most || sorted(near) === sorted(own) ? `: did you mean ${prefix}${near}?` : ""
}
