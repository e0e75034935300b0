/** Events of visitors, written shortly afterwards in groups (see `WriteBatches`), since page views outnumber feasible commits. */
import { Context, Layer } from "effect"
import * as WriteBatches from "../storage/WriteBatches.ts"

export class InsightsRecords extends Context.Service<InsightsRecords, WriteBatches.WriteBatches>()(
  "@lectern/core/insights/InsightsRecords"
) {
  static readonly layer = Layer.effect(InsightsRecords, WriteBatches.make("Events of visitors could not be written"))
}
