/** All suites of the ports that an adapter provides. */
import { afterCommitSuite } from "./AfterCommitSuite.ts"
import { blobStoreSuite } from "./BlobStoreSuite.ts"
import { concurrencySuite } from "./ConcurrencySuite.ts"
import { conditionSuite } from "./ConditionSuite.ts"
import type { Suite } from "./Harness.ts"
import { misuseSuite } from "./MisuseSuite.ts"
import { modelSuite } from "./ModelSuite.ts"
import { objectStoreSuite } from "./ObjectStoreSuite.ts"
import { pagingSuite } from "./PagingSuite.ts"
import { repositorySuite } from "./RepositorySuite.ts"
import { rowSuite } from "./RowSuite.ts"
import { searchIndexSuite } from "./SearchIndexSuite.ts"
import { secretKeySuite } from "./SecretKeySuite.ts"
import { stepsSuite } from "./StepsSuite.ts"
import { readsSuite } from "./ReadsSuite.ts"
import { transactionSuite } from "./TransactionSuite.ts"

const suites: ReadonlyArray<Suite> = [
  repositorySuite,
  rowSuite,
  conditionSuite,
  pagingSuite,
  modelSuite,
  transactionSuite,
  afterCommitSuite,
  misuseSuite,
  stepsSuite,
  concurrencySuite,
  readsSuite,
  objectStoreSuite,
  blobStoreSuite,
  searchIndexSuite,
  secretKeySuite
]

export const storageSuites: Suite = (name, harness, laws) => {
  for (const suite of suites) suite(name, harness, laws)
}
