/** Name of the Git branch that a folder is checked out from. Read from the files of the repository, without `git`. */
import { readFileSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

const prefix = "ref: refs/heads/"

/** Returns the branch, or undefined outside of a repository and for a commit that is no branch. */
export const branchOf = (folder: string): string | undefined => {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const head = headOf(current)
    if (head !== undefined) return head.startsWith(prefix) ? head.slice(prefix.length).trim() : undefined
    if (current === dirname(current)) return undefined
  }
}

/** Returns the text of `HEAD`. In a worktree or a submodule, `.git` is a file that names the folder. */
const headOf = (folder: string): string | undefined => {
  try {
    const git = resolve(folder, ".git")
    const gitFolder = statSync(git).isDirectory()
      ? git
      : resolve(
          folder,
          readFileSync(git, "utf8")
            .replace(/^gitdir: /, "")
            .trim()
        )
    return readFileSync(resolve(gitFolder, "HEAD"), "utf8")
  } catch {
    return undefined
  }
}
