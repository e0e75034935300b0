/**
 * A branch as the folder that an import reads and an export writes. Where its `.gitbook.yaml` names
 * a root, that is the folder: what lies beside it is none of the documentation's business.
 */
import { Effect } from "effect"
import { type Folder, type FolderFile, FolderUnreadable } from "../content/import/Folder.ts"
import * as GitbookYaml from "../content/import/GitbookYaml.ts"
import type { GitBranch, GitFailed, GitFile } from "./GitRemote.ts"

const configuration = ".gitbook.yaml"

export interface GitLayout {
  /** Beginning of every path: "" or a folder with a slash behind it. */
  readonly prefix: string
  /** Path of the branch's table of contents, where its configuration names one. */
  readonly summary: string | undefined
  readonly readme?: string
  readonly redirects?: Readonly<Record<string, string>>
}

/** Reads from the branch's configuration which folder of its directory holds the documentation. */
export const layoutOf = Effect.fnUntraced(function* (branch: GitBranch): Effect.fn.Return<GitLayout, GitFailed> {
  const found = branch.files.find(({ path }) => path === configuration)
  if (found === undefined) return { prefix: "", summary: undefined } satisfies GitLayout
  const { root, readme, redirects, summary } = GitbookYaml.parse(
    new TextDecoder().decode(yield* branch.read(found))
  ).config
  return {
    prefix: root === "" ? "" : `${root}/`,
    summary,
    readme,
    redirects
  } satisfies GitLayout
})

/** The files of the documentation, under their paths in its folder. */
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
  // Of a root the configuration lies outside.
  const isOutside = prefix !== "" && summary !== undefined && readme !== undefined
  return {
    files,
    ...(isOutside && { layout: { root: "", readme, summary, ...(redirects && { redirects }) } }),
    problems: branch.problems
  }
}
