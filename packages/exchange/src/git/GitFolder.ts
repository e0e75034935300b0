/**
 * A branch as the folder that an import reads and an export writes. If its `.gitbook.yaml` names a root, the folder is
 * that root, and files outside of it are ignored.
 */
import { Effect } from "effect"
import { type Folder, type FolderFile, FolderUnreadable } from "../import/Folder.ts"
import * as GitbookYaml from "../import/GitbookYaml.ts"
import type { GitBranch, GitFailed, GitFile } from "./GitRemote.ts"

const configuration = ".gitbook.yaml"

export interface GitLayout {
  /** Prefix of every path: empty, or a folder with a trailing slash. */
  readonly prefix: string
  /** Path of the branch's table of contents, if its configuration names one. */
  readonly summary: string | undefined
  readonly readme?: string
  readonly redirects?: Readonly<Record<string, string>>
}

/** Reads from the branch's configuration which folder contains the documentation. */
export const layoutOf = Effect.fnUntraced(function* (branch: GitBranch): Effect.fn.Return<GitLayout, GitFailed> {
  const configurationFile = branch.files.find(({ path }) => path === configuration)
  if (configurationFile === undefined) return { prefix: "", summary: undefined } satisfies GitLayout
  const { root, readme, redirects, summary } = GitbookYaml.parse(
    new TextDecoder().decode(yield* branch.read(configurationFile))
  ).config
  return {
    prefix: root === "" ? "" : `${root}/`,
    summary,
    readme,
    redirects
  } satisfies GitLayout
})

/** Returns the files of the documentation, with paths relative to its folder. */
export const filesOf = (branch: GitBranch, { prefix }: GitLayout): ReadonlyArray<GitFile> =>
  prefix === ""
    ? branch.files
    : branch.files.flatMap((one) =>
        one.path.startsWith(prefix) ? [{ ...one, path: one.path.slice(prefix.length) }] : []
      )

export const folderOf = (branch: GitBranch, layout: GitLayout): Folder => {
  const files: ReadonlyArray<FolderFile> = filesOf(branch, layout).map((one) => ({
    path: one.path,
    size: one.size,
    bytes: () =>
      branch.read(one).pipe(Effect.mapError(({ message }) => new FolderUnreadable({ path: one.path, message })))
  }))
  const { prefix, readme, redirects, summary } = layout
  // With a root, the configuration is outside of the folder.
  const isOutside = prefix !== "" && summary !== undefined && readme !== undefined
  return {
    files,
    ...(isOutside && { layout: { root: "", readme, summary, ...(redirects && { redirects }) } }),
    problems: branch.problems
  }
}
