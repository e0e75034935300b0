/** Services for reading, editing, importing and exporting content, and for its storage. */
import { offer, type Services } from "../Services.ts"
import { ComputedReads } from "./ComputedReads.ts"
import { Contents } from "./Contents.ts"
import { PageChanges } from "./changes/PageChanges.ts"
import { Markdowns } from "./documents/Markdowns.ts"
import { LiveEdits } from "./edits/LiveEdits.ts"
import { Downloads } from "./files/Downloads.ts"
import { ContentBatches } from "./live/ContentBatches.ts"
import { LiveContents } from "./live/LiveContents.ts"
import { MainRevisions } from "./edits/MainRevisions.ts"
import { WriteLocks } from "./edits/WriteLocks.ts"
import { FolderExports } from "./export/FolderExports.ts"
import { ContentImports } from "./import/ContentImports.ts"
import { FolderImports } from "./import/FolderImports.ts"
import { ImportedSpecs } from "./import/ImportedSpecs.ts"
import { PageAliases, storePagePositions } from "./pages/PageAliases.ts"
import { PageConditions } from "./pages/PageConditions.ts"
import { TopLevelNames } from "./pages/TopLevelNames.ts"
import { Revisions } from "./revisions/Revisions.ts"
import { collectGarbage } from "./store/GarbageCollection.ts"
import { Objects } from "./store/Objects.ts"

export const contentServices = {
  layers: [
    ComputedReads.layer,
    ContentBatches.layer,
    ContentImports.layer,
    Contents.layer,
    Downloads.layer,
    FolderExports.layer,
    FolderImports.layer,
    ImportedSpecs.layer,
    LiveContents.layer,
    LiveEdits.layer,
    MainRevisions.layer,
    Markdowns.layer,
    Objects.layer,
    PageAliases.layer,
    PageChanges.layer,
    PageConditions.layer,
    Revisions.layer,
    TopLevelNames.layer,
    WriteLocks.layer
  ],
  jobs: [collectGarbage, storePagePositions],
  offered: {
    contents: offer(Contents, "outsideTransaction"),
    downloads: offer(Downloads, "outsideTransaction"),
    computedReads: offer(ComputedReads, "outsideTransaction"),
    liveContents: offer(LiveContents, "outsideTransaction"),
    pageChanges: offer(PageChanges, "outsideTransaction"),
    contentImports: offer(ContentImports, "outsideTransaction"),
    folderImports: offer(FolderImports, "outsideTransaction"),
    folderExports: offer(FolderExports, "outsideTransaction")
  }
} as const satisfies Services
