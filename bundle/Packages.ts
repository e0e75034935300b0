/**
 * Builds the packages that other programs embed. The compiler writes a `.d.ts` file for each module. The bundler writes
 * the code of many modules into one JavaScript file, a chunk, so that an import loads few files. In addition, it writes a
 * small file for each module, which re-exports the names of the module from its chunk. Hosts import these files. A class
 * therefore exists only once, whichever file a host imports it from.
 *
 * If two modules are imported by the same `entries`, they are in the same chunk. If no entry imports a module, the code of
 * the module is in its own file. A package imports chunks of other packages by their file names, which another
 * build may change. So all packages are built together and have the same version.
 */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { type OutputChunk, rolldown } from "rolldown"
import { inAscii } from "./Ascii.ts"
import { root } from "./BuildStamp.ts"
import { deferredModules } from "./DeferredModules.ts"
import { effectModules } from "./EffectModules.ts"

/**
 * Modules that hosts and browsers start with. The targets of a module's dynamic imports are an entry too, such as the
 * computations of threads. Packages without an entry here, whose modules find files by their own URL, have no chunks.
 */
const entries: ReadonlyArray<ReadonlyArray<string>> = [
  ["document/src/difference/DocumentDiff", "document/src/merge/DocumentMerge"],
  ["document/src/markdown/Markdown"],
  ["http/src/client"],
  ["core/src/EmbeddedLectern"],
  ["adapter-memory/src/MemoryLectern"],
  ["adapter-sqlite/src/SqliteLectern"],
  ["http/src/fetch"],
  ["site/src/fetch", "site/src/render"]
]

const chunkedPackages: ReadonlySet<string> = new Set(entries.flat().map((entry) => entry.split("/")[0]!))

/**
 * Dependencies of documents and of the core that are part of the chunks. They have many files or large tables, and
 * synchronous functions need them, which can't wait for a dynamic import.
 */
const bundledDependencies = /^(acorn|transliteration|@orama\/stemmers|yaml|htmlparser2|entities|diff)(\/|$)/

const packages = join(root, "packages")

const folders = (): ReadonlyArray<string> => globSync("packages/*", { cwd: root }).sort()

const modulesOf = (folder: string): ReadonlyArray<string> =>
  globSync("**/*.ts", { cwd: join(root, folder, "src"), exclude: ["**/*.d.ts"] }).map((file) => file.slice(0, -3))

/** Returns the name of the package that a module belongs to; undefined for modules of dependencies. */
const packageOf = (id: string): string | undefined =>
  id.startsWith(packages) ? relative(packages, id).split(sep)[0] : undefined

interface Module {
  readonly imports: ReadonlyArray<string>
  readonly dynamicImports: ReadonlyArray<string>
}

type ModuleGraph = ReadonlyMap<string, Module>

/** Returns the modules that the modules import statically, including themselves, as far as `isFollowed` is true. */
const reachable = (
  graph: ModuleGraph,
  start: ReadonlyArray<string>,
  isFollowed: (id: string) => boolean = () => true
): ReadonlySet<string> => {
  const found = new Set(start.filter((id) => graph.has(id)))
  for (const id of found)
    for (const other of graph.get(id)!.imports) if (graph.has(other) && isFollowed(other)) found.add(other)
  return found
}

/** Position of a package in the order of dependencies: documents, the core, all others. */
const dependencyOrder = (name: string): number => ["document", "core"].indexOf(name) >>> 0

/**
 * Returns the chunk of each module that an entry imports. A module of a bundled dependency belongs to the first package
 * that imports it.
 */
const chunksOf = (graph: ModuleGraph): ReadonlyMap<string, string> => {
  const owners = new Map<string, string>()
  const own = [...graph.keys()].filter((id) => packageOf(id) !== undefined).sort()
  for (const id of own.toSorted((a, b) => dependencyOrder(packageOf(a)!) - dependencyOrder(packageOf(b)!)))
    for (const other of reachable(graph, [id], (other) => packageOf(other) === undefined && !owners.has(other)))
      owners.set(other, packageOf(id)!)
  const entriesByModule = new Map<string, Array<number>>()
  const isInChunk = (id: string) => chunkedPackages.has(owners.get(id)!)
  const starts = [
    ...entries.map((names) => names.map((name) => join(packages, `${name}.ts`))),
    ...own
      .filter(isInChunk)
      .map((id) => graph.get(id)!.dynamicImports)
      .filter((targets) => targets.length > 0)
  ]
  for (const [index, start] of starts.entries())
    for (const id of reachable(graph, start, isInChunk))
      entriesByModule.set(id, [...(entriesByModule.get(id) ?? []), index])
  const names = new Map([...new Set(Array.from(entriesByModule.values(), String))].map((key, index) => [key, index]))
  return new Map(
    Array.from(entriesByModule, ([id, indices]) => [
      id,
      `packages/${owners.get(id)}/dist/chunks/${names.get(String(indices))}`
    ])
  )
}

