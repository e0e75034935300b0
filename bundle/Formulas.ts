/**
 * Puts the part of MathJax that sites use next to a bundle. The packages of MathJax have 70 MB, most of it for other output
 * formats and for browsers, and this part has 12 MB.
 */
import { globSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import type { Plugin } from "rolldown"
import { root } from "./BuildStamp.ts"

/**
 * Returns `package.json` without the fields that have no effect in a folder of another package, such as `exports`, which
 * the check of the packed server rejects.
 */
const nestedManifest = (bytes: Uint8Array): Uint8Array => {
  const { name, version, type } = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>
  return Buffer.from(JSON.stringify({ name, version, type }))
}

/** Returns the files by their path in the folder `mathjax` of the bundle. */
export const formulaFiles = (): ReadonlyMap<string, Uint8Array> => {
  const main = createRequire(join(root, "packages/services-node/package.json")).resolve("mathjax")
  const font = createRequire(main).resolve("@mathjax/mathjax-newcm-font/svg.js")
  const copy = (folder: string, to: string, patterns: ReadonlyArray<string>) =>
    globSync(patterns, { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => {
        // A file named LICENSE would keep pnpm from adding the license of the package.
        const bytes = readFileSync(file)
        const path = `${to}${file.slice(folder.length)}`.replaceAll("\\", "/").replace(/LICENSE$/, "MathJax.LICENSE")
        return [path, basename(file) === "package.json" ? nestedManifest(bytes) : bytes] as const
      })
  return new Map([
    ...copy(dirname(main), "library", [
      "node-main*",
      "package.json",
      "LICENSE",
      "input/tex*",
      "input/tex/**",
      "output/svg.js"
    ]),
    ...copy(dirname(font), "fonts/mathjax-newcm-font", ["svg.js", "svg/**", "package.json", "LICENSE"])
  ])
}

export const formulas: Plugin = {
  name: "MathJax next to the bundle",
  resolveId: (id) => (id.startsWith("./mathjax/") ? { id, external: true } : null),
  transform: {
    filter: { id: /\/services-node\/src\/pdf\/MathJax\.ts$/ },
    handler: (code) => {
      const moved = code
        .replace('import("mathjax")', 'import("./mathjax/library/node-main.mjs")')
        .replace(
          "loader: { load",
          'loader: { paths: { "mathjax-newcm": "[mathjax]/../fonts/mathjax-newcm-font" }, load'
        )
      if (!moved.includes("./mathjax/") || !moved.includes("/../fonts/"))
        throw new Error("MathJax is loaded in another way")
      return moved
    }
  }
}
