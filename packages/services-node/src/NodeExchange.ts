/**
 * Imports, exports and Git on Node: the extension `Exchange` with a reader of HTML, Word documents and archives in a
 * thread, and with Git repositories over HTTP.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({
 *   file: "lectern.db",
 *   ...NodeServices.layers(),
 *   extensions: [NodeExchange.extension()]
 * })
 * ```
 *
 * Defaults: those of each service. Private addresses are not reachable.
 */
import type { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { durationNames } from "@lectern/core/time/DurationLike"
import * as Exchange from "@lectern/exchange/Exchange"
import { NodeGitRemote, type NodeGitRemoteOptions } from "./git/NodeGitRemote.ts"
import { NodeSourceReader, type NodeSourceReaderOptions } from "./source/NodeSourceReader.ts"

export interface NodeExchangeOptions extends Pick<Exchange.ExchangeOptions, "imports"> {
  /**
   * Private names, addresses and ranges (such as `10.0.0.0/8`) that repositories may lead to. A list, or
   * `AllowedHosts`, whose entries may change later. Default: none.
   */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
  /** Limits of a repository, and the program `git`. */
  readonly gitRemote?: Pick<NodeGitRemoteOptions, "limits" | "program">
  /** Limits of an import's pages, documents and archives: time, memory. */
  readonly sourceReader?: NodeSourceReaderOptions
}

const optionNames: OptionNames<NodeExchangeOptions> = {
  allowedPrivateHosts: true,
  gitRemote: {
    limits: {
      maxFetchBytes: true,
      maxMemoryBytes: true,
      maxObjects: true,
      maxObjectBytes: true,
      maxUnpackedBytes: true
    },
    program: { command: true, maxFetchBytes: true, maxSilence: true, above: true }
  },
  imports: true,
  sourceReader: { pageTimeout: durationNames, documentTimeout: durationNames, maxMemory: true }
}

/** Creates the extension. Throws `InvalidInput` for an unknown option. */
const extension = (allOptions: NodeExchangeOptions = {}): Exchange.Exchange => {
  checkOptions(optionNames, allOptions)
  const { allowedPrivateHosts = [], gitRemote, sourceReader, ...options } = allOptions
  return Exchange.extension({
    ...options,
    gitRemote: NodeGitRemote.layer({ ...gitRemote, allowedPrivateHosts }),
    sourceReader: NodeSourceReader.layer(sourceReader)
  })
}

export const NodeExchange = { extension }
