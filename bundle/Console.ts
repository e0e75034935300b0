/**
 * Builds the console: `apps/console` as files for a browser. The server and the binary contain them. It is rebuilt only
 * if a source has changed.
 *
 * Each file has the hash of its content in its name, except the page that loads them and the licenses of the libraries.
 * The build fails if the first screen is larger than `maxFirstScreen`.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { bundle as bundleCss } from "lightningcss"
import type { OutputChunk, Plugin } from "rolldown"
import { defaults } from "../packages/site/src/styling/CustomizationStyle.ts"
import { isFresh, root, writeStamp } from "./BuildStamp.ts"
import { targets } from "./SiteStyles.ts"

const app = join(root, "apps/console")
const folder = join(app, "dist")
const stamp = join(root, "node_modules/.cache/console.json")

/** Path of the files on the server. */
const base = "/console/"

/** Maximum size of the page with all that it loads before it can be used, compressed (bytes). */
const maxFirstScreen = 180_000

/** Languages of the console. Its library of controls has texts in 30 more. */
const languages = /\/(?:en-US|de-DE|ar-AE)\.m?js$/

/** Omits texts of controls in languages that the console does not have. */
const ownLanguages: Plugin = {
  name: "own languages",
  load: {
    filter: { id: /\/react-(?:aria|stately)[^/]*\/.*\/[a-z]{2}-[A-Z]{2}\.m?js$/ },
    handler: (id) => (languages.test(id) ? null : "export default {}")
  }
}

const hashOf = (content: string): string => createHash("sha256").update(content).digest("hex").slice(0, 16)

const compressedSize = (content: string): number => gzipSync(content, { level: 9 }).length

/** Returns a style sheet with its imports. */
const makeStyles = (name: string): string => {
  const filename = join(app, "styles", `${name}.css`)
  return bundleCss({ filename, minify: true, targets }).code.toString()
}

/** Custom properties with the colors of sites. */
const tokens = `:root{color-scheme:light dark;${defaults}}`

/** Returns the page. `content`: style sheet of the text of pages, which the script loads. */
const pageOf = (script: string, styles: string, content: string, preloaded: ReadonlyArray<string>): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>Lectern</title>
<meta name="content-styles" content="${base}${content}">
<link rel="icon" href="data:,">
<link id="react-aria-pressable-style" rel="stylesheet" href="${base}${styles}">
${preloaded.map((file) => `<link rel="modulepreload" href="${base}${file}">\n`).join("")}<body>
<div id="console"></div>
<noscript><p>Lectern needs JavaScript in your browser.</p></noscript>
<script type="module" src="${base}${script}"></script>
`

/** Returns the chunks that a chunk imports statically, with itself. */
const withImports = (chunks: ReadonlyArray<OutputChunk>, start: OutputChunk): ReadonlySet<OutputChunk> => {
  const found = new Set([start])
  for (const { imports } of found)
    for (const name of imports) {
      const chunk = chunks.find(({ fileName }) => fileName === name)
      if (chunk !== undefined) found.add(chunk)
    }
  return found
}

/** Returns the licenses of the libraries in the chunks. */
const licensesOf = (chunks: ReadonlyArray<OutputChunk>): string => {
  const folders = chunks.flatMap(({ moduleIds }) =>
    moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [])
  )
  return [...new Set(folders)]
    .sort()
    .flatMap((path) => {
      const [file] = globSync("LICEN[SC]E*", { cwd: path })
      return file === undefined
        ? []
        : [`${path.replace(/^.*\/node_modules\//, "")}\n\n${readFileSync(join(path, file), "utf8")}`]
    })
    .join("\n\n---\n\n")
}

/** Builds the console if it is out of date. Returns the folder with its files. */
export const bundleConsole = async (): Promise<string> => {
  if (existsSync(folder) && isFresh(stamp)) return folder
  // Loading the bundler takes longer than detecting an up-to-date build, so it is loaded only for a build.
  const { rolldown } = await import("rolldown")
  const build = await rolldown({
    cwd: app,
    platform: "browser",
    input: { main: join(app, "src/main.tsx") },
    tsconfig: false,
    transform: {
      define: { "process.env.NODE_ENV": '"production"' },
      jsx: { runtime: "automatic", development: false }
    },
    plugins: [ownLanguages],
    // Libraries mark modules for servers that render them. The console is never rendered by a server.
    onLog: (level, log, report) => {
      if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log)
    }
  })
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name].[hash:16].js",
    chunkFileNames: "part.[hash:16].js"
  })
  await build.close()
  const chunks = output.filter((file) => file.type === "chunk")
  const [entry] = chunks
  const styles = tokens + makeStyles("console")
  const contentStyles = makeStyles("content")
  const stylesName = `console.${hashOf(styles)}.css`
  const contentName = `content.${hashOf(contentStyles)}.css`
  const first = withImports(chunks, entry!)
  const page = pageOf(
    entry!.fileName,
    stylesName,
    contentName,
    [...first].filter((chunk) => chunk !== entry).map(({ fileName }) => fileName)
  )
  const size = [page, styles, ...Array.from(first, ({ code }) => code)].map(compressedSize).reduce((a, b) => a + b)
  if (size > maxFirstScreen)
    throw new Error(`The first screen of the console has ${size} bytes compressed, more than ${maxFirstScreen}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { code, fileName } of chunks) writeFileSync(join(folder, fileName), code)
  writeFileSync(join(folder, stylesName), styles)
  writeFileSync(join(folder, contentName), contentStyles)
  writeFileSync(join(folder, "index.html"), page)
  writeFileSync(join(folder, "licenses.txt"), licensesOf(chunks))
  writeStamp(stamp, [
    ...chunks.flatMap(({ moduleIds }) => moduleIds),
    ...globSync(["apps/console/styles/*.css", "packages/editor/**/*.css", "packages/site/styles/content/*.css"], {
      cwd: root,
      exclude: ["**/node_modules/**"]
    }).map((file) => join(root, file)),
    join(root, "packages/site/src/styling/CustomizationStyle.ts")
  ])
  return folder
}
