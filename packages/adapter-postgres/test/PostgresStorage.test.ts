/** PostgreSQL passes every suite. */
import { harnessOf } from "@lectern/adapter-contract/Harness"
import { foreignCommitsSuite, sharedStoreSuite } from "@lectern/adapter-contract/SharedStoreSuite"
import { storageSuites } from "@lectern/adapter-contract/suites"
import { checks } from "../../core/test/Runs.ts"
import { layer, openTwice, useServer } from "./OpenedStore.ts"

useServer()

storageSuites("PostgresStorage", harnessOf(layer), checks(10))
sharedStoreSuite("PostgresStorage", openTwice)
foreignCommitsSuite("PostgresStorage", openTwice)
