/**
 * Imports each module of Effect from its own path. `import { Effect } from "effect"` loads all 250 modules of the
 * library; `effect/Effect` loads only the modules that it uses, in two thirds of the time. The sources import names from
 * the entry points, and this plugin replaces the statements.
 *
 * Limit: the sources import names in braces from an entry point, not its namespace.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Plugin } from "rolldown"

const folder = dirname(createRequire(import.meta.url).resolve("effect"))

const statements = /^import \{([^}]*)\} from "effect(\/[a-z-]+)?"$/gm

/** Returns the modules that an entry point exports as namespaces, by their names. Other names are functions. */
const namespacesOf = (entryPoint: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(
      readFileSync(join(folder, entryPoint, "index.js"), "utf8").matchAll(/^export \* as (\w+) from "\.\/(\w+)\.js"/gm),
      ([, name = "", module = ""]) => [name, `effect${entryPoint}/${module}`]
    )
  )

const namespaces = new Map<string, ReadonlyMap<string, string>>()

const replaced = (statement: string, names: string, entryPoint = ""): string => {
  const known = namespaces.get(entryPoint) ?? namespacesOf(entryPoint)
  namespaces.set(entryPoint, known)
  const imports = names.split(",").flatMap((specifier) => {
    const [, isType = "", name = "", local = name] = /^(type )?(\w+)(?: as (\w+))?$/.exec(specifier.trim()) ?? []
    if (name === "") return []
    const module = known.get(name)
    return module === undefined
      ? `import { ${specifier.trim()} } from "effect/Function"`
      : `import ${isType}* as ${local} from "${module}"`
  })
  // Source maps stay valid, since each line keeps its number.
  return imports.join("; ") + "\n".repeat(statement.split("\n").length - 1)
}

export const effectModules: Plugin = {
  name: "effect modules",
  load: {
    filter: { id: /\/packages\/[\w-]+\/src\/.*\.ts$/ },
    handler: (id) => ({ code: readFileSync(id, "utf8").replace(statements, replaced), moduleType: "ts" })
  }
}
