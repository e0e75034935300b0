/** Access to a thing changes only by somebody who may decide about it: on random trees, whatever is done. */
import { describe, it } from "@effect/vitest"
import { adapters } from "../Instances.ts"
import { runs } from "../Runs.ts"
import { laws } from "./AccessWorld.ts"

describe("Laws of access", () => {
  it.effect("nobody shows what it does not administer", () => laws(runs(40, 2_000), 30, adapters.memory))
})
