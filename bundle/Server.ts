/**
 * Bundles the `lectern` command into a few files. The bundle starts in half the time of the sources and needs less
 * memory. The package of the server contains it, and tests start their servers from it.
 *
 * Threads are separate entries next to `main.js`, since the code names their files. Dependencies of the package are not
 * bundled: packages with a native addon, and packages that read files of their own folder. The bundle is rebuilt only
 * if a source has changed.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { rolldown } from "rolldown"
import { bundleDiagrams } from "./Diagrams.ts"
import { deferredModules } from "./DeferredModules.ts"
import { isFresh, writeStamp, root } from "./BuildStamp.ts"
import { openApi } from "./OpenApi.ts"
import { plainHttp } from "./PlainHttp.ts"
import { bundleSiteFonts } from "./SiteFonts.ts"

export const server = join(root, "apps/server")
const manifest = join(server, "package.json")
const folder = join(server, "dist")
const main = join(folder, "main.js")
const stamp = join(root, "node_modules/.cache/server.json")

/** Returns the files of modules that run as threads. */
export const threads = (): ReadonlyArray<string> =>
  globSync(["apps/server/src/*Worker.ts", "packages/*/src/**/*Worker.ts"], { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8")
    if (!text.includes('"node:worker_threads"')) return []
    // Top-level `await` is not possible in the binary, whose modules are CommonJS. Every run of the tests checks this,
    // since the binary is rarely built.
    if (/^(const .*= )?await /m.test(text)) throw new Error(`${file} awaits at its top, which the binary can't`)
    return [join(root, file)]
  })

/** Returns the names of packages that are not bundled. */
export const outside = (): ReadonlyArray<string> => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly peerDependencies: Readonly<Record<string, string>>
  }
  return Object.keys({ ...dependencies, ...peerDependencies })
}

/**
 * Builds the bundle if it is out of date, and returns the path of `main.js`. `anew`: always rebuilds, for packing,
 * since files of an earlier build may exist in an up-to-date folder.
 */
export const bundleServer = async ({ anew = false } = {}): Promise<string> => {
  if (!anew && existsSync(main) && isFresh(stamp)) return copySidecars()
  const names = outside()
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    external: (id) => names.some((name) => id === name || id.startsWith(`${name}/`)),
    input: Object.fromEntries([join(server, "src/main.ts"), ...threads()].map((file) => [basename(file, ".ts"), file])),
    plugins: [deferredModules, plainHttp]
  })
  const { output } = await bundle.generate({
    dir: folder,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await bundle.close()
  const files = output.map((file) => [file.fileName, file.type === "chunk" ? file.code : file.source] as const)
  fill(folder, new Map(files), (name) => ![...copies, "description"].some((other) => name.startsWith(`${other}/`)))
  fill(join(folder, "description"), new Map([["openapi.json", await openApi()]]), () => true)
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []))
  if (modules.some((file) => file.endsWith("/effect/dist/Graph.js")))
    throw new Error("Effect is in the server as a whole: something takes it by import(), or as a namespace")
  writeStamp(stamp, [manifest, ...modules])
  return copySidecars()
}

/** Folders next to the bundle: the manual, which a first start imports, the renderer of diagrams, and fonts. */
const copies = ["manual", "diagrams", "fonts"] as const

const copySidecars = async (): Promise<string> => {
  const from = { manual: join(root, "docs"), diagrams: await bundleDiagrams(), fonts: await bundleSiteFonts() }
  for (const copy of copies) {
    const files = filesOf(from[copy]).map((name) => [name, readFileSync(join(from[copy], name))] as const)
    fill(join(folder, copy), new Map(files), () => true)
  }
  return main
}

const filesOf = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(path, join(entry.parentPath, entry.name))] : []
  )

/**
 * Writes the files to a folder and removes the folder's other files for which `isOwn` is true. Existing files with
 * equal content are not touched, since servers and threads of concurrent tests may start from them.
 */
const fill = (
  path: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  isOwn: (name: string) => boolean
): void => {
  for (const [name, content] of files) {
    const file = join(path, name)
    const bytes = Buffer.from(content)
    if (existsSync(file) && readFileSync(file).equals(bytes)) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, bytes)
    renameSync(`${file}.new`, file)
  }
  for (const name of filesOf(path)) if (isOwn(name) && !files.has(name)) rmSync(join(path, name), { force: true })
}
