/**
 * Version of the format in which documents are stored and returned. It increases with each change of the meaning of
 * stored documents. Data of another version is rejected, so that it is never misread. ETags include it, since clients
 * cache responses in this format.
 */
import { StorageError } from "../storage/Storage.ts"

export const dataFormat = 3

/** Creates the error for data of another format. `other`: version of the data. */
export const otherFormat = (other: number): StorageError =>
  new StorageError({
    reason: "other-format",
    message:
      `The data holds documents in format ${other}, and this version of Lectern knows format ${dataFormat} alone: ` +
      "export its spaces (lectern export) with the Lectern that wrote it, and import them (lectern import) into a " +
      "new data folder with this one"
  })
