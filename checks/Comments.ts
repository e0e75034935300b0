/**
 * Holds the comments of sources to plain words, and declared names in the folders that are rewritten. `PlainWords.ts`
 * lists the refused words, `PlainFolders.ts` the folders and the exceptions.
 *
 * In tests, a doc comment must not start with "What", "Where", "Whether" or "Who".
 */
import { readFileSync } from "node:fs"
import { type Exception, exceptions, plainFolders } from "./PlainFolders.ts"
import { bareWords, firstWords, nameParts, phrases, type RefusedName, wholeNames } from "./PlainWords.ts"
import { type Comment, commentsOf, type DeclaredName, declaredNamesOf } from "./SourceText.ts"

const unnamedSubject = /^(What|Where|Whether|Who)\b/

/** A refused word: its message without the path. */
interface Mistake {
  readonly line: number
  readonly words: string
  readonly message: string
}

/** Removes code and quotations from a comment. An apostrophe within a word stays. */
const withoutQuotations = (text: string): string =>
  text.replace(/`[^`]*`/g, "`code`").replace(/"[^"]*"|“[^”]*”/g, "`text`")

const mistakesOfComment = ({ line, text }: Comment): ReadonlyArray<Mistake> => {
  const prose = withoutQuotations(text)
  return [
    ...firstWords.flatMap(({ pattern, instead }) => {
      const words = pattern.exec(prose)?.[0]
      if (words === undefined) return []
      return [{ line, words, message: `the comment starts with "${words}": write ${instead}` }]
    }),
    ...phrases.flatMap(({ pattern, instead }) => {
      const words = pattern.exec(prose)?.[0].replace(/^\W+/, "")
      return words === undefined ? [] : [{ line, words, message: `the comment has "${words}": write ${instead}` }]
    })
  ]
}

const partsOf = (name: string): ReadonlyArray<string> =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])|[_$#]/).map((part) => part.toLowerCase())

const insteadOf = (lists: ReadonlyArray<RefusedName>, words: ReadonlyArray<string>): string | undefined =>
  lists.find(({ names }) => words.some((word) => names.includes(word)))?.instead

const mistakesOfName = ({ name, line, kind }: DeclaredName): ReadonlyArray<Mistake> => {
  const parts = partsOf(name)
  const isBare = parts.length === 1 && kind !== "local"
  const instead =
    insteadOf(nameParts, parts) ??
    (isBare ? insteadOf(wholeNames, parts) : undefined) ??
    (isBare && kind === "constant" ? insteadOf([bareWords], parts) : undefined)
  return instead === undefined
    ? []
    : [{ line, words: name, message: `the name "${name}" is not plain: use ${instead}` }]
}

/** Returns the refused words of a file. */
export const mistakesIn = (file: string, text: string, checksNames = true): ReadonlyArray<Mistake> => [
  ...commentsOf(file, text).flatMap(mistakesOfComment),
  ...(checksNames ? declaredNamesOf(file, text).flatMap(mistakesOfName) : [])
]

const isTest = (file: string): boolean => file.includes("/test/") || file.endsWith(".test.ts")

const hasPlainNames = (file: string): boolean => plainFolders.some((folder) => file.startsWith(`${folder}/`))

/** Returns a line for each comment and name that is not plain, and for each exception without use. */
export const comments = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const used = new Set<Exception>()
  const lines = files
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .flatMap((file) => {
      const text = readFileSync(file, "utf8")
      if (isTest(file)) {
        return commentsOf(file, text).flatMap((comment) => {
          const word = comment.isDoc ? unnamedSubject.exec(comment.text)?.[1] : undefined
          return word === undefined ? [] : [`${file}:${comment.line}: a comment starts with "${word}"`]
        })
      }
      return mistakesIn(file, text, hasPlainNames(file)).flatMap(({ line, words, message }) => {
        const exception = exceptions.find((exempted) => exempted.file === file && exempted.words === words)
        if (exception === undefined) return [`${file}:${line}: ${message}`]
        used.add(exception)
        return []
      })
    })
  const unused = exceptions.filter((exception) => !used.has(exception))
  return [...lines, ...unused.map(({ file, words }) => `checks/PlainFolders.ts: no use of "${words}" in ${file}`)]
}
