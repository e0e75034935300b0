/**
 * All services that Node provides to the core, as options of `Lectern.layer` and `SqliteLectern.open`: guarded fetching,
 * PDFs, SAML, OpenID Connect, domain names and threads. A host replaces a service with an option of its own after these.
 * `NodeExchange` adds imports and Git.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db", ...NodeServices.layers() })
 * ```
 *
 * Defaults: those of each service. Private addresses are not reachable.
 */
import type { AllowedHosts } from "@lectern/core/fetch/Addresses"
import type { LecternOptions } from "@lectern/core/Lectern"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { durationNames } from "@lectern/core/time/DurationLike"
import { NodeFetch, type NodeFetchOptions } from "./fetch/NodeFetch.ts"
import { NodeOidc } from "./oidc/NodeOidc.ts"
import { NodePdfWriter, type NodePdfWriterOptions } from "./pdf/NodePdfWriter.ts"
import { NodeSaml } from "./saml/NodeSaml.ts"
import { NodeDomainNames, type NodeDomainNamesOptions } from "./site/NodeDomainNames.ts"
import { NodeThreads, type NodeThreadsOptions } from "./thread/NodeThreads.ts"

export interface NodeServicesOptions {
  /**
   * Private names, addresses and ranges (such as `10.0.0.0/8`) that URLs may lead to. A list, or
   * `AllowedHosts`, whose entries may change later. Default: none.
   */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
  /** Name servers for TXT records. */
  readonly domainNames?: NodeDomainNamesOptions
  readonly fetch?: Pick<NodeFetchOptions, "existingName">
  /** Limits of a PDF: time, memory. */
  readonly pdfWriter?: NodePdfWriterOptions
  /** Number and limits of the computation threads. */
  readonly threads?: NodeThreadsOptions
}

const optionNames: OptionNames<NodeServicesOptions> = {
  allowedPrivateHosts: true,
  domainNames: { servers: true },
  fetch: { existingName: true },
  pdfWriter: { timeout: durationNames, maxMemory: true, renderTimeout: durationNames },
  threads: { count: true, inPlace: true, maxMemory: true, timeout: durationNames, idle: durationNames }
}

/** Creates the options. Throws `InvalidInput` for an unknown option. */
const layers = (allOptions: NodeServicesOptions = {}) => {
  checkOptions(optionNames, allOptions)
  const { allowedPrivateHosts = [], ...options } = allOptions
  return {
    domainNames: NodeDomainNames.layer(options.domainNames),
    fetch: NodeFetch.layer({ ...options.fetch, allowedPrivateHosts }),
    pdfWriter: NodePdfWriter.layer(options.pdfWriter),
    saml: NodeSaml.layer,
    oidc: NodeOidc.layer({ allowedPrivateHosts }),
    threads: NodeThreads.layer(options.threads)
  } satisfies LecternOptions
}

export const NodeServices = { layers }
