/**
 * The `lectern` command in a few files: it starts in half the time and with less memory than from its
 * sources. It is what the package of the server holds, and what tests start their servers from.
 *
 * Threads are entries of their own beside `main.js`, since their files are named in the code. What the
 * package names as its dependencies stays outside: packages that have a native part, or read files that lie
 * beside them. It is made anew only when something it is made of has changed.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { rolldown } from "rolldown"
import { bundleDiagrams } from "./Diagrams.ts"
import { lateModules } from "./LateModules.ts"
import { isFresh, note, root } from "./MadeOf.ts"
import { plainHttp } from "./PlainHttp.ts"
import { bundleSiteFonts } from "./SiteFonts.ts"

export const server = join(root, "apps/server")
const manifest = join(server, "package.json")
const folder = join(server, "dist")
const main = join(folder, "main.js")
const stamp = join(root, "node_modules/.cache/server.json")

/** Files of the modules that are threads. */
export const threads = (): ReadonlyArray<string> =>
  globSync(["apps/server/src/*Worker.ts", "packages/*/src/**/*Worker.ts"], { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8")
    if (!text.includes('"node:worker_threads"')) return []
    // Said here, in each run of the tests: the binary, whose modules are CommonJS, is seldom built.
    if (/^(const .*= )?await /m.test(text)) throw new Error(`${file} awaits at its top, which the binary can't`)
    return [join(root, file)]
  })

/** Names of the packages that stay outside. */
export const outside = (): ReadonlyArray<string> =>
  Object.keys((JSON.parse(readFileSync(manifest, "utf8")) as { dependencies: Record<string, string> }).dependencies)

/** The path of its `main.js`. What is packed is made `anew`: files of whatever was there before may lie beside a fresh one. */
export const bundleServer = async ({ anew = false } = {}): Promise<string> => {
  if (!anew && existsSync(main) && isFresh(stamp)) return copyBeside()
  const names = outside()
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    external: (id) => names.some((name) => id === name || id.startsWith(`${name}/`)),
    input: Object.fromEntries([join(server, "src/main.ts"), ...threads()].map((file) => [basename(file, ".ts"), file])),
    plugins: [lateModules, plainHttp]
  })
  const { output } = await bundle.generate({
    dir: folder,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await bundle.close()
  const files = output.map((file) => [file.fileName, file.type === "chunk" ? file.code : file.source] as const)
  fill(folder, new Map(files), (name) => !copies.some((copy) => name.startsWith(`${copy}/`)))
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []))
  if (modules.some((file) => file.endsWith("/effect/dist/Graph.js")))
    throw new Error("Effect is in the server as a whole: something takes it by import(), or as a namespace")
  note(stamp, [manifest, ...modules])
  return copyBeside()
}

/** Folders beside the files of the bundle: the manual, which a first start imports, what draws diagrams, and fonts. */
const copies = ["manual", "diagrams", "fonts"] as const

const copyBeside = async (): Promise<string> => {
  const from = { manual: join(root, "docs"), diagrams: await bundleDiagrams(), fonts: bundleSiteFonts() }
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
 * Has these files, and no others of its own, in a folder: what is there already is let alone, since servers and
 * threads may start from it meanwhile, as those of the tests that run beside the one that packs.
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
