/** Commands for a folder of Markdown. They need no server and no database. */
import type { SiteFiles } from "../SiteFiles.ts"
import { build } from "./Build.ts"
import { dev } from "./Dev.ts"
import { Lint } from "./Lint.ts"

export const commands = (files: SiteFiles) => [dev(files), build(files), Lint] as const
