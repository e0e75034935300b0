/**
 * OpenID Connect providers of the whole server, which the operator configures. They are not stored.
 *
 * A provider signs in people with an account, and people with a pending invitation, by their verified e-mail address.
 * `newUsers` also admits everyone else. The session is the same as one by password: it is valid in all organizations of
 * the user, and needs a second factor if one is due. It ends if the provider gets another issuer or client id.
 *
 * Limits: 20 providers; ids of 1 to 20 characters, which differ from those of stored providers by their length; titles of
 * 1 to 30 characters. For the other fields, see `OidcProvider`.
 */
import { Context, Schema } from "effect"
import * as Text from "../schema/Text.ts"
import type { Hasher } from "../storage/Hasher.ts"
import { clientText, Issuer, settings } from "./OidcProvider.ts"
import { label, SignOnProviderId } from "./SignOnProvider.ts"

const ServerProviderId = Text.between(1, 20).check(
  Schema.isPattern(/^[a-z][a-z0-9-]*$/, {
    message: "Expected lower-case letters, digits and -, starting with a letter"
  })
)

export const ServerProvider = Schema.Struct({
  /** Name of the provider in URLs. */
  id: ServerProviderId,
  /** Name of the provider on the sign-in page. */
  title: label,
  issuer: Issuer,
  clientID: clientText,
  /** Absent for a public client. */
  clientSecret: Schema.optionalKey(Schema.RedactedFromValue(clientText)),
  ...settings,
  /** True to create a user for everyone who signs in. Default: false. */
  newUsers: Schema.optionalKey(Schema.Boolean)
})
export interface ServerProvider extends Schema.Schema.Type<typeof ServerProvider> {}

/** List of providers in the configuration. */
export const ServerProviderList = Schema.Array(ServerProvider).check(
  Schema.isMaxLength(20),
  Schema.makeFilter((providers: ReadonlyArray<ServerProvider>) =>
    new Set(providers.map(({ id }) => id)).size === providers.length ? undefined : "Expected each id once"
  )
)

/** Providers of the server. Default: none. */
export const ServerProviders = Context.Reference<ReadonlyArray<ServerProvider>>("@lectern/core/sso/ServerProviders", {
  defaultValue: () => []
})

/** A provider of the server with the identifier that changes with its issuer and client id (see `SignOnProvider`). */
export interface TrustedServerProvider extends Omit<ServerProvider, "id"> {
  readonly id: SignOnProviderId
  readonly trust: string
  readonly organization?: never
  readonly groupsClaim?: never
}

/** Returns the providers of the server by their ids. */
export const trustedProviders = (
  providers: ReadonlyArray<ServerProvider>,
  hasher: Hasher["Service"]
): ReadonlyMap<string, TrustedServerProvider> =>
  new Map(
    providers.map((provider) => [
      provider.id,
      {
        ...provider,
        id: SignOnProviderId.make(provider.id),
        trust: hasher.sha256(`${provider.issuer} ${provider.clientID}`)
      }
    ])
  )
