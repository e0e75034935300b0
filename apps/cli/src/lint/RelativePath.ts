/** Paths of problems for programs that run in the working directory, such as jobs of GitHub Actions. */
import { join, relative } from "node:path"

/** Returns the path relative to the working directory, with `/` between names. */
export const relativePath = (folder: string, path: string): string =>
  relative(process.cwd(), join(folder, path)).replaceAll("\\", "/") || "."
