/** Lists the service that synchronizes a space with a Git repository, and the job that runs its imports and exports. */
import { offer, type Services } from "../Services.ts"
import { runGitOperation } from "./GitOperationJob.ts"
import { GitSyncs } from "./GitSyncs.ts"

export const gitServices = {
  jobs: [runGitOperation],
  offered: {
    gitSyncs: offer(GitSyncs, "outsideTransaction")
  }
} as const satisfies Services
