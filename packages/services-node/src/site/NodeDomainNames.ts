/**
 * Implements `DomainNames` on Node: TXT records by the name servers of this machine, and addresses by the system's
 * resolver.
 *
 * Limits: 3 seconds and two attempts per name server, 100 TXT records of 1,024 characters.
 */
import { lookup, Resolver } from "node:dns/promises"
import { networkInterfaces } from "node:os"
import { DomainNames, LookupFailed } from "@lectern/core/site/DomainNames"
import { Effect, Layer } from "effect"

export interface NodeDomainNamesOptions {
  /** Name servers for TXT records, such as `127.0.0.1:5353`. Default: the name servers of the operating system. */
  readonly servers?: ReadonlyArray<string>
}

const timeout = 3_000
const tries = 2
const maxRecords = 100
const maxLength = 1024

const noRecordCodes = new Set(["ENODATA", "ENOTFOUND"])

const resolveRecords = <A>(host: string, resolve: (signal: AbortSignal) => Promise<ReadonlyArray<A>>) =>
  Effect.tryPromise({ try: resolve, catch: (thrown) => (thrown as NodeJS.ErrnoException).code ?? "" }).pipe(
    Effect.catch((code) =>
      noRecordCodes.has(code)
        ? Effect.succeed([])
        : Effect.fail(
            new LookupFailed({
              message: `The name servers of ${host.slice(0, 100)} give no answer (${code || "unknown reason"})`
            })
          )
    )
  )

export const NodeDomainNames = {
  layer: ({ servers }: NodeDomainNamesOptions = {}) =>
    Layer.succeed(
      DomainNames,
      DomainNames.of({
        texts: (name) =>
          resolveRecords(name, async (signal) => {
            const resolver = new Resolver({ timeout, tries })
            if (servers !== undefined) resolver.setServers(servers)
            signal.addEventListener("abort", () => resolver.cancel())
            const records = await resolver.resolveTxt(name)
            return records.slice(0, maxRecords).map((parts) => parts.join("").slice(0, maxLength))
          }),
        addresses: (host) =>
          resolveRecords(host, async () => (await lookup(host, { all: true })).map(({ address }) => address)),
        ownAddresses: Effect.sync(() =>
          Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
        )
      })
    )
}
