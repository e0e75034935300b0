/** Events of visitors, written shortly afterwards in groups (see `WriteBatches`), since page views outnumber feasible commits. */
import { Context } from "effect"
import * as WriteBatches from "../storage/WriteBatches.ts"
import { wired } from "../wiring/Wired.ts"

export class InsightsRecords extends Context.Service<InsightsRecords, WriteBatches.WriteBatches>()(
  "@lectern/core/insights/InsightsRecords"
) {
  static readonly layer = wired(InsightsRecords, WriteBatches.make("Events of visitors could not be written"))
}
