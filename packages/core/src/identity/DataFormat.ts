/**
 * Number of the form in which this Lectern stores and answers documents. It rises with every change of what a
 * stored document means, so that no data is read as what it isn't: data of another number is refused. Tags of
 * answers name it too, since an answer that a client keeps is of the form that it was made in.
 */
import { StorageError } from "../storage/Storage.ts"

export const dataFormat = 3

/** `other`: the number that the data has. */
export const otherFormat = (other: number): StorageError =>
  new StorageError({
    reason: "other-format",
    message:
      `The data holds documents in format ${other}, and this version of Lectern knows format ${dataFormat} alone: ` +
      "export its spaces (lectern export) with the Lectern that wrote it, and import them (lectern import) into a " +
      "new data folder with this one"
  })
