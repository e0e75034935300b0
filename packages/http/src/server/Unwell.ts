/** A sentence for the caller about a failure of the store; undefined for a failure that is no caller's business. */
import type { StorageError } from "@lectern/core/storage/Storage"

export const unwell = ({ reason, message }: StorageError): string | undefined => {
  switch (reason) {
    case "full":
      return "There is no room left to write the data to"
    case "read-only":
      return "The data can't be written to"
    case "busy":
    case "damaged":
      return message
    case "unavailable":
    case "newer-version":
    case "other-format":
      return "The data can't be reached or written at the moment"
    case "failed":
    case "invalid-row":
      return undefined
  }
}
