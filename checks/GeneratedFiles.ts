/** Checks that generated files, which are committed, match their sources. */
import { readFileSync } from "node:fs"
import { generatedFiles } from "../bundle/GeneratedFiles.ts"

export const staleFiles = async (): Promise<ReadonlyArray<string>> => {
  const outdatedFiles: Array<string> = []
  for (const { make, path } of generatedFiles) {
    if (readFileSync(path, "utf8") !== (await make())) {
      outdatedFiles.push(`${path}: differs from its sources (run \`pnpm generate\`)`)
    }
  }
  return outdatedFiles
}
