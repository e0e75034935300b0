/** Declares that notifications and watches are deleted with their space. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { NotificationTable } from "./Notification.ts"
import { WatchTable } from "./Watch.ts"

export const notificationConcept = concept({
  spaceDependents: [rowsWhere(NotificationTable, (space) => ({ space })), rowsWhere(WatchTable, (space) => ({ space }))]
})
