/**
 * The program that draws diagrams of published sites: `packages/site/client/frame` and the library Mermaid, in parts
 * that load each other, compressed. It goes beside the package of sites, which carries it, and into the server. It is
 * made anew only when something it is made of has changed.
 */
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { isFresh, note, root } from "./MadeOf.ts"

const folder = join(root, "packages/site/diagrams")
const stamp = join(root, "node_modules/.cache/diagrams.json")

/** The folder with its files. */
export const bundleDiagrams = async (): Promise<string> => {
  if (existsSync(folder) && isFresh(stamp)) return folder
  // Loaded where something is to be made: that takes longer than to see that nothing is.
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    cwd: join(root, "packages/site"),
    platform: "browser",
    input: { frame: join(root, "packages/site/client/frame/main.ts") },
    tsconfig: false
  })
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name].[hash:16].js",
    chunkFileNames: "part.[hash:16].js"
  })
  await bundle.close()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const chunk of output) {
    if (chunk.type !== "chunk") throw new Error(`${chunk.fileName} is no code`)
    writeFileSync(join(folder, `${chunk.fileName}.gz`), gzipSync(chunk.code, { level: 9 }))
  }
  note(
    stamp,
    [...globSync("packages/site/client/frame/*.ts", { cwd: root })].map((file) => join(root, file))
  )
  return folder
}