/** Returns all files of the packages by their paths from the root. */
const bundle = async (): Promise<ReadonlyMap<string, string | Uint8Array>> => {
  const modules = new Map<string, Module>()
  let chunks: ReadonlyMap<string, string> | undefined
  const build = await rolldown({
    cwd: root,
    platform: "neutral",
    // Bundles the functions that the bundler itself adds to modules, since they are not a dependency of the package.
    external: (id, importer = "") =>
      !/^[./\0]|^@lectern\/|^@oxc-project\/runtime\//.test(id) &&
      !(bundledDependencies.test(id) && !/\/packages\/(?!core|document)/.test(importer)),
    resolve: { conditionNames: ["import", "default"], mainFields: ["module", "main"] },
    input: Object.fromEntries(
      folders().flatMap((folder) =>
        modulesOf(folder).map((name) => [`${folder}/dist/${name}`, join(root, folder, "src", `${name}.ts`)])
      )
    ),
    preserveEntrySignatures: "allow-extension",
    plugins: [
      effectModules,
      deferredModules,
      {
        name: "module graph",
        buildEnd() {
          for (const id of this.getModuleIds()) {
            const { code, dynamicallyImportedIds, importedIds } = this.getModuleInfo(id)!
            // External modules have no code.
            if (code !== null) modules.set(id, { imports: importedIds, dynamicImports: dynamicallyImportedIds })
          }
        }
      }
    ]
  })
  const { output } = await build.generate({
    dir: root,
    entryFileNames: "[name].js",
    // The chunk of the bundler's own functions has no group. All packages depend on documents.
    chunkFileNames: ({ name }) => `${name.includes("/") ? name : `packages/document/dist/chunks/${name}`}.js`,
    sourcemap: true,
    comments: { jsdoc: false },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "chunks", name: (id) => (chunks ??= chunksOf(modules)).get(id) }]
    }
  })
  await build.close()
  for (const file of output) if (file.type === "chunk") requireOwnFile(file)
  const files = output.map((file) =>
    file.type === "chunk" ? ([file.fileName, withPackageNames(file)] as const) : ([file.fileName, file.source] as const)
  )
  return new Map([...files, ...output.flatMap((file) => (file.type === "chunk" ? licensesOf(file) : []))])
}

/**
 * Throws if modules of a package are in a file of the bundler's own, which belongs to another package. A single module
 * with a top-level `await` is enough for that.
 */
const requireOwnFile = ({ fileName, isEntry, moduleIds }: OutputChunk): void => {
  const moved =
    isEntry || /\/chunks\/\d+\.js$/.test(fileName) ? [] : moduleIds.filter((id) => packageOf(id) !== undefined)
  if (moved.length > 0) throw new Error(`${fileName} has the code of ${moved.join(", ")}`)
}

/** Returns the licenses of the dependencies in a chunk, as files next to it. */
const licensesOf = ({ fileName, moduleIds }: OutputChunk): ReadonlyArray<readonly [path: string, text: string]> =>
  [...new Set(moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []))].map(
    (folder) => [
      join(dirname(fileName), `${folder.replace(/^.*\/node_modules\//, "").replace("/", "-")}.LICENSE`),
      readFileSync(join(folder, globSync("LICEN[SC]E*", { cwd: folder })[0]!), "utf8")
    ]
  )

/** Returns the code of a file in ASCII, with the names of other packages in place of relative paths to their chunks. */
const withPackageNames = ({ code, dynamicImports, fileName, imports }: OutputChunk): string => {
  const own = fileName.split("/dist/")[0]!
  return [...imports, ...dynamicImports]
    .filter((path) => path.startsWith("packages/") && !path.startsWith(`${own}/`))
    .reduce(
      (text, path) =>
        text.replaceAll(
          JSON.stringify(relative(dirname(fileName), path).replaceAll("\\", "/")),
          JSON.stringify(path.replace(/^packages\/([\w-]+)\/dist\/(.*)\.js$/, "@lectern/$1/$2"))
        ),
      inAscii(code)
    )
}

const compile = (folder: string, modules: ReadonlyArray<string>): void => {
  const run = (...more: ReadonlyArray<string>) =>
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--build", folder, ...more], {
      cwd: root,
      stdio: "inherit"
    })
  run()
  // The compiler trusts its build info and does not check that all built files exist.
  if (!modules.every((name) => existsSync(join(root, folder, "dist", `${name}.d.ts`)))) run("--force")
}

/** Writes the files of a package, and removes files of deleted modules. `folder`: path of the package from the root. */
const write = (folder: string, files: ReadonlyMap<string, string | Uint8Array>): void => {
  const modules = modulesOf(folder)
  const types = new Set(modules.flatMap((name) => [`${name}.d.ts`, `${name}.d.ts.map`]))
  const dist = join(root, folder, "dist")
  for (const entry of globSync("**/*", { cwd: dist, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const path = relative(dist, join(entry.parentPath, entry.name)).replaceAll("\\", "/")
    if (!types.has(path)) rmSync(join(dist, path))
  }
  compile(folder, modules)
  for (const [path, content] of files) {
    if (!path.startsWith(`${folder}/dist/`)) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

/** Builds a package. `folder`: path of the package from the root. */
export const buildPackage = async (folder: string): Promise<void> => write(folder, await bundle())

export const buildPackages = async (): Promise<void> => {
  const files = await bundle()
  for (const folder of folders()) write(folder, files)
}
