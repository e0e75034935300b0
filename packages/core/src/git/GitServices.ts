/** Services of spaces that follow a Git repository. */
import type { Services } from "../Services.ts"
import { runGitOperation } from "./GitSyncing.ts"
import { GitSyncs } from "./GitSyncs.ts"

export const gitServices = {
  layers: [GitSyncs.layer],
  jobs: [runGitOperation],
  offered: { gitSyncs: GitSyncs }
} as const satisfies Services
