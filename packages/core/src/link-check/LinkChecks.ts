/**
 * Broken URLs of other websites, for lists of links. An organization has few, so they are cached, for 100
 * organizations, until one of its checks is written. If checks are disabled, no URL is reported as broken.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { LinkCheckTable } from "./LinkCheck.ts"

const maxCachedOrganizations = 100

/** True to check URLs of other websites for broken links. Default: false. */
export const ChecksLinks = Context.Reference<boolean>("@lectern/core/link-check/ChecksLinks", {
  defaultValue: () => false
})

const noUrls: ReadonlySet<string> = new Set()

export class LinkChecks extends Context.Service<
  LinkChecks,
  {
    /**
     * Lists the broken URLs of other websites that the pages of an organization link to, sorted, without fragments. An
     * empty list if checks are disabled.
     *
     * @throws {Forbidden} For all actors except the host application, because not everybody may see the pages.
     */
    readonly list: (
      organization: OrganizationId
    ) => Effect.Effect<ReadonlyArray<string>, Forbidden | StorageError, CurrentActor>
    /**
     * Returns the broken URLs as a set, in the form of `LinkCheck.urlOf`. Callers must filter by the permissions of the
     * actor.
     */
    readonly broken: (organization: OrganizationId) => Effect.Effect<ReadonlySet<string>, StorageError>
  }
>()("@lectern/core/link-check/LinkChecks") {
  static readonly layer = Layer.effect(
    LinkChecks,
    Effect.gen(function* () {
      const listing = (broken: LinkChecks["Service"]["broken"]) =>
        LinkChecks.of({
          broken,
          list: (organization) =>
            Effect.andThen(
              requireHost("list the broken links of an organization"),
              Effect.map(broken(organization), (urls) => [...urls].toSorted())
            )
        })
      if (!(yield* ChecksLinks)) return listing(() => Effect.succeed(noUrls))
      const checks = (yield* Storage).repository(LinkCheckTable)
      const cachedBrokenUrls = yield* ReadCache.make<ReadonlySet<string>>(maxCachedOrganizations)
      return listing((organization) =>
        cachedBrokenUrls(
          organization,
          Effect.map(
            checks.list({ where: { organization, state: "broken" } }),
            (rows) => new Set(rows.map(({ url }) => url))
          )
        )
      )
    })
  )
}
