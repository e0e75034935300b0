/**
 * The states of a change request. `draft` and `open` may be edited and merged; an archived one can
 * be reopened; `merged` is final and reached by a merge alone.
 */
import { Result, Schema } from "effect"

export const ChangeRequestStatus = Schema.Literals(["draft", "open", "archived", "merged"])
export type ChangeRequestStatus = typeof ChangeRequestStatus.Type

/** Statuses that callers may ask for; `merged` is none of them. */
export const SettableStatus = Schema.Literals(["draft", "open", "archived"])

export type ChangeRequestEvent =
  /** A new subject, description or status. */
  | { readonly type: "change"; readonly status?: typeof SettableStatus.Type }
  /** New content, or a resolved conflict. */
  | { readonly type: "edit" }
  /** Pulling main in. */
  | { readonly type: "update" }
  | { readonly type: "merge" }
  /** A review, or a request for one. The state stays. */
  | { readonly type: "review" }

/** The state after the event, or why it can't happen. */
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
    case "review":
      return status === "archived"
        ? Result.fail("The change request is archived: open it again before it is reviewed")
        : Result.succeed(status)
  }
}
