/**
 * Bundles the language grammars of code highlighting as chunks of the binary. Highlighting then works without unpacked
 * files, and the first highlighted page waits for no archive. A bundler cannot follow an import whose path is computed
 * at runtime, so the import is replaced by a list of all grammars.
 */
import { readFileSync } from "node:fs"
import type { Plugin } from "rolldown"

export const languages = "@shikijs/langs"

const dynamicImport = `import(\`${languages}/\${syntax}\`)`

/** Error code of Node.js for a file that a package does not export. */
const notExported = "ERR_PACKAGE_PATH_NOT_EXPORTED"

/** Returns the plugin. `manifest`: path of the grammar package's `package.json`. */
export const languagesInside = (manifest: string): Plugin => ({
  name: "languages inside",
  transform: {
    filter: { id: /\/rendering\/HighlightedCode\.ts$/ },
    handler: (code) => {
      if (!code.includes(dynamicImport)) throw new Error("Grammars are loaded in another way than by their names")
      const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports: Record<string, unknown> }
      const names = Object.keys(exports).flatMap((path) => /^\.\/([a-z0-9+#.-]+)$/.exec(path)?.[1] ?? [])
      const loads = names.map((name) => `[${JSON.stringify(name)}, () => import("${languages}/${name}")]`)
      return `${code.replace(dynamicImport, "(languages.get(syntax) ?? notThere)()")}
const languages = new Map([${loads.join(",\n")}])
const notThere = () => { throw Object.assign(new Error("There is no such language"), { code: "${notExported}" }) }
`
    }
  }
})
