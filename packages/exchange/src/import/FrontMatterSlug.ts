/**
 * The `slug` in the front matter of Docusaurus, Starlight and Hugo: the path of a page, absolute or relative to its
 * folder. Its last segment is the slug of the page. The folders of a page are the pages above it, so the segments before
 * the last one are not read. The front page (`/`) has no segment and keeps its slug.
 */
import * as Slug from "@lectern/core/content/pages/Slug"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import { Result } from "effect"

/** Returns the slug that the front matter states. Undefined if it states none. */
export const read = (frontMatter: string | undefined): string | undefined => {
  if (frontMatter === undefined || !/^slug[ \t]*:/m.test(frontMatter)) return undefined
  const fields = FrontMatter.read(frontMatter)
  const value = Result.isSuccess(fields) ? fields.success["slug"] : undefined
  const path = typeof value === "string" || typeof value === "number" ? String(value) : ""
  const name = path
    .split("/")
    .map((segment) => segment.trim())
    .findLast((segment) => segment !== "")
  return name === undefined || /^\.+$/.test(name) ? undefined : Slug.fromName(name)
}

/** Returns true if a slug from an import is the one in the front matter, or that one with a suffix. */
export const isSlug = (slug: string, stated: string): boolean =>
  slug === stated || (slug.startsWith(`${stated}-`) && /^\d+$/.test(slug.slice(stated.length + 1)))
