/**
 * Manages the fonts of organizations. Sites that use a font follow its changes. Sites that use a removed font keep it
 * until their setting changes.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { updateFontInSites } from "../customization/FontUpdates.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations, type AuthorizedOrganization } from "../organization/Organizations.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { publicPath } from "../upload/UploadUrl.ts"
import { uploadClaims } from "../upload/UploadClaims.ts"
import {
  type Font,
  FontCreate,
  FontNotFound,
  FontPatch,
  type FontRow,
  FontTable,
  maxFonts,
  TooManyFonts
} from "./Font.ts"
import { changed, type FaceChange } from "./FontFaces.ts"

const acceptCreate = accepting(FontCreate)
const acceptPatch = accepting(FontPatch)

type Failure = OrganizationNotFound | Forbidden | StorageError

export class Fonts extends Context.Service<
  Fonts,
  {
    /**
     * Lists the fonts of an organization, oldest first. For members.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<Font>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns a font of an organization.
     *
     * @param id Id of the font.
     * @throws {FontNotFound}
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<Font, Failure | FontNotFound, CurrentActor>
    /**
     * Creates a font from files that were uploaded as `customization_font`. For administrators.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput} Without a face of weight 400, and for a key that was not uploaded.
     * @throws {OrganizationNotFound}
     * @throws {TooManyFonts}
     */
    readonly create: (
      organization: OrganizationId,
      input: FontCreate
    ) => Effect.Effect<Font, Failure | InvalidInput | TooManyFonts, CurrentActor>
    /**
     * Changes the family or some faces of a font, also on sites that use the font. For administrators.
     *
     * @param id Id of the font.
     * @throws {FontNotFound}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      id: string,
      patch: FontPatch
    ) => Effect.Effect<Font, Failure | FontNotFound | InvalidInput, CurrentActor>
    /**
     * Removes a font and returns true if it existed. For administrators.
     *
     * @param id Id of the font.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<boolean, Failure, CurrentActor>
  }
>()("@lectern/core/font/Fonts") {
  static readonly layer = Layer.effect(
    Fonts,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const organizations = yield* Organizations
      const setSites = yield* updateFontInSites
      const paging = yield* Paging
      const publicUrl = yield* PublicUrl
      const uploads = yield* uploadClaims
      const rows = storage.repository(FontTable)

      const present = ({ organization, id, fontFamily, faces }: FontRow, { member }: AuthorizedOrganization): Font => ({
        id,
        custom: true,
        fontFamily,
        fontFaces: faces.map(({ weight, blob, format }) => ({
          weight,
          sources: [{ url: `${publicUrl}${publicPath({ organization }, blob)}`, format }]
        })),
        permissions: { edit: member.admin }
      })

      const find = Effect.fnUntraced(function* (organization: OrganizationId, id: string) {
        const row = yield* rows.get({ id })
        if (row?.organization === organization) return row
        return yield* new FontNotFound({ message: `There is no font ${id.slice(0, 50)}` })
      })

      /** The faces after changes that name uploaded files. */
      const facesOf = Effect.fnUntraced(function* (
        organization: OrganizationId,
        before: FontRow["faces"],
        wanted: NonNullable<FontPatch["fontFaces"]>
      ) {
        const facesWithKey = wanted.flatMap(({ storageKey }, i) => (storageKey === null ? [] : [{ storageKey, i }]))
        const files = yield* uploads.byKey(
          organization,
          "customization_font",
          facesWithKey.map(({ storageKey }) => storageKey),
          (n) => `body.fontFaces[${facesWithKey[n]!.i}].storageKey`
        )
        const uploadsById = new Map(files.map((file) => [file.id, file]))
        const changes = wanted.map(({ weight, storageKey }): FaceChange => {
          if (storageKey === null) return { weight, face: null }
          const { id, blob, contentType } = uploadsById.get(storageKey)!
          return { weight, face: { weight, upload: id, blob, format: contentType === "font/woff2" ? "woff2" : "woff" } }
        })
        const faces = changed(before, changes)
        if (typeof faces !== "string") return faces
        return yield* new InvalidInput({ issues: [{ path: "body.fontFaces", message: faces }] })
      })

      const manage = (organization: OrganizationId) =>
        organizations.require(organization, "manage the fonts of this organization")

      return Fonts.of({
        list: Effect.fn("Fonts.list")(function* (organization, params) {
          const authorized = yield* organizations.require(organization, "see this organization")
          const page = yield* paging.rows(FontTable, `fonts of ${organization}`, { where: { organization } }, params)
          return { ...page, items: page.items.map((row) => present(row, authorized)) }
        }),

        get: Effect.fn("Fonts.get")(function* (organization, id) {
          const authorized = yield* organizations.require(organization, "see this organization")
          return present(yield* find(organization, id), authorized)
        }),

        create: Effect.fn("Fonts.create")(function* (organization, rawInput) {
          const { fontFamily, fontFaces } = yield* acceptCreate(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* manage(organization)
              if ((yield* rows.count({ organization })) >= maxFonts) {
                return yield* new TooManyFonts({ message: `An organization has at most ${maxFonts} fonts` })
              }
              const row: FontRow = {
                id: yield* ids.next,
                organization,
                fontFamily,
                faces: yield* facesOf(organization, [], fontFaces),
                createdAt: yield* Timestamps.now
              }
              yield* rows.insert(row).pipe(cannotConflict)
              return present(row, authorized)
            })
          )
        }),

        update: Effect.fn("Fonts.update")(function* (organization, id, rawInput) {
          const { fontFamily, fontFaces } = yield* acceptPatch(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* manage(organization)
              const before = yield* find(organization, id)
              const patch = {
                ...(fontFamily !== undefined && { fontFamily }),
                ...(fontFaces !== undefined && { faces: yield* facesOf(organization, before.faces, fontFaces) })
              }
              yield* rows.update({ id }, patch)
              const font = present({ ...before, ...patch }, authorized)
              const { permissions: _, ...definition } = font
              yield* setSites(organization, definition)
              return font
            })
          )
        }),

        remove: Effect.fn("Fonts.remove")(function* (organization, id) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              yield* manage(organization)
              return (yield* rows.remove({ id, organization })) > 0
            })
          )
        })
      })
    })
  )
}
