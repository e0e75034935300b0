/**
 * Grammars of languages as pieces of the binary: a page with code is drawn where nothing may be unpacked, and the first
 * waits for no other package. What is imported by a name that is made up as it runs can't be followed, so the names
 * stand in its place.
 */
import { readFileSync } from "node:fs"
import type { Plugin } from "rolldown"

export const languages = "@shikijs/langs"

const asked = `import(\`${languages}/\${syntax}\`)`

/** Code of the error by which Node says that a package has no such file for others. */
const notExported = "ERR_PACKAGE_PATH_NOT_EXPORTED"

/** `manifest`: file of the package's `package.json`. */
export const languagesInside = (manifest: string): Plugin => ({
  name: "languages inside",
  transform: {
    filter: { id: /\/painting\/MarkedCode\.ts$/ },
    handler: (code) => {
      if (!code.includes(asked)) throw new Error("Grammars are loaded in another way than by their names")
      const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports: Record<string, unknown> }
      const names = Object.keys(exports).flatMap((path) => /^\.\/([a-z0-9+#.-]+)$/.exec(path)?.[1] ?? [])
      const loads = names.map((name) => `[${JSON.stringify(name)}, () => import("${languages}/${name}")]`)
      return `${code.replace(asked, "(languages.get(syntax) ?? notThere)()")}
const languages = new Map([${loads.join(",\n")}])
const notThere = () => { throw Object.assign(new Error("There is no such language"), { code: "${notExported}" }) }
`
    }
  }
})
