/**
 * Statuses of a change request. `draft` and `open` can be edited and merged. `archived` can be reopened. `merged` is
 * final, and only a merge leads to it.
 */
import { Result, Schema } from "effect"

export const ChangeRequestStatus = Schema.Literals(["draft", "open", "archived", "merged"])
export type ChangeRequestStatus = typeof ChangeRequestStatus.Type

/** Statuses that clients can set, which excludes `merged`. */
export const SettableStatus = Schema.Literals(["draft", "open", "archived"])

export type ChangeRequestEvent =
  /** Change of the subject, description or status. */
  | { readonly type: "change"; readonly status?: typeof SettableStatus.Type }
  /** Change of the content, or resolution of a conflict. */
  | { readonly type: "edit" }
  /** Merge of main into the change request. */
  | { readonly type: "update" }
  | { readonly type: "merge" }
  /** Submission of a review, or request for one. Does not change the status. */
  | { readonly type: "review" }
  /** Result or removal of a check. Does not change the status. */
  | { readonly type: "check" }

/** Returns the status after an event. Fails with a message if the current status does not allow the event. */
export const next = (
  status: ChangeRequestStatus,
  event: ChangeRequestEvent
): Result.Result<ChangeRequestStatus, string> => {
  if (status === "merged") return Result.fail("The change request is merged, which is final")
  switch (event.type) {
    case "change":
      return Result.succeed(event.status ?? status)
    case "edit":
    case "update":
      return status === "archived"
        ? Result.fail("The change request is archived: open it again before you change its content")
        : Result.succeed(status)
    case "merge":
      return status === "archived"
        ? Result.fail("The change request is archived: open it again before you merge it")
        : Result.succeed("merged")
    case "check":
      return status === "archived"
        ? Result.fail("The change request is archived: open it again before it is checked")
        : Result.succeed(status)
    case "review":
      return status === "archived"
        ? Result.fail("The change request is archived: open it again before it is reviewed")
        : Result.succeed(status)
  }
}
