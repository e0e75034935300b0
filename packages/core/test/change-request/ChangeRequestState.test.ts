import { assert, describe, it } from "@effect/vitest"
import {
  type ChangeRequestEvent,
  type ChangeRequestStatus,
  next
} from "@lectern/core/change-request/ChangeRequestState"
import { Result } from "effect"

const statuses = ["draft", "open", "archived", "merged"] as const

const events: ReadonlyArray<ChangeRequestEvent> = [
  { type: "change" },
  { type: "change", status: "draft" },
  { type: "change", status: "open" },
  { type: "change", status: "archived" },
  { type: "edit" },
  { type: "update" },
  { type: "merge" },
  { type: "check" }
]

const name = (event: ChangeRequestEvent) => `${event.type}${"status" in event ? ` to ${event.status}` : ""}`

/** The state after each event, in the order of `events`; a dash: it can't happen. */
const table: Record<ChangeRequestStatus, string> = {
  draft: "draft draft open archived draft draft merged draft",
  open: "open draft open archived open open merged open",
  archived: "archived draft open archived - - - -",
  merged: "- - - - - - - -"
}

describe("ChangeRequestState", () => {
  const cases = statuses.flatMap((status) =>
    events.map((event, i) => ({ status, event, expected: table[status].split(" ")[i], title: name(event) }))
  )

  it.each(cases)("$status, $title: $expected", ({ status, event, expected }) => {
    const after = next(status, event)
    assert.strictEqual(Result.isSuccess(after) ? after.success : "-", expected)
    if (Result.isFailure(after)) assert.match(after.failure, /^The change request is (merged|archived)/)
  })
})
