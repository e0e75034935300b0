/**
 * A concept declares facts for services in `<Concept>Concept.ts` in its folder, and `Concepts.ts` collects them: its
 * events, the rows that are removed with a space or a site, the rows that reference objects, blobs and uploaded files,
 * and the tables with sealed fields.
 *
 * ```ts
 * export const pdfConcept = concept({
 *   spaceDependents: [rowsWhere(PdfTable, (space) => ({ space }))],
 *   roots: [root(PdfTable, ({ blob }) => ({ blobs: [blob] }))]
 * })
 * ```
 *
 * A concept contains tables, schemas and functions over the ports of storage. Services import it, so it imports no
 * services. The services are listed in `<Concept>Services.ts` (see `Services`).
 */
import type { EventKind } from "./event/EventKind.ts"
import type { GarbageRoot } from "./content/store/GarbageRoot.ts"
import type { SiteDependent } from "./site/SiteDependents.ts"
import type { RemoveSpaceDependents } from "./space/RemoveSpaceDependents.ts"
import type { Table } from "./storage/Table.ts"
import type { UploadUse } from "./upload/UploadUse.ts"

export interface Concept<Kind extends EventKind> {
  /** Events that the concept emits (see `Event`). */
  readonly events: ReadonlyArray<Kind>
  /** Rows that are removed with a space, in this order (see `SpaceRemoval`). */
  readonly spaceDependents: ReadonlyArray<RemoveSpaceDependents>
  /** Rows that are removed with a site in one transaction (see `SiteRemoval`). */
  readonly siteDependents: ReadonlyArray<SiteDependent>
  /** Rows that reference objects and blobs. Unreferenced ones are removed (see `GarbageCollection`). */
  readonly roots: ReadonlyArray<GarbageRoot>
  /** Rows that use uploaded files. Unused files are removed (see `UploadRetention`). */
  readonly uploadUses: ReadonlyArray<UploadUse>
  /** Tables with fields that `Secrets` seals. Only these tables can have sealed fields (see `SealedTables`). */
  readonly sealed: ReadonlyArray<Table>
}

export const concept = <Kind extends EventKind = never>(of: Partial<Concept<Kind>>): Concept<Kind> => ({
  events: [],
  spaceDependents: [],
  siteDependents: [],
  roots: [],
  uploadUses: [],
  sealed: [],
  ...of
})
