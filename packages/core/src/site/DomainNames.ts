/**
 * The port to the domain name system, for the proof that a hostname belongs to whoever wants it (see
 * `AddressProofs`). Without one nothing is looked up; `@lectern/services-node` has the adapter for Node.
 */
import { Context, Effect, Layer, Schema } from "effect"

/** No answer came, which says nothing about whether there is something. */
export class LookupFailed extends Schema.TaggedError<LookupFailed>()("LookupFailed", { message: Schema.String }) {}

export class DomainNames extends Context.Service<
  DomainNames,
  {
    /** The TXT records of a name, the parts of each joined; none where there is no such name. */
    readonly texts: (name: string) => Effect.Effect<ReadonlyArray<string>, LookupFailed>
    /** The addresses that a host leads to; none where there is no such host. */
    readonly addresses: (host: string) => Effect.Effect<ReadonlyArray<string>, LookupFailed>
    /** The addresses of this machine. */
    readonly own: Effect.Effect<ReadonlyArray<string>>
  }
>()("@lectern/core/site/DomainNames") {
  static readonly layer = Layer.sync(DomainNames, () => {
    const nothing = Effect.fail(
      new LookupFailed({ message: "This instance of Lectern looks up no names: its host has given it no DomainNames" })
    )
    return DomainNames.of({ texts: () => nothing, addresses: () => nothing, own: Effect.succeed([]) })
  })
}
