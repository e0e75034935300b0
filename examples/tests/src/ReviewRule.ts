/** A rule of the application: another user than the author approves a change request before it is merged. */
import type { PromisedHooks } from "@lectern/core/EmbeddedLectern"
import { RefusedByHost } from "@lectern/core/hook/BeforeHooks"

/** Hooks for the option `before` of `SqliteLectern.open`. */
export const reviewRule: PromisedHooks = {
  merge: async ({ space, changeRequest, createdBy }, { lectern }) => {
    const { items } = await lectern.changeRequests.reviews.list(space, changeRequest, {})
    const approvals = items.filter(({ status, outdated }) => status === "approved" && !outdated)
    if (!approvals.some(({ reviewer }) => reviewer.id !== createdBy))
      throw new RefusedByHost({ message: "Somebody else has to approve it first" })
  }
}
