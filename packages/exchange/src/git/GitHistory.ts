/**
 * The revisions of a space as commits, with their authors and times. The newest commit has the message of the export.
 * Others have the subject of their merged change request, or the message of the export. So equal revisions on the same
 * commit with the same message result in equal commits at any time.
 *
 * Limits: 100 commits in one export, and at most 20,000 serialized pages for them. Older revisions are combined in the
 * first commit.
 */
import { Effect } from "effect"
import { ChangeRequestTable, ChangeRequestId } from "@lectern/core/change-request/ChangeRequest"
import type { RevisionId, RevisionRow } from "@lectern/core/content/revisions/Revision"
import { Revisions } from "@lectern/core/content/revisions/Revisions"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Storage } from "@lectern/core/storage/Storage"
import { UserId, UserTable } from "@lectern/core/user/User"
import type { GitPerson, NewCommit } from "./GitRemote.ts"
import type { GitCommon } from "@lectern/core/exchange/GitSyncRow"

const maxCommits = 100
const maxPrinted = 20_000

/** Trailer of a commit message that names the exported revision. */
const trailer = "Lectern-Revision"

/** Returns true for the message of an exported commit. */
export const isExported = (message: string): boolean => new RegExp(`^${trailer}: \\S+$`, "m").test(message)

/**
 * Returns the revision in the message of an exported commit: the last one that is named, since a message may quote
 * others.
 */
export const revisionIn = (message: string): string | undefined =>
  [...message.matchAll(new RegExp(`^${trailer}: (\\S+)$`, "gm"))].at(-1)?.[1]

interface PushStep {
  readonly revision: RevisionRow
  readonly commit: NewCommit
}

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const revisions = yield* Revisions
  const hostname = new URL(yield* PublicUrl).hostname
  const users = storage.repository(UserTable)
  const changeRequests = storage.repository(ChangeRequestTable)
  const committer: GitPerson = { name: "Lectern", email: `lectern@${hostname}` }

  /**
   * Returns the revisions to push, oldest first, starting with the first one that is missing or incomplete in the
   * repository.
   */
  const revisionsToPush = Effect.fnUntraced(function* (
    latest: RevisionRow,
    common: GitCommon | undefined,
    pages: number
  ) {
    if (common === undefined) return [latest]
    const limit = Math.max(1, Math.min(maxCommits, Math.floor(maxPrinted / Math.max(pages, 1))))
    const revisionsFound: Array<RevisionRow> = []
    for (let id: RevisionId | undefined = latest.id; id !== undefined && revisionsFound.length < limit;) {
      if (id === common.revision && common.ahead !== true) break
      const revision: RevisionRow = yield* revisions.get(id)
      revisionsFound.push(revision)
      if (id === common.revision) break
      id = revision.parents[0]
    }
    return revisionsFound.reverse()
  })

  const personOf = (id: string | null, peopleById: ReadonlyMap<string, GitPerson>): GitPerson =>
    id === null ? committer : (peopleById.get(id) ?? { name: "Unknown user", email: `${id}@${hostname}` })

  return Effect.fn("GitHistory.steps")(function* (
    latest: RevisionRow,
    common: GitCommon | undefined,
    options: { readonly message: string; readonly pages: number }
  ) {
    const newRevisions = yield* revisionsToPush(latest, common, options.pages)
    // The changes of an import are already committed by their authors. The rest of an imported revision is by the
    // author of its parent.
    const authors = yield* Effect.forEach(newRevisions, (revision) =>
      revision.git === undefined || revision.parents[0] === undefined
        ? Effect.succeed(revision.author)
        : Effect.map(revisions.get(revision.parents[0]), ({ author }) => author)
    )
    const authorIds = [...new Set(authors.filter((author) => author !== null))]
    const rows = yield* users.getMany(authorIds.map((id) => ({ id: UserId.make(id) })))
    const people = new Map(
      rows.flatMap((row) =>
        row === undefined
          ? []
          : [[row.id as string, { name: oneLineName(row.displayName), email: oneLineName(row.email) }]]
      )
    )
    const merged = yield* changeRequests.getMany(
      newRevisions.map(({ mergedFrom }) => ({ id: ChangeRequestId.make(mergedFrom ?? "") }))
    )
    const defaultMessage = options.message.trim()
    return newRevisions.map((revision, i): PushStep => {
      const subject = merged[i]?.subject.trim() ?? ""
      const isNewest = i === newRevisions.length - 1
      const text = (isNewest && defaultMessage) || subject || defaultMessage || "Update"
      return {
        revision,
        commit: {
          message: `${text}\n\n${trailer}: ${revision.id}\n`,
          author: personOf(authors[i]!, people),
          committer,
          at: Date.parse(revision.createdAt)
        }
      }
    })
  })
})

/** Returns a text without characters that are invalid in a line of a commit. */
const oneLineName = (text: string): string => text.replace(/[<>\p{Cc}]/gu, "").trim() || "Unknown"
