/**
 * Packs the packages that the binary unpacks on demand into one archive: packages that the server's bundle does not
 * include, and their dependencies. Files that the server never reads are omitted.
 */
import { globSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { constants, zstdCompressSync } from "node:zlib"
import { archive as archiveFiles } from "../apps/server/src/binary/Archive.ts"

/** True if the server reads a file. `path`: path from the name of the package. */
const isRead = (path: string): boolean =>
  !/\.(map|md|css|scss|woff|ttf|ts|mts|cts)$|(^|\/)(test|testdata|examples|tsconfig|\.[^/]*)(\/|$)/.test(path) &&
  // Fonts: only the slices that PDFs use.
  (!path.endsWith(".woff2") || /-(wght|400)-(normal|italic)\.woff2$/.test(path)) &&
  // Formulas: only the rendered output format, with one file for each component.
  !/^@mathjax\/mathjax-newcm-font\/(chtml|cjs|mjs|tex-)/.test(path) &&
  !/^mathjax\/(sre|tex-|mml-)/.test(path) &&
  // Icons: not the search terms.
  !/^@iconify-json\/.*\/metadata\.json$/.test(path)

interface PackageFolder {
  readonly version: string
  readonly files: ReadonlyArray<readonly [path: string, file: string]>
}

/** Returns the folder of a package as a module in the folder `from` resolves it. */
const folderOf = (name: string, from: string): string => {
  for (let parent = from; ; parent = dirname(parent)) {
    const folder = join(parent, "node_modules", name)
    if (statSync(join(folder, "package.json"), { throwIfNoEntry: false })) return realpathSync(folder)
    if (parent === dirname(parent)) throw new Error(`There is no package ${name} for ${from}`)
  }
}

const packageFolders = new Map<string, PackageFolder>()

const add = (name: string, from: string, parentFolder: string): void => {
  const folder = folderOf(name, from)
  const { version, dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly version: string
    readonly dependencies?: Readonly<Record<string, string>>
  }
  const existingFolder = packageFolders.get(`node_modules/${name}`)
  if (existingFolder?.version === version) return
  // A second version of a package is nested below the package that depends on it.
  const place = existingFolder === undefined ? `node_modules/${name}` : `${parentFolder}/node_modules/${name}`
  const files = globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [`${place}/${file.slice(folder.length + 1)}`, file] as const)
    .filter(([path]) => isRead(path.slice(path.lastIndexOf("node_modules/") + 13)))
  packageFolders.set(place, { version, files })
  for (const dependency of Object.keys(dependencies)) add(dependency, folder, place)
}

/** Returns the archive. `names`: names of the packages; `from`: folder of the package that depends on them. */
export const archive = (names: ReadonlyArray<string>, from: string): Uint8Array => {
  for (const name of names) add(name, from, "")
  const files = [...packageFolders.values()].flatMap(({ files }) => files)
  return zstdCompressSync(archiveFiles(files.map(([path, file]) => [path, readFileSync(file)])), {
    params: { [constants.ZSTD_c_compressionLevel]: 12 }
  })
}
