import type { Store } from "@lectern/adapter-contract/Harness"
import { storageSuites } from "@lectern/adapter-contract/suites"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Effect, Layer } from "effect"
import { checks } from "../../core/test/Runs.ts"
import { temporaryFile } from "./TemporaryFile.ts"

const fresh = (): Store => {
  let failing = false
  const onCommit = () => {
    if (!failing) return
    failing = false
    throw new Error("there is no room left")
  }
  return {
    layer: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename, onCommit }))),
    failNextCommit: () => {
      failing = true
    }
  }
}

storageSuites("SqliteStorage", fresh, checks(40))
