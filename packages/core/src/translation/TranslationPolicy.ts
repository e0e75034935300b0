/**
 * Permissions on translations. Readers of the source see a translation. Creating, changing, running and deleting one
 * requires the role `create` in the organization and `edit` on the source.
 *
 * All members see a translation without a source. If the source is in the trash, only members who may restore it see
 * its translations. If the source was transferred to another organization, only administrators see them, to delete
 * them.
 */
import { Effect } from "effect"
import { levelOn, type Membership } from "../access/Access.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { atLeast, type Role } from "../access/Role.ts"
import type { WireDocument } from "@lectern/document/wire/WireDocument"
import { empty } from "../content/documents/StoredDocument.ts"
import { Objects } from "../content/store/Objects.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { type SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import {
  type Translation,
  TranslationId,
  TranslationNotFound,
  type TranslationRow,
  TranslationTable
} from "./Translation.ts"

/** Minimum role in the organization, and on the source. */
export const rules = {
  "see this translation": { organization: null, source: "read" },
  "make a translation": { organization: "create", source: "edit" },
  "change this translation": { organization: "create", source: "edit" },
  "run this translation": { organization: "create", source: "edit" },
  "delete this translation": { organization: "create", source: "edit" }
} as const satisfies Record<string, { readonly organization: Role | null; readonly source: Role }>

export type TranslationAction = keyof typeof rules

export interface AuthorizedTranslation {
  readonly translation: TranslationRow
  readonly member: Membership
  /** The source. Undefined if the translation has no source or the source was deleted. */
  readonly source: SpaceRow | undefined
  /** The actor's level on the source. */
  readonly level: Role
}

/** Returns a member's level on the source of a translation; undefined if the member may not see the translation. */
export const levelOnSource = (
  translation: Pick<TranslationRow, "organization" | "source">,
  member: Membership,
  source: SpaceRow | undefined
): Role | undefined => {
  if (translation.source === undefined) return member.role ?? undefined
  if (source === undefined || source.removing === true || source.organization !== translation.organization) {
    return member.admin ? "admin" : undefined
  }
  const level = levelOn(member, source)
  return source.deletedAt === undefined || level === "admin" ? level : undefined
}

export const mayEdit = ({ member, level }: Pick<AuthorizedTranslation, "member" | "level">): boolean =>
  atLeast(member.role, rules["change this translation"].organization) &&
  atLeast(level, rules["change this translation"].source)

export const makeTranslationPolicy = Effect.gen(function* () {
  const storage = yield* Storage
  const organizations = yield* Organizations
  const translations = storage.repository(TranslationTable)
  const spaces = storage.repository(SpaceTable)

  const allow = (action: TranslationAction, member: Membership, level: Role) => {
    const required = rules[action]
    if (required.organization !== null && !atLeast(member.role, required.organization)) {
      return Effect.fail(
        new Forbidden({
          message: `To ${action}, you need the role ${required.organization} in the organization; ${member.role === null ? "you are a guest" : `your role is ${member.role}`}`
        })
      )
    }
    return atLeast(level, required.source)
      ? Effect.void
      : Effect.fail(
          new Forbidden({
            message: `To ${action}, you need the role ${required.source} on its source; your role is ${level}`
          })
        )
  }

  return {
    /** Returns a translation of the organization. Fails if the actor may not see it or the action is not allowed. */
    require: Effect.fnUntraced(function* (organization: OrganizationId, id: string, action: TranslationAction) {
      const { member } = yield* organizations.require(organization, "see this organization")
      const translation = yield* translations.get({ id: TranslationId.make(id) })
      const source = translation?.source && (yield* spaces.get({ id: translation.source.space }))
      const level = translation?.organization === organization ? levelOnSource(translation, member, source) : undefined
      if (translation === undefined || level === undefined) {
        return yield* new TranslationNotFound({
          message: `There is no translation ${id.slice(0, 100)} in this organization`
        })
      }
      yield* allow(action, member, level)
      return { translation, member, source, level }
    }),

    /** Returns the actor's membership if it may create translations. */
    requireCreator: Effect.fnUntraced(function* (organization: OrganizationId) {
      const { member } = yield* organizations.require(organization, "see this organization")
      yield* allow("make a translation", member, "admin")
      return member
    }),

    /** Returns the space if the member may translate it; undefined if the member does not see it. */
    source: Effect.fnUntraced(function* (organization: OrganizationId, member: Membership, id: SpaceId) {
      const space = yield* spaces.get({ id })
      const isAvailable = space?.organization === organization && space.deletedAt === undefined
      const level = isAvailable ? levelOn(member, space) : undefined
      if (level === undefined) return undefined
      yield* allow("make a translation", member, level)
      return space
    })
  }
})

type PresentedTranslation = Pick<AuthorizedTranslation, "translation" | "member" | "level">

/** Returns a function that converts translations with their instructions to resources. */
export const presentTranslations = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const objects = yield* Objects

  const present = (
    { translation, member, level }: PresentedTranslation,
    instructions: WireDocument | undefined
  ): Translation => {
    const { id, organization, status, source, language, result, untranslated, lastError, stats } = translation
    return {
      object: "translation",
      id,
      status,
      ...(source !== undefined && { source }),
      language,
      instructions: instructions ?? empty,
      ...(result !== undefined && { result: { ...result, language } }),
      untranslated,
      ...(lastError !== undefined && { lastError }),
      createdAt: translation.createdAt,
      updatedAt: translation.updatedAt,
      stats: {
        ...stats,
        totalDuration: Math.ceil(stats.totalDuration),
        latestRunDuration: Math.ceil(stats.latestRunDuration)
      },
      permissions: { view: true, edit: mayEdit({ member, level }) },
      urls: { location: `${publicUrl}/v1/orgs/${organization}/translations/${id}` }
    }
  }

  return Effect.fnUntraced(function* (translations: ReadonlyArray<PresentedTranslation>) {
    const documents = yield* objects.readAll<WireDocument>(
      translations.flatMap(({ translation: { instructions } }) => (instructions === undefined ? [] : [instructions]))
    )
    let readCount = 0
    return translations.map((one) =>
      present(one, one.translation.instructions === undefined ? undefined : documents[readCount++])
    )
  })
})
