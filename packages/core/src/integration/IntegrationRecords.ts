/** Records of events that programs have answered, written a moment later in groups (see `GroupedWrites`). */
import { Context } from "effect"
import * as GroupedWrites from "../storage/GroupedWrites.ts"
import { wired } from "../wiring/Wired.ts"

export class IntegrationRecords extends Context.Service<IntegrationRecords, GroupedWrites.GroupedWrites>()(
  "@lectern/core/integration/IntegrationRecords"
) {
  static readonly layer = wired(IntegrationRecords, GroupedWrites.make("Records of integrations could not be written"))
}
