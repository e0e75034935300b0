/** The toy of `docs/guides/write-an-adapter.md` passes every suite, as that page promises. */
import { storageSuites } from "@lectern/adapter-contract/suites"
import * as ToyStorage from "./ToyStorage.ts"

storageSuites("ToyStorage", () => {
  let failing = false
  const onCommit = () => {
    if (!failing) return
    failing = false
    throw new Error("there is no room left")
  }
  return {
    layer: ToyStorage.layer({ onCommit }),
    failNextCommit: () => {
      failing = true
    }
  }
})
