/** Lists, creates, changes and deletes the SAML providers of an organization, for its administrators. */
import { Context, Effect, Layer } from "effect"
import type { Membership } from "../access/Access.ts"
import { changesOf } from "../audit/Changes.ts"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import { OidcProviderTable } from "./OidcProvider.ts"
import { presentOidcLogin } from "./OidcProviderPresenter.ts"
import {
  type SamlProvider,
  SamlProviderCreate,
  SamlProviderNotFound,
  SamlProviderPatch,
  type SamlProviderRow,
  SamlProviderTable,
  TooManySamlProviders
} from "./SamlProvider.ts"
import { SamlProtocol } from "./SamlProtocol.ts"
import { presentLogin, presentProvider } from "./SamlProviderPresenter.ts"
import { type InvalidDefaultTeam, maxProviders, SignOnProviderId, type SsoLogins } from "./SignOnProvider.ts"
import { makeSignOnProviders } from "./SignOnProviders.ts"
import { SignInWays } from "../token/SignInWays.ts"

const acceptCreate = accepting(SamlProviderCreate)
const acceptPatch = accepting(SamlProviderPatch)

type Failure = OrganizationNotFound | Forbidden | StorageError

/** Fields of a provider that the audit log records. `trust` stands for the certificate and the entity id. */
const auditedFields = ["label", "ssoURL", "entityID", "trust", "defaultRole", "defaultTeam"] as const

