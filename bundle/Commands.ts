/**
 * Bundles the `lectern` command into a few files: the one of the server, and the one for folders of Markdown
 * (`@lectern/cli`). A bundle starts in half the time of the sources and needs less memory. The packages contain them, and
 * tests start their servers from the bundle of the server.
 *
 * Threads are separate files next to `main.js` (`Threads.ts`). Dependencies of the package are not bundled: packages with
 * a native addon, and packages that read files of their own folder. A bundle is rebuilt only if a source has changed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { rolldown } from "rolldown"
import { bundleConsole } from "./Console.ts"
import { bundleDiagrams } from "./Diagrams.ts"
import { deferredModules } from "./DeferredModules.ts"
import { isFresh, writeStamp, root } from "./BuildStamp.ts"
import { openApi } from "./OpenApi.ts"
import { formulaFiles, formulas } from "./Formulas.ts"
import { plainHttp } from "./PlainHttp.ts"
import { bundleSiteFonts } from "./SiteFonts.ts"
import { threadFiles } from "./Threads.ts"

export const server = join(root, "apps/server")
const cli = join(root, "apps/cli")

/** Returns the names of packages that are not bundled. */
export const outside = (app = server): ReadonlyArray<string> => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(app, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly peerDependencies?: Readonly<Record<string, string>>
  }
  return Object.keys({ ...dependencies, ...peerDependencies })
}

type Files = ReadonlyMap<string, string | Uint8Array>

/** Folders next to a bundle, by name. */
type Sidecars = Readonly<Record<string, () => Promise<Files> | Files>>

const siteSidecars: Sidecars = {
  diagrams: async () => read(await bundleDiagrams()),
  fonts: async () => read(await bundleSiteFonts()),
  mathjax: formulaFiles
}

export interface BundleOptions {
  /** True to always rebuild, for packing, since files of an earlier build may exist in an up-to-date folder. */
  readonly anew?: boolean
}

/** Builds the bundle of the server, and returns the path of `main.js`. */
export const bundleServer = (options?: BundleOptions): Promise<string> =>
  bundle(
    server,
    {
      ...siteSidecars,
      console: async () => read(await bundleConsole()),
      // A first start imports the manual.
      manual: () => read(join(root, "docs")),
      description: async () => new Map([["openapi.json", await openApi()]])
    },
    options
  )

/** Builds the bundle of the command for folders of Markdown, and returns the path of `main.js`. */
export const bundleCli = (options?: BundleOptions): Promise<string> => bundle(cli, siteSidecars, options)

const bundle = async (app: string, sidecars: Sidecars, { anew = false }: BundleOptions = {}): Promise<string> => {
  const folder = join(app, "dist")
  const main = join(folder, "main.js")
  const stamp = join(app, "node_modules/.cache/bundle.json")
  if (anew || !existsSync(main) || !isFresh(stamp)) {
    const names = outside(app)
    const build = await rolldown({
      cwd: root,
      platform: "node",
      external: (id) => names.some((name) => id === name || id.startsWith(`${name}/`)),
      input: { main: join(app, "src/main.ts") },
      plugins: [deferredModules, plainHttp, formulas, threadFiles()]
    })
    const { output } = await build.generate({
      dir: folder,
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js"
    })
    await build.close()
    const files = output.map((file) => [file.fileName, file.type === "chunk" ? file.code : file.source] as const)
    fill(folder, new Map(files), (name) => !Object.keys(sidecars).some((other) => name.startsWith(`${other}/`)))
    const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []))
    if (modules.some((file) => file.endsWith("/effect/dist/Graph.js")))
      throw new Error("Effect is in the bundle as a whole: something takes it by import(), or as a namespace")
    writeStamp(stamp, [join(app, "package.json"), ...modules])
  }
  for (const [name, files] of Object.entries(sidecars)) fill(join(folder, name), await files(), () => true)
  return main
}

const read = (path: string): Files => new Map(filesOf(path).map((name) => [name, readFileSync(join(path, name))]))

const filesOf = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(path, join(entry.parentPath, entry.name))] : []
  )

/**
 * Writes the files to a folder and removes the folder's other files for which `isOwn` is true. Existing files with
 * equal content are not touched, since servers and threads of concurrent tests may start from them.
 */
const fill = (path: string, files: Files, isOwn: (name: string) => boolean): void => {
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
