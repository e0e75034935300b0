/** The title of a link or an image, which shows where somebody points at it. One that says nothing is none. */
import type { Data } from "../Document.ts"

export const titleOf = (data: Data | undefined): string | undefined =>
  typeof data?.title === "string" && data.title !== "" ? data.title : undefined
