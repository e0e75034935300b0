/**
 * Which URLs of other websites are broken, for the lists of links. Those of an organization are few
 * and seldom change, so they are kept in memory by version (100 organizations) and cost a list
 * nothing. Where checks are off, none is broken, whatever was found before.
 */
import { Context, Effect } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { Versions } from "../version/Versions.ts"
import { LinkCheckTable, scopeOf } from "./LinkCheck.ts"
import { wired } from "../wiring/Wired.ts"

const keptOrganizations = 100

/** Asks for URLs of other websites, to tell which links are broken. Default: false. */
export const ChecksLinks = Context.Reference<boolean>("@lectern/core/link-check/ChecksLinks", {
  defaultValue: () => false
})

const none: ReadonlySet<string> = new Set()

export class LinkChecks extends Context.Service<
  LinkChecks,
  {
    /**
     * Lists the URLs of other websites that the pages of an organization link to and that are broken, in
     * their order, without fragments; none where checks are off. URLs stand in pages that not
     * everybody may see, so it is for the host application alone (`Forbidden` otherwise).
     */
    readonly list: (
      organization: OrganizationId
    ) => Effect.Effect<ReadonlyArray<string>, Forbidden | StorageError, CurrentActor>
    /** Answers the same as a set, for whoever shows links that the actor may see, as `LinkCheck.urlOf` names them. */
    readonly broken: (organization: OrganizationId) => Effect.Effect<ReadonlySet<string>, StorageError>
  }
>()("@lectern/core/link-check/LinkChecks") {
  static readonly layer = wired(
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
      if (!(yield* ChecksLinks)) return listing(() => Effect.succeed(none))
      const checks = (yield* Storage).repository(LinkCheckTable)
      const kept = (yield* Versions).keep<ReadonlySet<string>>(keptOrganizations)
      return listing((organization) =>
        Effect.map(
          kept(organization, scopeOf(organization), () =>
            Effect.map(
              checks.list({ where: { organization, state: "broken" } }),
              (rows) => new Set(rows.map(({ url }) => url))
            )
          ),
          (urls) => urls ?? none
        )
      )
    }),
    [Versions.layer]
  )
}
