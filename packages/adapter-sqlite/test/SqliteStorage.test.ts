import { harnessOf } from "@lectern/adapter-contract/Harness"
import { storageSuites } from "@lectern/adapter-contract/suites"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Effect, Layer } from "effect"
import { checks } from "../../core/test/Runs.ts"
import { temporaryFile } from "./TemporaryFile.ts"

storageSuites(
  "SqliteStorage",
  harnessOf((onCommit) =>
    Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename, onCommit })))
  ),
  checks(40)
)
