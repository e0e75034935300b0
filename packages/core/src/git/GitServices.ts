/** Services of spaces that are synchronized with a Git repository. */
import { offer, type Services } from "../Services.ts"
import { runGitOperation } from "./GitSyncing.ts"
import { GitSyncs } from "./GitSyncs.ts"

export const gitServices = {
  layers: [GitSyncs.layer],
  jobs: [runGitOperation],
  offered: {
    gitSyncs: offer(GitSyncs, "apart")
  }
} as const satisfies Services
