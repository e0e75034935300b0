/** Services for reading, editing, importing and exporting content, and for its storage. */
import { offer, type Services } from "../Services.ts"
import { Contents } from "./Contents.ts"
import { PageChanges } from "./changes/PageChanges.ts"
import { Downloads } from "./files/Downloads.ts"
import { LiveContents } from "./live/LiveContents.ts"
import { FolderExports } from "./export/FolderExports.ts"
import { ContentImports } from "./import/ContentImports.ts"
import { FolderImports } from "./import/FolderImports.ts"
import { storePagePositions } from "./pages/PageAliases.ts"
import { collectGarbage } from "./store/GarbageCollection.ts"

export const contentServices = {
  jobs: [collectGarbage, storePagePositions],
  offered: {
    contents: offer(Contents, "outsideTransaction"),
    downloads: offer(Downloads, "outsideTransaction"),
    liveContents: offer(LiveContents, "outsideTransaction"),
    pageChanges: offer(PageChanges, "outsideTransaction"),
    contentImports: offer(ContentImports, "outsideTransaction"),
    folderImports: offer(FolderImports, "outsideTransaction"),
    folderExports: offer(FolderExports, "outsideTransaction")
  }
} as const satisfies Services
