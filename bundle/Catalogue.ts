/**
 * The integrations that come with Lectern, each as it is published: a file of JSON with what its
 * `manifest.json` says, its icon, and its program in one module. They go beside the server, which publishes
 * them when it starts; the package of the server carries them.
 *
 * A file that is imported with `?gzip` behind its name is put in as Base64 of its compressed bytes. It is
 * made anew only when something it is made of has changed.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { gzipSync } from "node:zlib"
import { isFresh, note, root } from "./MadeOf.ts"
import { pixelIcon } from "./PixelIcon.ts"

const sources = join(root, "integrations")
const folder = join(root, "apps/server/catalogue")
const stamp = join(root, "node_modules/.cache/catalogue.json")

const names = () => globSync("*/manifest.json", { cwd: sources }).map(dirname).sort()

const isThere = () =>
  existsSync(folder) &&
  isDeepStrictEqual(
    readdirSync(folder).sort(),
    names().map((name) => `lectern-${name}.json`)
  )

const compressed = "?gzip"

/** The program of an integration, and the modules that it is made of. */
const programOf = async (name: string) => {
  // Loaded where something is to be made: that takes longer than to see that nothing is.
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    cwd: root,
    platform: "neutral",
    input: join(sources, name, "main.ts"),
    resolve: { mainFields: ["module", "main"], conditionNames: ["worker", "browser", "import", "default"] },
    plugins: [
      {
        name: "compressed files",
        resolveId: {
          filter: { id: /\?gzip$/ },
          async handler(id, importer) {
            const found = await this.resolve(id.slice(0, -compressed.length), importer, { skipSelf: true })
            return found === null ? null : found.id + compressed
          }
        },
        load: {
          filter: { id: /\?gzip$/ },
          handler: (id) =>
            `export default "${gzipSync(readFileSync(id.slice(0, -compressed.length)), { level: 9 }).toString("base64")}"`
        }
      }
    ]
  })
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false })
  await bundle.close()
  const [chunk] = output
  return { script: chunk.code, modules: chunk.moduleIds.map((id) => id.replace(compressed, "")) }
}

/** The folder with a file for each. */
export const bundleCatalogue = async (): Promise<string> => {
  if (isThere() && isFresh(stamp)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const madeOf: Array<string> = []
  for (const name of names()) {
    const [manifest, icon] = [join(sources, name, "manifest.json"), join(sources, name, "icon.txt")]
    const { script, modules } = await programOf(name)
    const published = {
      ...(JSON.parse(readFileSync(manifest, "utf8")) as object),
      runtime: "v2",
      icon: pixelIcon(readFileSync(icon, "utf8")).toString("base64"),
      script
    }
    writeFileSync(join(folder, `lectern-${name}.json`), JSON.stringify(published))
    madeOf.push(manifest, icon, ...modules)
  }
  note(stamp, madeOf)
  return folder
}
