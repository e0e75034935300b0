/** Services for reading and editing content, and for its storage. */
import { offer, type Services } from "../Services.ts"
import { Contents } from "./Contents.ts"
import { PageChanges } from "./changes/PageChanges.ts"
import { Downloads } from "./files/Downloads.ts"
import { LiveContents } from "./live/LiveContents.ts"
import { storePagePositions } from "./pages/PageAliases.ts"
import { collectGarbage } from "./store/GarbageCollection.ts"

export const contentServices = {
  jobs: [collectGarbage, storePagePositions],
  offered: {
    contents: offer(Contents, "outsideTransaction"),
    downloads: offer(Downloads, "outsideTransaction"),
    liveContents: offer(LiveContents, "outsideTransaction"),
    pageChanges: offer(PageChanges, "outsideTransaction")
  }
} as const satisfies Services
