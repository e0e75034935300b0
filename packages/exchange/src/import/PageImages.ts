/**
 * Fetches the images of pages as files of the folder. An image that cannot be fetched stays at its URL in the pages.
 */
import { Effect } from "effect"
import { decodePercent } from "@lectern/document/PercentEncoding"
import * as FileType from "@lectern/core/content/files/FileType"
import type { ImportLimits } from "./ContentImport.ts"
import * as DataUrl from "./DataUrl.ts"
import { file, type FolderFile, type ImportProblem } from "./Folder.ts"
import type { ImportBudget } from "./ImportBudget.ts"
import * as ConcurrentQueue from "./ConcurrentQueue.ts"
import { withoutFragment } from "./Origins.ts"

export interface Image {
  /** URL without a fragment. */
  readonly url: string
  readonly file: FolderFile
}

const concurrency = 4

/** Fetches images and appends each to `images` as soon as it is fetched. */
export const fetch = (
  urls: Iterable<string>,
  images: Array<Image>,
  {
    budget,
    limits,
    capacity
  }: { readonly budget: ImportBudget; readonly limits: ImportLimits; readonly capacity: number }
): Effect.Effect<void> => {
  const waiting = [...new Set(Array.from(urls, withoutFragment))]
  const usedPaths = new Set<string>()
  let running = 0

  const bytesOf = (url: string): Effect.Effect<DataUrl.DataUrl | undefined> =>
    DataUrl.isDataUrl(url)
      ? DataUrl.readInSlices(url)
      : budget
          .fetch(url, { maxBytes: limits.fileBytes, timeout: "10 seconds", accept: "image/*" })
          .pipe(Effect.catch(() => Effect.undefined))

  const work = Effect.fnUntraced(function* (url: string) {
    const got = yield* bytesOf(url)
    const name = fileNameOf(url)
    const type = got && FileType.detect(got.bytes, name, got.contentType).contentType
    if (got !== undefined && type?.startsWith("image/")) {
      images.push({ url, file: file(uniquePath(withExtension(name, type), usedPaths), got.bytes) })
    }
    running--
  })

  return ConcurrentQueue.processAll(
    () => {
      if (images.length + running >= capacity || budget.isSpent()) return undefined
      const next = waiting.shift()
      if (next !== undefined) running++
      return next
    },
    work,
    concurrency
  )
}

const maxUrl = 200

/** Returns a problem for each image of a page that was not fetched. */
export const problemsOf = (
  path: string,
  urls: ReadonlyArray<string>,
  images: ReadonlyArray<Image>
): ReadonlyArray<ImportProblem> => {
  const fetched = new Set(images.map(({ url }) => url))
  return [...new Set(urls.map(withoutFragment))]
    .filter((url) => !fetched.has(url) && !DataUrl.isDataUrl(url))
    .map((url) => ({
      path,
      message: `The image ${Array.from(url).slice(0, maxUrl).join("")} can't be fetched, and stays at its URL`
    }))
}

const maxName = 100

/** Returns the file name in a URL, with only characters that are valid in any folder. */
export const fileNameOf = (url: string): string => {
  if (DataUrl.isDataUrl(url) || !URL.canParse(url)) return "image"
  const lastSegment = new URL(url).pathname.split("/").findLast((name) => name !== "") ?? ""
  const name = Array.from(decodePercent(lastSegment).toWellFormed())
    .filter((one) => one > "\u001f" && !'/\\:*?"<>|'.includes(one))
    .slice(-maxName)
    .join("")
    .replace(/^\.+|[. ]+$/g, "")
  return name === "" ? "image" : name
}

const extensions: { readonly [type: string]: string } = {
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "image/x-icon": "ico",
  "image/vnd.microsoft.icon": "ico"
}

const withExtension = (name: string, type: string): string =>
  /\.[a-z0-9]{1,5}$/i.test(name)
    ? name
    : `${name}.${extensions[type] ?? type.slice("image/".length).replace(/\W.*$/, "")}`

const uniquePath = (name: string, usedPaths: Set<string>): string => {
  let path = `images/${name}`
  for (let n = 2; usedPaths.has(path.toLowerCase()); n++) path = `images/${name.replace(/(?=\.[^.]*$)|$/, `-${n}`)}`
  usedPaths.add(path.toLowerCase())
  return path
}
