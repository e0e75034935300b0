/**
 * The `lectern` command in a few files: it starts in half the time and with less memory than from its
 * sources. It is what the package of the server holds, and what tests start their servers from.
 *
 * Threads are entries of their own beside `main.js`, since their files are named in the code. What the
 * package names as its dependencies stays outside: packages that have a native part, or read files that lie
 * beside them. It is made anew only when something it is made of has changed.
 */
import { cpSync, existsSync, globSync, readFileSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"
import { bundleDiagrams } from "./Diagrams.ts"
import { lateModules } from "./LateModules.ts"
import { isFresh, note, root } from "./MadeOf.ts"
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
    plugins: [lateModules]
  })
  const { output } = await bundle.write({
    dir: folder,
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await bundle.close()
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []))
  if (modules.some((file) => file.endsWith("/effect/dist/Graph.js")))
    throw new Error("Effect is in the server as a whole: something takes it by import(), or as a namespace")
  note(stamp, [manifest, ...modules])
  return copyBeside()
}

/** The manual, which a first start imports, what draws diagrams, and fonts. */
const copyBeside = async (): Promise<string> => {
  for (const [name, from] of [
    ["manual", join(root, "docs")],
    ["diagrams", await bundleDiagrams()],
    ["fonts", bundleSiteFonts()]
  ] as const) {
    const copy = join(folder, name)
    rmSync(copy, { recursive: true, force: true })
    cpSync(from, copy, { recursive: true })
  }
  return main
}
