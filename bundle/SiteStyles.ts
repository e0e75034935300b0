/**
 * Style sheets of published sites as a module of text (`pnpm generate`), built from `packages/site/styles`. The
 * module is committed, so Lectern runs without a CSS compiler. `pnpm check` reports a module that is out of date.
 */
import { join } from "node:path"
import { bundle } from "lightningcss"
import { root } from "./BuildStamp.ts"
import { quoted } from "./SiteScript.ts"

/** Path of the module, from the root of the repository. */
export const siteStyles = "packages/site/src/styling/Stylesheets.ts"

/** Encodes a version of a browser as Lightning CSS expects it: one byte each for major, minor and patch. */
const version = (major: number, minor = 0): number => (major << 16) | (minor << 8)

/** The first versions with `light-dark()` and nesting, which the style sheets rely on. */
export const targets = {
  chrome: version(123),
  firefox: version(120),
  safari: version(17, 5),
  ios_saf: version(17, 5)
}

/** Returns a style sheet with its imports, minified. */
const sheetOf = (name: string): string => {
  const filename = join(root, "packages/site/styles", `${name}.css`)
  return bundle({ filename, minify: true, targets }).code.toString()
}

/** Returns the source of the module. */
export const makeSiteStyles = (): string => `/** Built from \`packages/site/styles\` by \`pnpm generate\`. */

export const site = ${quoted(sheetOf("site"))}

/** Style sheet of pages with an API reference. */
export const api = ${quoted(sheetOf("api"))}

/** Style sheet of pages with blocks of integrations. */
export const blocks = ${quoted(sheetOf("blocks"))}

/** Style sheet of the form that tries an API operation. */
export const tryIt = ${quoted(sheetOf("try"))}
`
