/** Checks that generated files, which are committed, match their sources. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { generatedFolders, makeGeneratedFiles } from "../bundle/GeneratedFiles.ts"

export const staleFiles = async (): Promise<ReadonlyArray<string>> => {
  const sources = await makeGeneratedFiles()
  const outdatedFiles = Array.from(sources).flatMap(([path, source]) =>
    existsSync(path) && readFileSync(path, "utf8") === source
      ? []
      : [`${path}: differs from its sources (run \`pnpm generate\`)`]
  )
  const superfluousFiles = generatedFolders
    .flatMap((folder) => globSync(`${folder}/**/*.*`))
    .filter((path) => !sources.has(path))
    .map((path) => `${path}: is not generated any more (run \`pnpm generate\`)`)
  return [...outdatedFiles, ...superfluousFiles]
}
