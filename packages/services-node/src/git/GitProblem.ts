/** A problem with a repository, on its way from the thread that finds it to the caller. */
import type { GitFailed } from "@lectern/core/git/GitRemote"

export class GitProblem extends Error {
  readonly reason: GitFailed["reason"]

  constructor(reason: GitFailed["reason"], message: string) {
    super(message)
    this.reason = reason
  }
}
