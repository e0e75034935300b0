/**
 * Creates the site of a folder: its sections and variants, the customization and redirects. A part that the site refuses
 * is reported with its position in the file, and the rest is created.
 */
import type { CurrentActor } from "@lectern/core/access/Actor"
import { Customizations } from "@lectern/core/customization/Customizations"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Redirects } from "@lectern/core/redirect/Redirects"
import type { SiteId } from "@lectern/core/site/Site"
import { SiteSectionGroups } from "@lectern/core/site/SiteSectionGroups"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import type { SiteSectionId, SiteSpaceId } from "@lectern/core/site/SiteStructure"
import { Sites } from "@lectern/core/site/Sites"
import type { SpaceId } from "@lectern/core/space/Space"
import { StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import type { Finding, ResolvedSection, ResolvedSite, ResolvedVariant } from "./ResolvedSite.ts"
import type { ItemPath } from "./SiteFile.ts"

export interface CreatedSite {
  readonly site: SiteId
  /** Site spaces by space. A space in several sections has its first one. */
  readonly siteSpaces: ReadonlyMap<string, SiteSpaceId>
  readonly findings: ReadonlyArray<Finding>
}

export const create = Effect.fnUntraced(function* (
  organization: OrganizationId,
  { title, sections, groups, variants, customization, redirects }: ResolvedSite
): Effect.fn.Return<
  CreatedSite,
  StorageError,
  CurrentActor | Sites | SiteSections | SiteSectionGroups | SiteSpaces | Customizations | Redirects
> {
  const sites = yield* Sites
  const siteSections = yield* SiteSections
  const siteSpaces = yield* SiteSpaces
  const findings: Array<Finding> = []
  /** Runs a change. Returns undefined, and reports the reason, if the site refuses it. */
  const attempt = <A, E extends { readonly message: string }, R>(
    change: Effect.Effect<A, E | StorageError, R>,
    at: ItemPath
  ): Effect.Effect<A | undefined, StorageError, R> =>
    Effect.catch(change, (error) => {
      if (error instanceof StorageError) return Effect.fail(error)
      findings.push({ at, rule: "invalid-settings", message: messageOf(error) })
      return Effect.undefined
    })

  const { id: site } = yield* Effect.orDie(sites.create(organization, { title }))
  const ids = new Map<string, SiteSpaceId>()

  const setVariant = Effect.fnUntraced(function* (variant: ResolvedVariant, siteSpace: SiteSpaceId) {
    const { at, condition, customization, path, space } = variant
    if (!ids.has(space)) ids.set(space, siteSpace)
    if (path !== undefined || condition !== undefined) {
      const patch = { ...(path !== undefined && { path }), ...(condition !== undefined && { condition }) }
      yield* attempt(siteSpaces.update(organization, site, siteSpace, patch), at)
    }
    if (customization !== undefined) {
      const settings = yield* Customizations
      yield* attempt(settings.patchOfSiteSpace(organization, site, siteSpace, customization), [...at, "customization"])
    }
  })
  /** Adds variants to a section or to the root. Returns the id of the default one. */
  const addVariants = Effect.fnUntraced(function* (
    variants: ReadonlyArray<ResolvedVariant>,
    section: { readonly sectionId: SiteSectionId } | undefined
  ) {
    let defaultId: SiteSpaceId | undefined
    for (const variant of variants) {
      const spaceId = variant.space as SpaceId
      const added = yield* attempt(siteSpaces.add(organization, site, { spaceId, ...section }), variant.at)
      if (added === undefined) continue
      yield* setVariant(variant, added.id)
      if (variant.isDefault) defaultId ??= added.id
    }
    return defaultId
  })

  const addSection = Effect.fnUntraced(function* (section: ResolvedSection) {
    const { at, condition, description, icon, path, title, variants } = section
    const [first, ...others] = variants
    const input = {
      title,
      ...(icon != null && { icon }),
      ...(description != null && { description }),
      ...(condition != null && { condition }),
      ...(path !== undefined && { path }),
      spaceId: first!.space as SpaceId
    }
    const created = yield* attempt(siteSections.create(organization, site, input), at)
    if (created === undefined) return undefined
    yield* setVariant(first!, created.siteSpaces[0]!.id)
    const defaultId = yield* addVariants(others, { sectionId: created.id })
    if (defaultId !== undefined && !first!.isDefault)
      yield* attempt(siteSections.update(organization, site, created.id, { defaultSiteSpace: defaultId }), at)
    return created.id
  })

  const sectionIds: Array<SiteSectionId | undefined> = []
  for (const [i, section] of sections.entries()) {
    sectionIds.push(yield* addSection(section))
    const group = groups.find(({ position }) => position === section.group)
    // A group is created at the end, so it is created when its last section exists.
    if (group === undefined || sections[i + 1]?.group === section.group) continue
    const members = sectionIds.filter((id, j) => id !== undefined && sections[j]!.group === section.group)
    yield* attempt(
      (yield* SiteSectionGroups).create(organization, site, {
        title: group.title,
        ...(group.icon != null && { icon: group.icon }),
        sections: members as ReadonlyArray<SiteSectionId>
      }),
      ["sections", group.position]
    )
  }
  const defaultSection = sectionIds[sections.findIndex(({ isDefault }) => isDefault)]
  if (defaultSection !== undefined)
    yield* attempt(sites.update(organization, site, { defaultSiteSection: defaultSection }), ["sections"])
  const defaultVariant = yield* addVariants(variants, undefined)
  if (defaultVariant !== undefined && variants.length > 1)
    yield* attempt(sites.update(organization, site, { defaultSiteSpace: defaultVariant }), ["variants"])

  yield* attempt((yield* Customizations).put(organization, site, customization), ["customization"])
  for (const { at, destination, ...redirect } of redirects) {
    const siteSpaceId = "space" in destination ? ids.get(destination.space) : undefined
    if ("space" in destination && siteSpaceId === undefined) continue
    const target =
      "url" in destination
        ? { kind: "external" as const, url: destination.url }
        : destination.page === undefined
          ? { kind: "site-space" as const, siteSpaceId: siteSpaceId! }
          : { kind: "site-page" as const, siteSpaceId: siteSpaceId!, pageId: destination.page as PageId }
    yield* attempt((yield* Redirects).create(organization, site, { ...redirect, destination: target }), at)
  }
  yield* Effect.orDie(sites.publish(organization, site))
  return { site, siteSpaces: ids, findings }
})

type PageId = Extract<
  Parameters<Redirects["Service"]["create"]>[2]["destination"],
  { readonly kind: "site-page" }
>["pageId"]

/** Returns the message of an error without the sentence that introduces its first issue. */
const messageOf = (error: { readonly message: string }): string => {
  const [issue] = "issues" in error ? (error.issues as ReadonlyArray<{ readonly message: string }>) : []
  return issue?.message ?? error.message
}
