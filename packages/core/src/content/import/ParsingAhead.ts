/**
 * Parses the pages of an import in a thread (see `Threads`), some ahead of the import and in its
 * order. A page that the import was not said to want is parsed when it is wanted.
 *
 * Default: 8 pages are under way at most.
 */
import { Effect, Fiber } from "effect"
import type { Threads } from "../../thread/Threads.ts"
import { type FolderFile, maxMarkdownBytes } from "./Folder.ts"
import { ParseFile } from "./ParsedFile.ts"
import { type ParsedAhead, type SyntaxAhead, type Unparsable, unparsable } from "./SyntaxAhead.ts"

const pagesAhead = 8

export const make = Effect.fnUntraced(function* (threads: Threads["Service"]) {
  const scope = yield* Effect.scope
  const parse = (bytes: Uint8Array): Effect.Effect<ParsedAhead | Unparsable | undefined> =>
    threads.run(ParseFile, bytes, { patient: true }).pipe(
      Effect.catchTag("TooCostly", () => Effect.succeed<Unparsable>(unparsable)),
      // What is patient is never told to come again.
      Effect.catchTag("StorageError", () => Effect.undefined)
    )
  // Whoever can't read a file can't parse it either, and says so itself. In place there is nothing to gain.
  const parsed = (file: FolderFile) =>
    threads.areApart
      ? file.bytes.pipe(
          Effect.flatMap(parse),
          Effect.catch(() => Effect.undefined)
        )
      : Effect.undefined
  const underWay = new Map<string, Fiber.Fiber<ParsedAhead | Unparsable | undefined>>()
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
