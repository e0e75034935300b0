/** Parts of a site that a body names: one that is not there is bad input, as any other bad reference is. */
import { Result } from "effect"
import { InvalidInput } from "../schema/Input.ts"
import { SectionGroupNotFound, SiteSectionNotFound, SiteSpaceNotFound } from "./SiteStructure.ts"

type Missing = SectionGroupNotFound | SiteSectionNotFound | SiteSpaceNotFound

const isMissing = (error: unknown): error is Missing =>
  error instanceof SectionGroupNotFound || error instanceof SiteSectionNotFound || error instanceof SiteSpaceNotFound

/** The error of something that is missing, told of the field that names it; any other as it is. */
export const asInput =
  (path: string) =>
  <E>(error: E): Exclude<E, Missing> | InvalidInput =>
    isMissing(error) ? new InvalidInput({ issues: [{ path, message: error.message }] }) : (error as Exclude<E, Missing>)

/** Result of a change of the structure, with its errors told of the field that named the part. */
export const named =
  (path: string) =>
  <A, E>(result: Result.Result<A, E>) =>
    Result.mapError(result, asInput(path))
