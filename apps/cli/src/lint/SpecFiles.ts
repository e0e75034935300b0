/**
 * Checks the OpenAPI specs of a folder: files of JSON or YAML that start with the field `openapi` or `swagger`.
 *
 * Limit: 5 MiB.
 */
import * as SpecText from "@lectern/core/openapi/SpecText"
import type { FolderFile } from "@lectern/exchange/import/Folder"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import type { FolderPlan } from "@lectern/exchange/import/FolderPlan"
import { Effect, Result } from "effect"
import type { Problem } from "./Problems.ts"

const maxBytes = 5 * 1024 * 1024
/** Length of the start of a file in which the field must occur (bytes). */
const startLength = 4096
const versionField = /^(?:\s*\{)?\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/m

/** Problems of a spec. Empty for other files. A file is read again only if it changed. */
export type SpecCache = WeakMap<FolderFile, ReadonlyArray<Problem>>

const decoder = new TextDecoder()

/** `prefix`: folder of the documentation (see `DocsFolder`). */
export const check = Effect.fnUntraced(function* ({ index }: FolderPlan, prefix: string, cache: SpecCache) {
  const problems: Array<Problem> = []
  for (const file of index.files) {
    const { path, size } = file
    if (!/\.(?:json|ya?ml)$/i.test(path) || size > maxBytes || !path.startsWith(prefix)) continue
    if (FolderPath.isInHiddenFolder(path.slice(prefix.length)) && !FolderPath.isAsset(path)) continue
    let specProblems = cache.get(file)
    if (specProblems === undefined) {
      const bytes = yield* file.bytes()
      specProblems = versionField.test(decoder.decode(bytes.subarray(0, startLength))) ? problemsIn(path, bytes) : []
      cache.set(file, specProblems)
      yield* Effect.yieldNow
    }
    problems.push(...specProblems)
  }
  return problems
})

const problemsIn = (path: string, bytes: Uint8Array): ReadonlyArray<Problem> =>
  Result.match(SpecText.read(bytes), {
    onSuccess: ({ warnings }) =>
      warnings.map(({ column, line, message }) => ({
        path,
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
        rule: "nonstandard-spec" as const,
        message
      })),
    onFailure: ({ messages }) =>
      messages.map((message) => ({
        path,
        rule: "invalid-spec" as const,
        message: `The spec can't be read: ${message}`
      }))
  })
