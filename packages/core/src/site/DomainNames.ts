/**
 * Port to the domain name system, for proofs of hostnames (see `AddressProofs`). The default adapter fails every
 * lookup; `@lectern/services-node` contains the adapter for Node.
 */
import { Context, Effect, Layer, Schema } from "effect"

/** Raised if a lookup got no response. The name may or may not exist. */
export class LookupFailed extends Schema.TaggedError<LookupFailed>()("LookupFailed", { message: Schema.String }) {}

export class DomainNames extends Context.Service<
  DomainNames,
  {
    /** Returns the TXT records of a name, each with its parts joined; an empty array if the name does not exist. */
    readonly texts: (name: string) => Effect.Effect<ReadonlyArray<string>, LookupFailed>
    /** Returns the IP addresses of a host; an empty array if the host does not exist. */
    readonly addresses: (host: string) => Effect.Effect<ReadonlyArray<string>, LookupFailed>
    /** IP addresses of this machine. */
    readonly ownAddresses: Effect.Effect<ReadonlyArray<string>>
  }
>()("@lectern/core/site/DomainNames") {
  static readonly layer = Layer.sync(DomainNames, () => {
    const lookupFailed = Effect.fail(
      new LookupFailed({ message: "This instance of Lectern looks up no names: its host has given it no DomainNames" })
    )
    return DomainNames.of({
      texts: () => lookupFailed,
      addresses: () => lookupFailed,
      ownAddresses: Effect.succeed([])
    })
  })
}
