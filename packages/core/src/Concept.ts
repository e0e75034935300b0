/**
 * Facts about a concept that its services and those of others go by, as `<Concept>Concept.ts` in its folder
 * declares them and `Concepts.ts` collects them: the events it tells of, what goes with a space or a site that is removed,
 * the rows that keep objects, blobs and uploaded files alive, and the tables with sealed fields.
 *
 * ```ts
 * export const pdfConcept = concept({
 *   spaceBelongings: [rowsWhere(PdfTable, (space) => ({ space }))],
 *   roots: [root(PdfTable, ({ blob }) => ({ blobs: [blob] }))]
 * })
 * ```
 *
 * All of it is tables, schemas and functions over the ports of storage: services import this, so a concept's file
 * imports none of them. The services themselves stand in `<Concept>Services.ts` (see `Services`).
 */
import type { EventKind } from "./event/EventKind.ts"
import type { GarbageRoot } from "./content/store/GarbageRoot.ts"
import type { SiteBelonging } from "./site/SiteBelonging.ts"
import type { SpaceBelonging } from "./space/SpaceBelonging.ts"
import type { Table } from "./storage/Table.ts"
import type { UploadUse } from "./upload/UploadUse.ts"

export interface Concept<Kind extends EventKind> {
  /** Events that the concept tells of (see `Event`). */
  readonly events: ReadonlyArray<Kind>
  /** Belongings of a space, removed with it in this order (see `SpaceRemoval`). */
  readonly spaceBelongings: ReadonlyArray<SpaceBelonging>
  /** Belongings of a site, removed with it in one transaction (see `SiteRemoval`). */
  readonly siteBelongings: ReadonlyArray<SiteBelonging>
  /** Rows that hold hashes of objects and blobs: what no row reaches is swept (see `GarbageCollection`). */
  readonly roots: ReadonlyArray<GarbageRoot>
  /** Rows that use uploaded files: what no row uses is removed (see `UploadRetention`). */
  readonly uploadUses: ReadonlyArray<UploadUse>
  /** Tables with fields that `Secrets` seals: those of others can't be sealed (see `SealedTables`). */
  readonly sealed: ReadonlyArray<Table>
}

export const concept = <Kind extends EventKind = never>(of: Partial<Concept<Kind>>): Concept<Kind> => ({
  events: [],
  spaceBelongings: [],
  siteBelongings: [],
  roots: [],
  uploadUses: [],
  sealed: [],
  ...of
})
