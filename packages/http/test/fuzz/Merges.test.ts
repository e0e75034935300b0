import { runs } from "../../../core/test/Runs.ts"
import { onEachAdapter } from "../Harness.ts"
import { fuzz } from "./Fuzzing.ts"
import { run, script } from "./MergeScript.ts"

onEachAdapter("Content that two sides write", (it) => {
  fuzz(it, "can be compared, brought together and merged, and nothing is lost", script, runs(8, 300), run)
})
