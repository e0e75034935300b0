import { runs } from "../../../core/test/Runs.ts"
import { onEachAdapter } from "../Harness.ts"
import { fuzz } from "./Fuzzing.ts"
import { run, script } from "./TreeScript.ts"

onEachAdapter("Documents as trees", (it) => {
  fuzz(it, "are refused, or can be read in every form, written back and merged", script, runs(20, 500), run)
})
