/** A problem with a repository, on its way from the thread that finds it to the caller. */
import type { GitFailed } from "@lectern/core/git/GitRemote"

export class GitProblem extends Error {
  readonly reason: GitFailed["reason"]

  constructor(reason: GitFailed["reason"], message: string) {
    super(message)
    this.reason = reason
  }
}

/** A text of a stranger in 200 characters of ASCII at most. */
export const printable = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, " ")
    .slice(0, 200)
    .trim()
