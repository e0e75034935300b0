/** A store that answers late passes every suite, with messages that are lost, repeated and overtaken. */
import { afterCommitSuite } from "@lectern/adapter-contract/AfterCommitSuite"
import { harnessOf } from "@lectern/adapter-contract/Harness"
import { modelSuite } from "@lectern/adapter-contract/ModelSuite"
import { objectStoreSuite } from "@lectern/adapter-contract/ObjectStoreSuite"
import { repositorySuite } from "@lectern/adapter-contract/RepositorySuite"
import { foreignCommitsSuite, sharedStoreSuite } from "@lectern/adapter-contract/SharedStoreSuite"
import { storageSuites } from "@lectern/adapter-contract/suites"
import { transactionSuite } from "@lectern/adapter-contract/TransactionSuite"
import { checks } from "../../core/test/Runs.ts"
import * as LateStorage from "./late/LateStorage.ts"

const faults = { seed: 1, turns: 3, lose: 0.03, repeat: 0.1 }

const late = (options: LateStorage.Options) => harnessOf((onCommit) => LateStorage.layer({ ...options, onCommit }))

storageSuites("LateStorage", late(faults), checks(10))

const forgetful = { ...faults, forget: 0.3, refuse: 0.3 }

for (const suite of [repositorySuite, modelSuite, transactionSuite, afterCommitSuite, objectStoreSuite]) {
  suite("LateStorage that forgets and refuses", late(forgetful), checks(10))
}

sharedStoreSuite("LateStorage", LateStorage.twoClients(forgetful))
foreignCommitsSuite("LateStorage", LateStorage.twoClients(faults))
