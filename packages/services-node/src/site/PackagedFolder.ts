/** Finds the folders of files that `@lectern/site` contains, for hosts that render sites themselves. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const { resolve } = createRequire(import.meta.url)

/**
 * Returns the path of a folder in the package. Throws if the host bundles the code, since modules of a
 * bundle have no path. `find` returns the path of a module.
 */
export const packagedFolder = (name: "fonts" | "diagrams", find: (module: string) => unknown = resolve): string => {
  const manifest = find("@lectern/site/package.json")
  // Bundlers replace the path of a module by its number.
  if (typeof manifest !== "string")
    throw new Error(
      `The ${name} of @lectern/site are files, which a bundle does not contain. Exclude the packages of Lectern from the bundle, in Next.js by serverExternalPackages in next.config.ts`
    )
  return join(dirname(manifest), name)
}
