/**
 * Holds doc comments to a noun or a verb as their first word. A comment that begins with "What",
 * "Where", "Whether" or "Who" names no subject, so it can't be understood without its neighbours.
 */
import { readFileSync } from "node:fs"

const beginning = /\/\*\*[\s*]+(What|Where|Whether|Who)\b/g

export const comments = (files: ReadonlyArray<string>): ReadonlyArray<string> =>
  files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(file, "utf8")
      return [...text.matchAll(beginning)].map(
        ({ index, 1: word }) => `${file}:${text.slice(0, index).split("\n").length}: a comment begins with "${word}"`
      )
    })
