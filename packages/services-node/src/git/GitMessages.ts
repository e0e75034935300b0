/** Messages between the thread of `NodeGitRemote` and its callers. Calls are processed in order. */
import type { GitFailed, NewCommit } from "@lectern/exchange/git/GitRemote"
import type { OpenedBranch, OpenRequest } from "./GitBranchSession.ts"

export interface GitCalls {
  readonly open: { readonly input: OpenRequest; readonly output: OpenedBranch }
  readonly read: { readonly input: string; readonly output: Uint8Array }
  readonly write: { readonly input: { readonly path: string; readonly bytes: Uint8Array }; readonly output: void }
  readonly remove: { readonly input: string; readonly output: void }
  readonly commit: { readonly input: NewCommit; readonly output: string | undefined }
  readonly push: { readonly input: undefined; readonly output: void }
}

export type GitCall = {
  readonly [K in keyof GitCalls]: { readonly call: K; readonly input: GitCalls[K]["input"] }
}[keyof GitCalls]

export type GitCallResult =
  | { readonly output: unknown }
  | { readonly reason: GitFailed["reason"]; readonly message: string }
