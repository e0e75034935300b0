import { runs } from "../../../core/test/Runs.ts"
import { onMemory } from "../Harness.ts"
import { fuzz } from "./Fuzzing.ts"
import { run, script } from "./RequestScript.ts"

onMemory("Requests of all kinds", (it) => {
  // Sequences of requests are not shrunk: the last request is the failing one.
  fuzz(
    it,
    "are answered as described, and tell nothing of others",
    script(400),
    { ...runs(1, 60), endOnFailure: true },
    run
  )
})
