/**
 * Defers the evaluation of some packages from their import to the first call of one of their functions. These packages
 * contain large tables and are rarely used, but their callers cannot wait for `import()`. An idle server needs 6 MB
 * less. A server that runs from its sources evaluates them when it starts.
 *
 * Limit: only functions may be imported from these packages, by name.
 */
import type { Plugin } from "rolldown"

const deferredPackages = /^(acorn|transliteration|@orama\/stemmers\/\w+)$/

const imports = /^import \{([^}]*)\} from "([^"]+)"$/gm

const splitNames = (
  names: string
): { readonly types: ReadonlyArray<string>; readonly values: ReadonlyArray<string> } => {
  const nameList = names.split(",").map((name) => name.trim())
  return {
    types: nameList.filter((name) => name.startsWith("type ")).map((name) => name.slice("type ".length)),
    values: nameList.filter((name) => name !== "" && !name.startsWith("type "))
  }
}

export const deferredModules: Plugin = {
  name: "late modules",
  transform: {
    filter: { id: /\/packages\/\w+\/src\/.*\.ts$/, code: /from "(acorn|transliteration|@orama\/stemmers\/\w+)"/ },
    handler: (code) => {
      let count = 0
      const deferredCode = code.replace(imports, (statement, names: string, from: string) => {
        if (!deferredPackages.test(from)) return statement
        const { types, values } = splitNames(names)
        const module = `lateModule${count++}`
        const functions = values.map((value) => {
          const [name, local = name] = value.split(" as ")
          return `const ${local} = (...all) => (${module} ??= require("${from}")).${name}(...all)`
        })
        return [
          ...(types.length === 0 ? [] : [`import type { ${types.join(", ")} } from "${from}"`]),
          `let ${module}`,
          ...functions
        ].join("; ")
      })
      if (count === 0) throw new Error("What is run late is imported in another way than by names")
      // Source maps stay valid, since each line keeps its number.
      return { code: deferredCode, map: null }
    }
  }
}
