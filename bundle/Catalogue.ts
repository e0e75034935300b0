/**
 * Builds the integrations that come with Lectern. Each becomes a JSON file for publishing: its `manifest.json`, its
 * icon, and its program as one module. The package of the server contains these files, and the server publishes them
 * when it starts.
 *
 * An import with `?gzip` after its path becomes the Base64 of the compressed file. An import with `?page` becomes a
 * script for browsers. All files are rebuilt if a source has changed.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { gzipSync } from "node:zlib"
import type { Plugin } from "rolldown"
import { isFresh, writeStamp, root } from "./BuildStamp.ts"
import { pixelIcon } from "./PixelIcon.ts"

const sources = join(root, "integrations")
const folder = join(root, "apps/server/catalogue")
const stamp = join(root, "node_modules/.cache/catalogue.json")

const names = () => globSync("*/manifest.json", { cwd: sources }).map(dirname).sort()

const isBuilt = () =>
  existsSync(folder) &&
  isDeepStrictEqual(
    readdirSync(folder).sort(),
    names().map((name) => `lectern-${name}.json`)
  )

/** Bundles a file to a program. Returns its code and its source modules. */
const programOf = async (file: string, format: "esm" | "iife") => {
  // Loading the bundler takes longer than detecting an up-to-date build, so it is loaded only for a build.
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    cwd: root,
    platform: "neutral",
    input: file,
    resolve: { mainFields: ["module", "main"], conditionNames: ["worker", "browser", "import", "default"] },
    plugins: [textLoader]
  })
  const { output } = await bundle.generate({ format, minify: true, codeSplitting: false })
  await bundle.close()
  const [{ code, moduleIds }] = output
  return { code, modules: moduleIds.map((id) => id.replace(/\?\w+$/, "")) }
}

const text = async (id: string): Promise<string> => {
  const [file = "", as] = id.split("?")
  return as === "gzip"
    ? gzipSync(readFileSync(file), { level: 9 }).toString("base64")
    : (await programOf(file, "iife")).code
}

/** Plugin for imports with `?gzip` or `?page` after the path. */
const textLoader: Plugin = {
  name: "files as text",
  resolveId: {
    filter: { id: /\?(gzip|page)$/ },
    async handler(id, importer) {
      const [file = "", as] = id.split("?")
      const resolution = await this.resolve(file, importer, { skipSelf: true })
      return resolution === null ? null : `${resolution.id}?${as}`
    }
  },
  load: {
    filter: { id: /\?(gzip|page)$/ },
    handler: async (id) => ({ code: `export default ${JSON.stringify(await text(id))}`, moduleType: "js" })
  }
}

interface BuiltProgram {
  readonly file: string
  readonly text: string
  readonly modules: ReadonlyArray<string>
}

const build = async (name: string): Promise<BuiltProgram> => {
  const [manifest, icon] = [join(sources, name, "manifest.json"), join(sources, name, "icon.txt")]
  const { code, modules } = await programOf(join(sources, name, "main.ts"), "esm")
  const published = {
    ...(JSON.parse(readFileSync(manifest, "utf8")) as object),
    runtime: "v2",
    icon: pixelIcon(readFileSync(icon, "utf8")).toString("base64"),
    script: code
  }
  return { file: `lectern-${name}.json`, text: JSON.stringify(published), modules: [manifest, icon, ...modules] }
}

/** Builds the catalogue if it is out of date. Returns the folder with one file for each integration. */
export const bundleCatalogue = async (): Promise<string> => {
  if (isBuilt() && isFresh(stamp)) return folder
  const built: Array<BuiltProgram> = []
  for (const name of names()) built.push(await build(name))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { file, text } of built) writeFileSync(join(folder, file), text)
  writeStamp(
    stamp,
    built.flatMap(({ modules }) => modules)
  )
  return folder
}
