/**
 * The `lectern` command in a few files: it starts in half the time and with less memory than from its
 * sources. Tests start their servers from it.
 *
 * Threads are entries of their own beside `main.js`, since their files are named in the code. Packages
 * that read files beside them stay where pnpm put them, so the bundle runs in this workspace alone.
 * It is made anew only when something it is made of has changed.
 */
import { existsSync, globSync } from "node:fs"
import { basename, join } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { isFresh, note, root } from "./MadeOf.ts"

/** As deep in the workspace as the sources of the server, which look for `docs/` from there. */
const folder = join(root, "apps/server/.bundle")
const main = join(folder, "main.js")
const stamp = join(folder, "made-of.json")

const entries = () => [
  join(root, "apps/server/src/main.ts"),
  ...globSync(["apps/server/src/*Worker.ts", "packages/*/src/**/*Worker.ts"], { cwd: root }).map((file) =>
    join(root, file)
  )
]

/** Packages that have a native part, or read fonts, data or WebAssembly of their own. */
const readsFiles = /^(better-sqlite3|fontkit|mathjax|pdfkit|subset-font)$/

/** The path of its `main.js`. */
export const bundleServer = async (): Promise<string> => {
  if (existsSync(main) && isFresh(stamp)) return main
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    input: Object.fromEntries(entries().map((file) => [basename(file, ".ts"), file])),
    plugins: [
      {
        name: "stays where it is",
        resolveId: {
          filter: { id: readsFiles },
          async handler(id, importer) {
            const found = await this.resolve(id, importer, { skipSelf: true })
            return found === null ? null : { id: found.id, external: "absolute" }
          }
        },
        transform: {
          filter: { code: "createRequire(import.meta.url)" },
          handler: (code, id) =>
            code.replace("createRequire(import.meta.url)", `createRequire(${JSON.stringify(pathToFileURL(id).href)})`)
        }
      }
    ]
  })
  const { output } = await bundle.write({
    dir: folder,
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await bundle.close()
  note(
    stamp,
    output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []))
  )
  return main
}
