import type { Store } from "@lectern/adapter-contract/Harness"
import { storageSuites } from "@lectern/adapter-contract/suites"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { checks } from "../../core/test/Runs.ts"

const fresh = (): Store => {
  let failing = false
  const onCommit = () => {
    if (!failing) return
    failing = false
    throw new Error("there is no room left")
  }
  return {
    layer: MemoryStorage.layerWith({ onCommit }),
    failNextCommit: () => {
      failing = true
    }
  }
}

storageSuites("MemoryStorage", fresh, checks(40))
