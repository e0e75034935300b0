/** A problem with a repository. It is passed from the thread to the caller. */
import type { GitFailed } from "@lectern/exchange/git/GitRemote"

export class GitProblem extends Error {
  readonly reason: GitFailed["reason"]

  constructor(reason: GitFailed["reason"], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Converts untrusted text to at most 200 characters of ASCII. */
export const printable = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, " ")
    .slice(0, 200)
    .trim()