export class SamlProviders extends Context.Service<
  SamlProviders,
  {
    /**
     * Lists the SAML providers of an organization, oldest first.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<SamlProvider>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns a SAML provider of the organization to its administrators.
     *
     * @param id Id of the provider.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     * @throws {SamlProviderNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<SamlProvider, Failure | SamlProviderNotFound, CurrentActor>
    /**
     * Adds a SAML provider to an organization, for its administrators.
     *
     * @throws {Forbidden}
     * @throws {InvalidDefaultTeam} For a team of another organization.
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {TooManySamlProviders} If the organization has the maximum.
     */
    readonly create: (
      organization: OrganizationId,
      input: SamlProviderCreate
    ) => Effect.Effect<SamlProvider, Failure | InvalidInput | InvalidDefaultTeam | TooManySamlProviders, CurrentActor>
    /**
     * Changes a provider. A new `entityID` or certificate ends all sessions of the provider.
     *
     * @param id Id of the provider.
     * @throws {Forbidden}
     * @throws {InvalidDefaultTeam}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {SamlProviderNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      id: string,
      patch: SamlProviderPatch
    ) => Effect.Effect<SamlProvider, Failure | InvalidInput | InvalidDefaultTeam | SamlProviderNotFound, CurrentActor>
    /**
     * Deletes a provider and ends its sessions. Succeeds if it does not exist.
     *
     * @param id Id of the provider.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<void, Failure, CurrentActor>
    /**
     * Lists the active identity providers of an organization, SAML ones first, for all its members. Omits those of a
     * protocol that is off on this instance.
     *
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly logins: (organization: OrganizationId) => Effect.Effect<SsoLogins, Failure, CurrentActor>
  }
>()("@lectern/core/sso/SamlProviders") {
  static readonly layer = Layer.effect(
    SamlProviders,
    Effect.gen(function* () {
      const storage = yield* Storage
      const protocol = yield* SamlProtocol
      const ids = yield* Ids
      const events = yield* Events
      const paging = yield* Paging
      const publicUrl = yield* PublicUrl
      const organizations = yield* Organizations
      const { present, requireAdministrator, requireTeam } = yield* makeSignOnProviders
      const providers = storage.repository(SamlProviderTable)
      const ways = yield* SignInWays
      const oidcProviders = storage.repository(OidcProviderTable)

      const find = Effect.fnUntraced(function* (organization: OrganizationId, id: string) {
        const row = yield* providers.get({ id: SignOnProviderId.make(id) })
        if (row?.organization === organization) return row
        return yield* new SamlProviderNotFound({
          message: `There is no SAML provider ${id.slice(0, 50)} in this organization`
        })
      })

      /**
       * Rejects a certificate that cannot verify signatures. The check requires administrator permission, since its
       * result is informative.
       */
      const acceptCertificate = Effect.fnUntraced(function* (
        organization: OrganizationId,
        certificate: string | null | undefined
      ) {
        if (!certificate) return
        yield* requireAdministrator(organization)
        const problem = yield* protocol.problemOf(certificate)
        if (problem !== undefined) {
          return yield* new InvalidInput({ issues: [{ path: "body.certificate", message: problem }] })
        }
      })

      const presentRows = (rows: ReadonlyArray<SamlProviderRow>, member: Membership) =>
        present(rows, member, (row, team) => presentProvider(publicUrl, row, team))

      const presentOne = (row: SamlProviderRow, member: Membership) =>
        Effect.map(presentRows([row], member), ([provider]) => provider!)

      return SamlProviders.of({
        list: Effect.fn("SamlProviders.list")(function* (organization, params) {
          const member = yield* requireAdministrator(organization)
          const query = { where: { organization }, order: ["createdAt"] as const }
          const page = yield* paging.rows(SamlProviderTable, `saml providers of ${organization}`, query, params)
          return { ...page, items: yield* presentRows(page.items, member) }
        }),

        get: Effect.fn("SamlProviders.get")(function* (organization, id) {
          const member = yield* requireAdministrator(organization)
          return yield* presentOne(yield* find(organization, id), member)
        }),

        create: Effect.fn("SamlProviders.create")(function* (organization, rawInput) {
          const input = yield* acceptCreate(rawInput)
          yield* acceptCertificate(organization, input.certificate)
          const id = SignOnProviderId.make(yield* ids.next)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const member = yield* requireAdministrator(organization)
              yield* requireTeam(organization, input.defaultTeam)
              if ((yield* providers.count({ organization })) >= maxProviders) {
                return yield* new TooManySamlProviders({
                  message: `An organization has at most ${maxProviders} SAML providers`
                })
              }
              const row: SamlProviderRow = {
                ...input,
                id,
                organization,
                defaultRole:
                  input.defaultRole === undefined ? member.facts.organization.defaultRole : input.defaultRole,
                trust: yield* ids.next,
                createdAt: yield* Timestamps.now
              }
              yield* providers.insert(row).pipe(cannotConflict)
              yield* events.emit(
                { type: "saml_provider_created", organization, provider: id },
                { label: row.label, changes: changesOf({} as SamlProviderRow, row, auditedFields) }
              )
              return yield* presentOne(row, member)
            })
          )
        }),

        update: Effect.fn("SamlProviders.update")(function* (organization, id, rawInput) {
          const { ssoURL, entityID, certificate, defaultTeam, ...otherFields } = yield* acceptPatch(rawInput)
          yield* acceptCertificate(organization, certificate)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const member = yield* requireAdministrator(organization)
              const before = yield* find(organization, id)
              yield* requireTeam(organization, defaultTeam)
              const isTrustChanged =
                (entityID !== undefined && (entityID ?? undefined) !== before.entityID) ||
                (certificate !== undefined && (certificate ?? undefined) !== before.certificate)
              const changedFields = {
                ...otherFields,
                ...(ssoURL !== undefined && { ssoURL: ssoURL ?? undefined }),
                ...(entityID !== undefined && { entityID: entityID ?? undefined }),
                ...(certificate !== undefined && { certificate: certificate ?? undefined }),
                ...(defaultTeam !== undefined && { defaultTeam: defaultTeam ?? undefined }),
                ...(isTrustChanged && { trust: yield* ids.next })
              }
              if (!hasChanges(before, changedFields)) return yield* presentOne(before, member)
              yield* providers.update({ id: before.id }, changedFields)
              const updatedRow = yield* find(organization, id)
              yield* events.emit(
                { type: "saml_provider_updated", organization, provider: before.id },
                { label: updatedRow.label, changes: changesOf(before, updatedRow, auditedFields) }
              )
              return yield* presentOne(updatedRow, member)
            })
          )
        }),

        remove: Effect.fn("SamlProviders.remove")(function* (organization, id) {
          yield* storage.transaction(
            Effect.gen(function* () {
              yield* requireAdministrator(organization)
              const provider = SignOnProviderId.make(id)
              const row = yield* providers.get({ id: provider })
              if (row?.organization !== organization) return
              yield* providers.remove({ id: provider })
              yield* events.emit({ type: "saml_provider_deleted", organization, provider }, { label: row.label })
            })
          )
        }),

        logins: Effect.fn("SamlProviders.logins")(function* (organization) {
          yield* organizations.require(organization, "see this organization")
          const query = { where: { organization, status: "active" }, order: ["createdAt"] } as const
          const saml = ways.has("saml") ? yield* providers.list(query) : []
          const oidc = ways.has("oidc") ? yield* oidcProviders.list(query) : []
          return {
            items: [
              ...saml.map((row) => presentLogin(publicUrl, row)),
              ...oidc.map((row) => presentOidcLogin(publicUrl, row))
            ]
          }
        })
      })
    })
  )
}
