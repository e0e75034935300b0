/**
 * Everything that Node brings to Lectern, as options of `Lectern.layer` and `SqliteLectern.open`: guarded fetching,
 * Git, imports, PDFs, SAML, names and threads. An option of your own beside them takes the place of one.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db", ...NodeServices.layers() })
 * ```
 *
 * Defaults: those of each service; private addresses are not reached.
 */
import type { AllowedHosts } from "@lectern/core/fetch/Addresses"
import type { LecternOptions } from "@lectern/core/Lectern"
import { NodeFetch, type NodeFetchOptions } from "./fetch/NodeFetch.ts"
import { NodeGitRemote, type NodeGitRemoteOptions } from "./git/NodeGitRemote.ts"
import { NodePdfWriter, type NodePdfWriterOptions } from "./pdf/NodePdfWriter.ts"
import { NodeSaml } from "./saml/NodeSaml.ts"
import { NodeDomainNames, type NodeDomainNamesOptions } from "./site/NodeDomainNames.ts"
import { NodeSourceReader, type NodeSourceReaderOptions } from "./source/NodeSourceReader.ts"
import { NodeThreads, type NodeThreadsOptions } from "./thread/NodeThreads.ts"

export interface NodeServicesOptions {
  /**
   * Names, addresses and ranges (`10.0.0.0/8`) that URLs and repositories may lead to although they are private:
   * a list, or `AllowedHosts` that may be replaced meanwhile.
   */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
  /** Name servers. */
  readonly domainNames?: NodeDomainNamesOptions
  readonly fetch?: Pick<NodeFetchOptions, "knownName">
  /** Bounds of a repository. */
  readonly gitRemote?: Pick<NodeGitRemoteOptions, "limits" | "program">
  /** Bounds of a PDF: time, memory. */
  readonly pdfWriter?: NodePdfWriterOptions
  /** Bounds of an import's pages, documents and archives: time, memory. */
  readonly sourceReader?: NodeSourceReaderOptions
  /** Number and bounds of the threads that compute. */
  readonly threads?: NodeThreadsOptions
}

const layers = ({ allowedPrivateHosts = [], ...options }: NodeServicesOptions = {}) =>
  ({
    domainNames: NodeDomainNames.layer(options.domainNames),
    fetch: NodeFetch.layer({ ...options.fetch, allowedPrivateHosts }),
    gitRemote: NodeGitRemote.layer({ ...options.gitRemote, allowedPrivateHosts }),
    pdfWriter: NodePdfWriter.layer(options.pdfWriter),
    saml: NodeSaml.layer,
    sourceReader: NodeSourceReader.layer(options.sourceReader),
    threads: NodeThreads.layer(options.threads)
  }) satisfies LecternOptions

export const NodeServices = { layers }
