/** Lists mails of the outbox as background work, and retries them. */
import { Effect, Result } from "effect"
import type { JobStatus } from "../job/Job.ts"
import { leasedItem, mailKind, type WorkItem, type WorkList } from "../job/WorkItem.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { MailId, type MailRow, type MailStatus, MailTable } from "./Mail.ts"
import { next } from "./MailState.ts"
import { Mails } from "./Mails.ts"

export const mailPrefix = "mail:"

const statuses: Readonly<Record<JobStatus, ReadonlyArray<MailStatus>>> = {
  waiting: ["waiting"],
  running: ["waiting"],
  done: ["sent", "dropped"],
  failed: ["failed"]
}

const present = (row: MailRow): WorkItem => {
  const { status, nextRunAt, ...item } = leasedItem(row)
  return {
    id: mailPrefix + row.id,
    kind: mailKind,
    ...item,
    status: row.status === "waiting" ? status : row.status === "failed" ? "failed" : "done",
    ...(row.status === "waiting" && nextRunAt !== undefined && { nextRunAt }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    mail: row.kind
  }
}

export const makeMailWork = Effect.gen(function* () {
  const storage = yield* Storage
  const { signal } = yield* Mails
  const mails = storage.repository(MailTable)

  const idOf = (id: string) => ({ id: MailId.make(id.slice(mailPrefix.length)) })

  const list: WorkList = {
    list: (status, limit) =>
      Effect.map(
        mails.list({ where: { status: { in: statuses[status] } }, order: ["updatedAt"], descending: true, limit }),
        (rows) => rows.map(present).filter((item) => item.status === status)
      ),

    get: (id) => Effect.map(mails.get(idOf(id)), (row) => row && present(row)),

    retry: (id) =>
      Effect.tap(
        storage.transaction(
          Effect.gen(function* () {
            const mail = yield* mails.get(idOf(id))
            const transition = mail && next(mail, { type: "retry", now: yield* Timestamps.now })
            if (transition === undefined || Result.isFailure(transition)) return false
            yield* mails.update(idOf(id), transition.success).pipe(cannotConflict)
            return true
          })
        ),
        signal.open
      )
  }
  return list
})
