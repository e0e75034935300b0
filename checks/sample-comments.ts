/**
 * Prints comments, or declared names, drawn at random from the sources without tests, for a reader who judges whether
 * each is clear at first reading. Usage:
 *
 *     node checks/sample-comments.ts SEED COUNT [--names] [FOLDER …]
 *
 * Equal seeds draw equal samples from equal sources. A comment is printed with the first 12 lines of its file and the
 * line that follows the comment; a name with its kind and the line that declares the name. The default for FOLDER is
 * every folder with sources.
 */
import { globSync, readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { commentsOf, declaredNamesOf } from "./SourceText.ts"

const sourceFolders = ["packages", "apps", "integrations", "bundle", "bench", "checks", "fuzz", "examples"]
const headLines = 12

const usage = "Usage: node checks/sample-comments.ts SEED COUNT [--names] [FOLDER …]"

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Returns up to `count` items in random order. */
const draw = <A>(items: ReadonlyArray<A>, count: number, random: () => number): ReadonlyArray<A> => {
  const rest = items.slice()
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const index = Math.floor(random() * rest.length)
    const [item] = rest.splice(index, 1)
    return item!
  })
}

const sources = (folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { exclude: ["**/node_modules/**", "**/dist/**"] }))
    .filter((file) => !/(?:^|\/)test\/|\.test\.ts$|\.d\.ts$/.test(file))
    .sort()

const commentSample = (file: string): ReadonlyArray<() => string> => {
  const text = readFileSync(file, "utf8")
  const lines = text.split("\n")
  return commentsOf(file, text).map(({ line, lastLine }) => () => {
    const head = lines.slice(0, Math.min(headLines, line - 1))
    return [
      `${file}:${line}`,
      ...(head.length === 0 ? [] : ["", ...head.map((headLine) => `    ${headLine}`), "    …"]),
      "",
      ...lines.slice(line - 1, lastLine + 1).map((sourceLine) => `>   ${sourceLine}`)
    ].join("\n")
  })
}

const nameSample = (file: string): ReadonlyArray<() => string> => {
  const text = readFileSync(file, "utf8")
  const lines = text.split("\n")
  return declaredNamesOf(file, text).map(({ name, line, kind }) => () => {
    const declaration = kind === "module" ? "" : `\n>   ${lines[line - 1]!.trim()}`
    return `${file}:${line}: ${kind} ${name}${declaration}`
  })
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { names: { type: "boolean" } } })
const [seed, count, ...folders] = positionals
if (!/^\d+$/.test(seed ?? "") || !/^\d+$/.test(count ?? "")) {
  console.error(usage)
  process.exit(2)
}
const items = sources(folders.length === 0 ? sourceFolders : folders).flatMap(values.names ? nameSample : commentSample)
const sample = draw(items, Number(count), randomFrom(Number(seed)))
for (const [index, format] of sample.entries()) console.log(`--- ${index + 1} of ${sample.length}: ${format()}\n`)
