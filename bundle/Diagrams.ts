/**
 * Builds the program that renders diagrams on published sites: `packages/site/client/frame` and the library Mermaid,
 * split into compressed chunks. The package of sites and the server contain it. It is rebuilt only if a source has
 * changed.
 */
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { isFresh, writeStamp, root } from "./BuildStamp.ts"

const folder = join(root, "packages/site/diagrams")
const stamp = join(root, "node_modules/.cache/diagrams.json")

/** Builds the program if it is out of date. Returns the folder with its files. */
export const bundleDiagrams = async (): Promise<string> => {
  if (existsSync(folder) && isFresh(stamp)) return folder
  // Loading the bundler takes longer than detecting an up-to-date build, so it is loaded only for a build.
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
  writeStamp(
    stamp,
    [...globSync("packages/site/client/frame/*.ts", { cwd: root })].map((file) => join(root, file))
  )
  return folder
}
