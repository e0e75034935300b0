/**
 * Parses the pages of an import in a thread (see `PageThreads`), some ahead of the import and in its
 * order. A page that the import was not said to want is parsed when it is wanted.
 *
 * Default: 8 pages are under way at most.
 */
import { Effect, Fiber } from "effect"
import type { PageThread } from "../PageThreads.ts"
import { type FolderFile, maxMarkdownBytes } from "./Folder.ts"
import type { SyntaxAhead } from "./SyntaxAhead.ts"

const pagesAhead = 8

export const make = Effect.fnUntraced(function* ({ parse }: PageThread) {
  const scope = yield* Effect.scope
  // Whoever can't read a file can't parse it either, and says so itself.
  const parsed = (file: FolderFile) =>
    file.bytes.pipe(
      Effect.flatMap(parse),
      Effect.catch(() => Effect.undefined)
    )
  const underWay = new Map<string, Fiber.Fiber<Effect.Success<ReturnType<typeof parse>>>>()
  let upcoming: Iterator<FolderFile> = [].values()

  const beginNext = Effect.suspend(() => {
    const { value: file } = upcoming.next()
    return file === undefined
      ? Effect.void
      : Effect.map(Effect.forkIn(parsed(file), scope), (fiber) => void underWay.set(file.path, fiber))
  })

  return {
    begin: (files) =>
      Effect.gen(function* () {
        underWay.clear()
        upcoming = files.filter(({ size }) => size <= maxMarkdownBytes).values()
        for (let n = 0; n < pagesAhead; n++) yield* beginNext
      }),
    take: Effect.fnUntraced(function* (file) {
      const fiber = underWay.get(file.path)
      underWay.delete(file.path)
      if (fiber === undefined) return yield* parsed(file)
      yield* beginNext
      return yield* Fiber.join(fiber)
    })
  } satisfies SyntaxAhead
})
