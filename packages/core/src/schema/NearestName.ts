/**
 * Suggests a known name for an unknown one, in messages about fields, options and settings. A name is suggested in
 * three cases: its letters are those of the unknown name in another order, at most a third of its letters and at most
 * three differ, or it contains the unknown name. Upper and lower case are equal.
 */

const lettersPerTypo = 3
const maxTypos = 3

/** Minimum number of letters of a name that is suggested for a part of it. */
const minPart = 3

/** Returns the known name that is most similar to `given`; undefined if no name is similar. */
const nearestName = (given: string, knownNames: ReadonlyArray<string>): string | undefined => {
  const lowerCase = given.toLowerCase()
  const limit = Math.min(maxTypos, Math.floor(given.length / lettersPerTypo))
  const candidates = knownNames
    .filter((name) => Math.abs(name.length - given.length) <= limit)
    .map((name) => ({ name, typos: typosBetween(lowerCase, name.toLowerCase()) }))
    .filter(({ typos }) => typos <= limit)
    .sort((a, b) => a.typos - b.typos)
  return candidates[0]?.name ?? longerName(lowerCase, knownNames)
}

const longerName = (part: string, knownNames: ReadonlyArray<string>): string | undefined =>
  part.length < minPart ? undefined : knownNames.find((name) => name.toLowerCase().includes(part))

const sorted = (name: string): string => [...name].sort().join("")

/** Returns how many letters are inserted, removed or replaced to get the other name. Another order counts as one. */
const typosBetween = (given: string, name: string): number => {
  if (given !== name && sorted(given) === sorted(name)) return 1
  let row = Array.from({ length: name.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...given].entries()) {
    const next = [i + 1]
    for (let j = 0; j < name.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === name[j] ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)!
}

/**
 * Returns the end of a message such as `: did you mean port?`; empty if no known name is similar. `prefix` starts all
 * names and is not compared.
 */
export const suggestionOf = (given: string, knownNames: ReadonlyArray<string>, prefix = ""): string => {
  const names = knownNames.map((name) => name.slice(prefix.length))
  const name = nearestName(given.slice(prefix.length), names)
  return name === undefined ? "" : `: did you mean ${prefix}${name}?`
}
