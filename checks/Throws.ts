/**
 * Compares the doc comments of methods that hosts call with the failures in their types: each failure has a line
 * `@throws {Name}`, and each line has a failure. Every method may fail with `StorageError`, which has no line.
 */
import type { OfferedMethod } from "../bundle/methods/OfferedMethods.ts"

/** Failures that the comment of no method names. */
const common = new Set(["StorageError"])

/** Returns a line for each failure without `@throws`, and for each `@throws` without a failure. */
export const throwsMistakes = (
  methods: ReadonlyArray<Pick<OfferedMethod, "path" | "file" | "failures" | "thrown">>
): ReadonlyArray<string> =>
  methods.length === 0
    ? ["packages/core/src: no methods for hosts found"]
    : methods.flatMap(({ path, file, ...method }) => {
        const failures = method.failures.map(({ name }) => name)
        const thrown = method.thrown.map(([name]) => name)
        return [
          ...failures
            .filter((name) => !common.has(name) && !thrown.includes(name))
            .map((name) => `${file}: the comment of ${path} lacks @throws {${name}}`),
          ...thrown
            .filter((name, i) => common.has(name) || !failures.includes(name) || thrown.indexOf(name) < i)
            .map((name) => `${file}: the comment of ${path} has a superfluous @throws {${name}}`)
        ]
      })
