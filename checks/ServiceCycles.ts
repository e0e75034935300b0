/**
 * Finds cycles of core folders whose services import each other. Services are wired by their imports, so the folders of
 * a cycle can only be understood, tested and moved together.
 *
 * Only imports at run time between files that define a service, or an effect `makeX` that gets services and returns
 * functions, count. Rows, tables, types and policies without a service may refer to each other.
 *
 * Services read the declarations of concepts (`Concepts.ts`). No file that `Concepts.ts` imports may import it back,
 * directly or indirectly: loading would then depend on the order of imports.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "rolldown/utils"

interface Import {
  readonly from: string
  readonly to: string
}

/** A source file. */
export interface Source {
  /** Path from the root of the checked folder. */
  readonly path: string
  readonly text: string
}

/** Reads the source files below a folder. */
export const readSources = (root: string): ReadonlyArray<Source> =>
  globSync("**/*.ts", { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

/** Returns a line with the number of folders for each cycle, followed by a line for each of its imports. */
export const serviceCycles = (root: string): ReadonlyArray<string> => {
  const sources = readSources(root)
  return [...cyclesOf(sources), ...importsBackTo(conceptsFile, sources)]
}

const conceptsFile = "Concepts.ts"

const formatImport = ({ from, to }: Import): string => `  ${from} imports ${to}`

export const cyclesOf = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  cycles(serviceImports(sources)).flatMap((cycle) => [
    `Services of ${cycle.length} folders import each other:`,
    ...cycle.flat().map(formatImport)
  ])

/** Returns the imports of a shortest path from a file back to itself, as lines. */
export const importsBackTo = (file: string, sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const paths = new Set(sources.map(({ path }) => path))
  const imports = sources.flatMap((source) => runTimeImports(source).filter(({ to }) => paths.has(to)))
  const path = shortestBack(
    file,
    Map.groupBy(imports, ({ from }) => from),
    ({ to }) => to
  )
  if (path === undefined) return []
  return [`${file} imports itself:`, ...path.map((from, i) => formatImport({ from, to: path[(i + 1) % path.length]! }))]
}

const usesServices = /\bextends\s+Context\.Service\s*<|^export const make\w* = Effect\./m

/** Returns the folder of a file. Files in the root, which wire everything, return ".". */
const folderOf = (path: string): string => dirname(path)

const runTimeImports = ({ path, text }: Source): ReadonlyArray<Import> =>
  parseSync(path, text)
    .module.staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => ({ from: path, to: join(folderOf(path), moduleRequest.value) }))

/** Returns the imports at run time between files of different folders that use services. */
const serviceImports = (sources: ReadonlyArray<Source>): ReadonlyArray<Import> => {
  const files = sources.filter(({ path, text }) => folderOf(path) !== "." && usesServices.test(text))
  const paths = new Set(files.map(({ path }) => path))
  return files.flatMap((source) =>
    runTimeImports(source).filter(({ from, to }) => paths.has(to) && folderOf(to) !== folderOf(from))
  )
}

/** Returns cycles of folders as lists of imports: a shortest cycle for each folder that is in no earlier one. */
const cycles = (imports: ReadonlyArray<Import>): ReadonlyArray<ReadonlyArray<ReadonlyArray<Import>>> => {
  const edges = Map.groupBy(imports, ({ from }) => folderOf(from))
  const visited = new Set<string>()
  const shortestCycles: Array<ReadonlyArray<ReadonlyArray<Import>>> = []
  for (const start of [...edges.keys()].sort()) {
    if (visited.has(start)) continue
    const path = shortestBack(start, edges, ({ to }) => folderOf(to))
    if (path === undefined) continue
    for (const folder of path) visited.add(folder)
    shortestCycles.push(
      path.map((folder, i) => {
        const next = path[(i + 1) % path.length]
        return (edges.get(folder) ?? []).filter(({ to }) => folderOf(to) === next)
      })
    )
  }
  return shortestCycles
}

/** Returns a shortest path from a folder or file back to itself, starting with it. */
const shortestBack = (
  start: string,
  edges: ReadonlyMap<string, ReadonlyArray<Import>>,
  endOf: (edge: Import) => string
): ReadonlyArray<string> | undefined => {
  const predecessors = new Map<string, string>()
  const queue = [start]
  for (const folder of queue) {
    for (const edge of edges.get(folder) ?? []) {
      const next = endOf(edge)
      if (next === start) {
        const path = [folder]
        while (path[0] !== start) path.unshift(predecessors.get(path[0]!)!)
        return path
      }
      if (predecessors.has(next)) continue
      predecessors.set(next, folder)
      queue.push(next)
    }
  }
  return undefined
}
