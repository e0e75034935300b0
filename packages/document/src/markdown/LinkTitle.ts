/** Returns the title of a link or image, which is displayed on hover; undefined if it is empty. */
import type { Data } from "../Document.ts"

export const titleOf = (data: Data | undefined): string | undefined =>
  typeof data?.title === "string" && data.title !== "" ? data.title : undefined
