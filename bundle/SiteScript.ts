/**
 * Builds the scripts of published sites as a module of text (`pnpm generate`) from `packages/site/client`. The module
 * is committed, so Lectern runs without a bundler. `pnpm check` reports a module that is out of date.
 */
import { createHash } from "node:crypto"
import { createRequire } from "node:module"
import { join } from "node:path"
import { type InputOptions, type Plugin, rolldown } from "rolldown"
import { root } from "./BuildStamp.ts"

const folder = join(root, "packages/site/client")
const signInFolder = join(root, "packages/sign-in/client")

/** Path of the module, from the root of the repository. */
export const siteScript = "packages/site/src/styling/ClientScripts.ts"

const programOf = async (name: string, format: "esm" | "iife", from = folder): Promise<string> => {
  const bundle = await rolldown({
    cwd: root,
    platform: "browser",
    input: join(from, `${name}.ts`),
    tsconfig: false
  })
  const { output } = await bundle.generate({ format, minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code.trim()
}

/** Path of the module with the search of static sites, from the root of the repository. */
export const searchScripts = "packages/site/src/static-site/SearchScripts.ts"

/** Stemmers of all languages but English, in the order of their names. */
const stemmers = [
  "arabic",
  "bulgarian",
  "danish",
  "dutch",
  "finnish",
  "french",
  "german",
  "greek",
  "hungarian",
  "indian",
  "indonesian",
  "italian",
  "lithuanian",
  "norwegian",
  "portuguese",
  "romanian",
  "russian",
  "spanish",
  "swedish",
  "turkish",
  "ukrainian"
]

const stemmerPackage = "@orama/stemmers/"

/** Replaces the stemmers by those that the browser has loaded. English is always included. */
const loadedStemmers: Plugin = {
  name: "loaded-stemmers",
  resolveId: (source) => (stemmers.some((name) => source === stemmerPackage + name) ? `\0${source}` : undefined),
  load: (id) =>
    id.startsWith(`\0${stemmerPackage}`)
      ? `export const stemmer = (word) => (globalThis.lecternStemmer ?? String)(word)`
      : undefined
}

const generate = async (options: InputOptions): Promise<string> => {
  const bundle = await rolldown({ cwd: root, platform: "browser", tsconfig: false, ...options })
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code.trim()
}

const stemmerScript = (name: string): Promise<string> => {
  const entry = "\0stemmer"
  // Resolved from the package that depends on the stemmers.
  const source = createRequire(join(root, "packages/core/package.json")).resolve(stemmerPackage + name)
  const code = `import { stemmer } from ${JSON.stringify(source)}; globalThis.lecternStemmer = stemmer`
  return generate({
    input: entry,
    plugins: [
      {
        name: "stemmer",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined)
      }
    ]
  })
}

/** Returns the source of the module with the search of static sites. */
export const makeSearchScripts = async (): Promise<string> => {
  const search = await generate({ input: join(folder, "staticSearch.ts"), plugins: [loadedStemmers] })
  const lines: Array<string> = []
  for (const name of stemmers) lines.push(`  ${name}: ${quoted(await stemmerScript(name))}`)
  return `/** Built from \`packages/site/client/staticSearch.ts\` by \`pnpm generate\`. */

export const search = ${quoted(search)}

/** Scripts that define the stemmer of a language. */
export const stemmers = {
${lines.join(",\n")}
}
`
}

/** Path of the module with the script of live reload, from the root of the repository. */
export const liveScript = "apps/cli/src/dev/LiveScript.ts"

/** Returns the source of the module with the script of live reload. */
export const makeLiveScript = async (): Promise<string> =>
  `/** Built from \`packages/site/client/live.ts\` by \`pnpm generate\`. */

export const script = ${quoted(await programOf("live", "esm"))}
`

/** Path of the module with the script of passkeys, from the root of the repository. */
export const passkeyScript = "packages/sign-in/src/passkey/PasskeyScript.ts"

/** Returns the source of the module with the script of passkeys. */
export const makePasskeyScript = async (): Promise<string> =>
  `/** Built from \`packages/sign-in/client/passkeys.ts\` by \`pnpm generate\`. */

export const script = ${quoted(await programOf("passkeys", "iife", signInFolder))}
`

export const quoted = (text: string): string => `\`${text.replace(/[\\`]|\$(?=\{)/g, "\\$&")}\``

/** Returns the source of the module. */
export const makeSiteScript = async (): Promise<string> => {
  const [script, blocks, diagrams, tryIt, restoreTheme, restoreTree] = [
    await programOf("main", "esm"),
    await programOf("blocks", "esm"),
    await programOf("diagrams", "esm"),
    await programOf("tryIt", "esm"),
    await programOf("restoreTheme", "iife"),
    await programOf("restoreTree", "iife")
  ]
  const hashes = [restoreTheme, restoreTree].map(
    (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`
  )
  return `/** Built from \`packages/site/client\` by \`pnpm generate\`. */

export const script = ${quoted(script)}

/** Script for pages with blocks of integrations. */
export const blocks = ${quoted(blocks)}

/** Script for pages with diagrams. */
export const diagrams = ${quoted(diagrams)}

/** Script of the form that tries an API operation. */
export const tryIt = ${quoted(tryIt)}

export const restoreTheme = ${quoted(restoreTheme)}

export const restoreTree = ${quoted(restoreTree)}

/** Hashes of inline scripts for the content security policy. */
export const hashes = [
${hashes.map((hash) => `  ${JSON.stringify(hash)}`).join(",\n")}
]
`
}
