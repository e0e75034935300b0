import { afterAll, describe, it } from "@effect/vitest"
import { losesNothing } from "./Kills.ts"
import { cleanUp } from "./LecternProcess.ts"

describe("durability", () => {
  afterAll(cleanUp)

  it("loses nothing that was acknowledged when it is killed ten times", () => losesNothing(10, 1_000))
})
