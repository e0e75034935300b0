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
    content: offer(Contents, {
      locate: "outsideTransaction",
      revision: "outsideTransaction",
      pages: "outsideTransaction",
      page: "outsideTransaction",
      document: "outsideTransaction",
      pageAt: "outsideTransaction",
      headingId: "outsideTransaction",
      files: "outsideTransaction",
      file: "outsideTransaction",
      changes: "outsideTransaction",
      compare: "internal",
      mergedFrom: "outsideTransaction",
      presentFile: "internal",
      computedPages: "outsideTransaction",
      computedDocument: "outsideTransaction"
    }),
    "content.downloads": offer(Downloads, "outsideTransaction"),
    "content.live": offer(LiveContents, "outsideTransaction"),
    "content.pageChanges": offer(PageChanges, "outsideTransaction")
  }
} as const satisfies Services
