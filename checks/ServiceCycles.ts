/**
 * Finds folders of the core whose services need each other. Services are wired by their imports, so a
 * folder that is in a cycle can't be understood, tested or moved without the others in it.
 *
 * Counts imports at run time from files that define a service to files that define one. Rows, tables,
 * policies without a service and types may refer to each other: they hold nothing.
 *
 * Services read what concepts declare (`Concepts.ts`). What those files import must not lead back there, or the
 * order in which files happen to be loaded decides whether they load.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "rolldown/utils"

interface Import {
  readonly from: string
  readonly to: string
}

/** A file: its path below the folder that is looked at, and its text. */
export interface Source {
  readonly path: string
  readonly text: string
}

const read = (root: string): ReadonlyArray<Source> =>
  globSync("**/*.ts", { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

/** A line for each import in a cycle, below one that says how many folders the cycle has. */
export const serviceCycles = (root: string): ReadonlyArray<string> => {
  const sources = read(root)
  return [...cyclesOf(sources), ...backTo(collected, sources)]
}

const collected = "Concepts.ts"

const told = ({ from, to }: Import): string => `  ${from} imports ${to}`

export const cyclesOf = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  cycles(serviceImports(sources)).flatMap((cycle) => [
    `Services of ${cycle.length} folders need each other:`,
    ...cycle.flat().map(told)
  ])

/** The imports of a shortest way from a file back to itself. */
export const backTo = (file: string, sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const known = new Set(sources.map(({ path }) => path))
  const imports = sources.flatMap((source) => runTimeImports(source).filter(({ to }) => known.has(to)))
  const way = shortestBack(
    file,
    Map.groupBy(imports, ({ from }) => from),
    ({ to }) => to
  )
  if (way === undefined) return []
  return [`${file} needs itself:`, ...way.map((from, i) => told({ from, to: way[(i + 1) % way.length]! }))]
}

const definesService = /\bextends\s+Context\.Service\s*</

/** The folder of a file; what lies at the root puts everything together and is in none. */
const folderOf = (path: string): string => dirname(path)

const runTimeImports = ({ path, text }: Source): ReadonlyArray<Import> =>
  parseSync(path, text)
    .module.staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => ({ from: path, to: join(folderOf(path), moduleRequest.value) }))

/** Imports at run time between services of different folders. */
const serviceImports = (sources: ReadonlyArray<Source>): ReadonlyArray<Import> => {
  const services = sources.filter(({ path, text }) => folderOf(path) !== "." && definesService.test(text))
  const known = new Set(services.map(({ path }) => path))
  return services.flatMap((source) =>
    runTimeImports(source).filter(({ from, to }) => known.has(to) && folderOf(to) !== folderOf(from))
  )
}

/** A shortest cycle of folders for each that is in one and in none that was found before, as the imports that make it. */
const cycles = (imports: ReadonlyArray<Import>): ReadonlyArray<ReadonlyArray<ReadonlyArray<Import>>> => {
  const edges = Map.groupBy(imports, ({ from }) => folderOf(from))
  const seen = new Set<string>()
  const found: Array<ReadonlyArray<ReadonlyArray<Import>>> = []
  for (const start of [...edges.keys()].sort()) {
    if (seen.has(start)) continue
    const way = shortestBack(start, edges, ({ to }) => folderOf(to))
    if (way === undefined) continue
    for (const folder of way) seen.add(folder)
    found.push(
      way.map((folder, i) => {
        const next = way[(i + 1) % way.length]
        return (edges.get(folder) ?? []).filter(({ to }) => folderOf(to) === next)
      })
    )
  }
  return found
}

/** A shortest way from a folder or file back to itself, beginning with it. */
const shortestBack = (
  start: string,
  edges: ReadonlyMap<string, ReadonlyArray<Import>>,
  endOf: (edge: Import) => string
): ReadonlyArray<string> | undefined => {
  const before = new Map<string, string>()
  const open = [start]
  for (const folder of open) {
    for (const edge of edges.get(folder) ?? []) {
      const next = endOf(edge)
      if (next === start) {
        const way = [folder]
        while (way[0] !== start) way.unshift(before.get(way[0]!)!)
        return way
      }
      if (before.has(next)) continue
      before.set(next, folder)
      open.push(next)
    }
  }
  return undefined
}
