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
export const hintOf = (name: string, knownNames: ReadonlyArray<string>, prefix = ""): string => {
  const unprefixedName = name.slice(prefix.length)
  const names = knownNames.map((knownName) => knownName.slice(prefix.length))
  const nearestName =
    names.find((candidate) => sorted(candidate) === sorted(unprefixedName)) ?? closest(unprefixedName, names)
  const maxDistance = Math.min(farthest, Math.floor(unprefixedName.length / lettersPerMistake))
  return distance(unprefixedName, nearestName) <= maxDistance || sorted(nearestName) === sorted(unprefixedName)
    ? `: did you mean ${prefix}${nearestName}?`
    : ""
}
