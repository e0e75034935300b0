/** Returns the message for a client about a storage failure; `undefined` for an internal error. */
import type { StorageError } from "@lectern/core/storage/Storage"

export const storageFailureMessage = ({ reason, message }: StorageError): string | undefined => {
  switch (reason) {
    case "full":
      return "The storage is full"
    case "read-only":
      return "The storage is read-only"
    case "busy":
    case "damaged":
      return message
    case "contended":
      return "The same data is changed too often at the moment"
    case "unavailable":
    case "newer-version":
    case "other-format":
      return "The storage is unavailable at the moment"
    case "lease-lost":
    case "failed":
    case "invalid-row":
      return undefined
  }
}
