/**
 * Builds the scripts of published sites as a module of text (`pnpm generate`) from `packages/site/client`. The module
 * is committed, so Lectern runs without a bundler. `pnpm check` reports a module that is out of date.
 */
import { createHash } from "node:crypto"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { root } from "./BuildStamp.ts"

const folder = join(root, "packages/site/client")

/** Path of the module, from the root of the repository. */
export const siteScript = "packages/site/src/styling/ClientScripts.ts"

const programOf = async (name: string, format: "esm" | "iife"): Promise<string> => {
  const bundle = await rolldown({
    cwd: root,
    platform: "browser",
    input: join(folder, `${name}.ts`),
    tsconfig: false
  })
  const { output } = await bundle.generate({ format, minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code.trim()
}

/** Path of the module with the script of live reload, from the root of the repository. */
export const liveScript = "apps/cli/src/dev/LiveScript.ts"

/** Returns the source of the module with the script of live reload. */
export const makeLiveScript = async (): Promise<string> =>
  `/** Built from \`packages/site/client/live.ts\` by \`pnpm generate\`. */

export const script = ${quoted(await programOf("live", "esm"))}
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
