/** Registry of the computations of the core and of this package by name (see `Computations` of the core). */
import { type Computations, computations } from "@lectern/core/thread/Computations"

export const exchangeComputations: Computations = {
  ...computations,
  "read-page": async () => (await import("./import/ParsePage.ts")).ParsePage,
  "write-page": async () => (await import("./export/WritePage.ts")).WritePage
}
