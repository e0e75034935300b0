/** The name that was meant where one was written that nobody knows. */
import { closest, distance } from "fastest-levenshtein"

/** So far from a name, none was meant. */
const farthest = 3

/** Ends a sentence: `: did you mean port?`, or nothing where no name is near. */
export const hintOf = (name: string, known: ReadonlyArray<string>): string => {
  const near = closest(name, known)
  return distance(name, near) <= farthest ? `: did you mean ${near}?` : ""
}
