/**
 * Events of visitors, written a moment later in groups (see `GroupedWrites`): there are many more views of pages
 * than there should be commits.
 */
import { Context } from "effect"
import * as GroupedWrites from "../storage/GroupedWrites.ts"
import { wired } from "../wiring/Wired.ts"

export class InsightsRecords extends Context.Service<InsightsRecords, GroupedWrites.GroupedWrites>()(
  "@lectern/core/insights/InsightsRecords"
) {
  static readonly layer = wired(InsightsRecords, GroupedWrites.make("Events of visitors could not be written"))
}
