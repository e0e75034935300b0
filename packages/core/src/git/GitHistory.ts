/**
 * The revisions of a space as commits: each by its author and with its time. The newest has the message that the
 * export was given; before it, a merged change request has its subject, and anything else that message. So the same
 * revisions on the same commit, with the same message, are the same commits, whenever they are exported.
 *
 * Limits: 100 commits at once, and no more than 20,000 pages are printed for them; what is older goes
 * into the first.
 */
import { Effect } from "effect"
import { ChangeRequestTable, ChangeRequestId } from "../change-request/ChangeRequest.ts"
import type { RevisionId, RevisionRow } from "../content/revisions/Revision.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Storage } from "../storage/Storage.ts"
import { UserId, UserTable } from "../user/User.ts"
import type { GitPerson, NewCommit } from "./GitRemote.ts"
import type { GitCommon } from "./GitSync.ts"

const maxCommits = 100
const maxPrinted = 20_000

/** A line at the end of a message that names what it was made of. */
const trailer = "Lectern-Revision"

/** Tells whether a commit with this message came from an export. */
export const isOurs = (message: string): boolean => new RegExp(`^${trailer}: \\S+$`, "m").test(message)

/** The revision that a commit with this message was made of: the last that it names, since a message may quote others. */
export const revisionIn = (message: string): string | undefined =>
  [...message.matchAll(new RegExp(`^${trailer}: (\\S+)$`, "gm"))].at(-1)?.[1]

interface Step {
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

  /** From the first that the repository lacks, or has not all of, to the last. */
  const chain = Effect.fnUntraced(function* (latest: RevisionRow, common: GitCommon | undefined, pages: number) {
    if (common === undefined) return [latest]
    const most = Math.max(1, Math.min(maxCommits, Math.floor(maxPrinted / Math.max(pages, 1))))
    const found: Array<RevisionRow> = []
    for (let id: RevisionId | undefined = latest.id; id !== undefined && found.length < most;) {
      if (id === common.revision && common.ahead !== true) break
      const revision: RevisionRow = yield* revisions.get(id)
      found.push(revision)
      if (id === common.revision) break
      id = revision.parents[0]
    }
    return found.reverse()
  })

  const personOf = (id: string | null, known: ReadonlyMap<string, GitPerson>): GitPerson =>
    id === null ? committer : (known.get(id) ?? { name: "Unknown user", email: `${id}@${hostname}` })

  return Effect.fn("GitHistory.steps")(function* (
    latest: RevisionRow,
    common: GitCommon | undefined,
    options: { readonly message: string; readonly pages: number }
  ) {
    const found = yield* chain(latest, common, options.pages)
    // What an import brought is its authors' already: what is left of that revision came before it.
    const authors = yield* Effect.forEach(found, (revision) =>
      revision.git === undefined || revision.parents[0] === undefined
        ? Effect.succeed(revision.author)
        : Effect.map(revisions.get(revision.parents[0]), ({ author }) => author)
    )
    const distinct = [...new Set(authors.filter((author) => author !== null))]
    const rows = yield* users.getMany(distinct.map((id) => ({ id: UserId.make(id) })))
    const people = new Map(
      rows.flatMap((row) =>
        row === undefined ? [] : [[row.id as string, { name: sayable(row.displayName), email: sayable(row.email) }]]
      )
    )
    const merged = yield* changeRequests.getMany(
      found.map(({ mergedFrom }) => ({ id: ChangeRequestId.make(mergedFrom ?? "") }))
    )
    const asked = options.message.trim()
    return found.map((revision, i): Step => {
      const subject = merged[i]?.subject.trim() ?? ""
      const isNewest = i === found.length - 1
      const text = (isNewest && asked) || subject || asked || "Update"
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

/** Text made fit for a line of a commit. */
const sayable = (text: string): string => text.replace(/[<>\p{Cc}]/gu, "").trim() || "Unknown"
