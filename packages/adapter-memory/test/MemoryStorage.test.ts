import { harnessOf } from "@lectern/adapter-contract/Harness"
import { storageSuites } from "@lectern/adapter-contract/suites"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { checks } from "../../core/test/Runs.ts"

storageSuites(
  "MemoryStorage",
  harnessOf((onCommit) => MemoryStorage.layerWith({ onCommit })),
  checks(40)
)
