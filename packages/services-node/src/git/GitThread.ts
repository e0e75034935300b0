/** Messages between the thread of `NodeGitRemote` and its callers. Calls are processed in order. */
import type { GitFailed, NewCommit } from "@lectern/core/git/GitRemote"
import type { Opened, OpenRequest } from "./GitWork.ts"

export interface GitCalls {
  readonly open: { readonly takes: OpenRequest; readonly gives: Opened }
  readonly read: { readonly takes: string; readonly gives: Uint8Array }
  readonly write: { readonly takes: { readonly path: string; readonly bytes: Uint8Array }; readonly gives: void }
  readonly remove: { readonly takes: string; readonly gives: void }
  readonly commit: { readonly takes: NewCommit; readonly gives: string | undefined }
  readonly push: { readonly takes: undefined; readonly gives: void }
}

export type GitCall = {
  readonly [K in keyof GitCalls]: { readonly call: K; readonly takes: GitCalls[K]["takes"] }
}[keyof GitCalls]

export type GitAnswer = { readonly gives: unknown } | { readonly reason: GitFailed["reason"]; readonly message: string }
