import { runs } from "../../../core/test/Runs.ts"
import { onMemory } from "../Harness.ts"
import { fuzz } from "./Fuzzing.ts"
import { run, script } from "./RequestScript.ts"

onMemory("Requests of all kinds", (it) => {
  // What is asked one after the other is not made smaller: the last of it is what failed.
  fuzz(
    it,
    "are answered as described, and tell nothing of others",
    script(400),
    { ...runs(1, 60), endOnFailure: true },
    run
  )
})
