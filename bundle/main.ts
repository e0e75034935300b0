/**
 * Builds the packages, the server, and its files (`pnpm build`). `main.ts shipped` builds only the files that a start
 * from the sources needs. `main.ts package` builds one package before it is packed. `main.ts release` makes a release.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { parseArgs } from "node:util"
import { root } from "./BuildStamp.ts"

/** True if the error reports that build tools are not installed, for example after `pnpm install --prod`. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND")

const catalogue = async () => {
  const { bundleCatalogue } = await import("./Catalogue.ts")
  await bundleCatalogue()
}

/** Builds the diagrams and fonts that the package of sites contains. */
const buildSites = async () => {
  const { bundleDiagrams } = await import("./Diagrams.ts")
  const { bundleSiteFonts } = await import("./SiteFonts.ts")
  await bundleSiteFonts()
  await bundleDiagrams()
}

const buildConsole = async () => {
  const { bundleConsole } = await import("./Console.ts")
  await bundleConsole()
}

const server = async () => {
  const { bundleServer } = await import("./Commands.ts")
  await bundleServer({ anew: true })
  await catalogue()
}

const cli = async () => {
  const { bundleCli } = await import("./Commands.ts")
  await bundleCli({ anew: true })
}

const packages = async () => {
  const { buildPackages } = await import("./Packages.ts")
  await buildPackages()
  await buildSites()
}

switch (process.argv[2]) {
  case "shipped":
    await Promise.all([catalogue(), buildConsole(), buildSites()]).catch((error: unknown) => {
      // A server also starts without these files, or with those of an earlier build.
      if (!isMissing(error)) throw error
      console.warn(
        `The console, the integrations that come with Lectern, diagrams and fonts are not built: ${String(error)}`
      )
    })
    break
  case "package": {
    const folder = relative(root, process.cwd())
    if (folder === "apps/server") await server()
    else if (folder === "apps/cli") await cli()
    else await (await import("./Packages.ts")).buildPackage(folder)
    if (folder === "packages/site") await buildSites()
    if (folder === "packages/create-lectern") (await import("./ProjectTemplates.ts")).buildProjectTemplates()
    break
  }
  case "generate": {
    const { generatedFolders, makeGeneratedFiles } = await import("./GeneratedFiles.ts")
    const sources = await makeGeneratedFiles()
    for (const folder of generatedFolders) rmSync(join(root, folder), { recursive: true, force: true })
    for (const [path, source] of sources) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), source)
    }
    break
  }
  case "binary":
    console.log(await (await import("./Binary.ts")).buildBinary())
    break
  case "release": {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: { "dry-run": { type: "boolean", default: false }, only: { type: "string" } }
    })
    const { "dry-run": dryRun, only } = values
    if (only !== undefined && only !== "packages" && only !== "binary")
      throw new Error(`--only is "packages" or "binary", not "${only}"`)
    await (await import("./Release.ts")).release({ dryRun, ...(only !== undefined && { only }) })
    break
  }
  default:
    await packages()
    await server()
    await cli()
}
