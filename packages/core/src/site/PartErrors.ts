/** Converts "not found" errors of parts that a request body names to invalid input. */
import { Result } from "effect"
import { InvalidInput } from "../schema/Input.ts"
import { SectionGroupNotFound, SiteSectionNotFound, SiteSpaceNotFound } from "./SiteStructure.ts"

type PartNotFound = SectionGroupNotFound | SiteSectionNotFound | SiteSpaceNotFound

const isMissing = (error: unknown): error is PartNotFound =>
  error instanceof SectionGroupNotFound || error instanceof SiteSectionNotFound || error instanceof SiteSpaceNotFound

/** Returns `InvalidInput` at the path for an error of a missing part; any other error is unchanged. */
export const asInput =
  (path: string) =>
  <E>(error: E): Exclude<E, PartNotFound> | InvalidInput =>
    isMissing(error)
      ? new InvalidInput({ issues: [{ path, message: error.message }] })
      : (error as Exclude<E, PartNotFound>)

/** Converts the error of a structure change to `InvalidInput` at the path. */
export const asInputAt =
  (path: string) =>
  <A, E>(result: Result.Result<A, E>) =>
    Result.mapError(result, asInput(path))
