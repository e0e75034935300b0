import { assert, describe, it } from "@effect/vitest"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as FolderImport from "@lectern/exchange/import/FolderImport"
import * as FolderPlan from "@lectern/exchange/import/FolderPlan"
import * as GitBlobId from "@lectern/exchange/import/GitBlobId"
import { Objects } from "@lectern/core/content/store/Objects"
import * as GitPaths from "@lectern/exchange/git/GitPaths"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Effect } from "effect"
import * as fc from "fast-check"
import { exportFolder } from "../export/Exports.ts"
import { edit, fill, type RandomPages, randomPages } from "../export/RandomContents.ts"
import { files, newSpace, onInstance, revisionOf } from "../import/Imports.ts"
import { runs } from "../../../core/test/Runs.ts"

/** A content as an export of it leaves it: with paths. */
const exported = Effect.fnUntraced(function* (pages: RandomPages) {
  const space = yield* newSpace
  yield* edit(space, (editor) => fill(editor, pages))
  const hasher = yield* Hasher
  const draft = (yield* Objects).draft()
  const { content } = yield* revisionOf(space)
  const folder = (yield* exportFolder(space)).files
  const oids = new Map(Object.entries(folder).map(([path, bytes]) => [path, GitBlobId.gitBlobId(hasher, bytes)]))
  const texts = new Map(Object.entries(folder).filter(([path]) => GitPaths.affectsImport(path)))
  const { paths, outline } = yield* GitPaths.pathsOfExport(
    draft,
    hasher,
    content,
    { oids, texts, summary: undefined, reservedPaths: [] },
    oids
  )
  const withPaths = yield* GitPaths.withPaths(draft, content, paths, yield* Timestamps.now)
  return { draft, folder, content, withPaths, outline }
})

describe("the paths of an export", () => {
  it("are given to every page, and to nothing else", () =>
    fc.assert(
      fc.asyncProperty(randomPages, (pages) =>
        Effect.runPromise(
          onInstance(
            Effect.gen(function* () {
              const { draft, content, withPaths } = yield* exported(pages)
              const before = yield* ContentReader.make(draft, content).allPages
              const after = yield* ContentReader.make(draft, withPaths).allPages
              assert.isTrue(after.every(({ git }) => git !== undefined && git.oid !== ""))
              assert.deepStrictEqual(
                after.map(({ git: _, ...page }) => page),
                before.map(({ git: _, ...page }) => page)
              )
              assert.strictEqual(new Set(after.map(({ git }) => git!.path)).size, after.length)
            })
          )
        )
      ),
      runs(60)
    ))

  it("make an import of what was exported change nothing", () =>
    fc.assert(
      fc.asyncProperty(randomPages, fc.boolean(), (pages, force) =>
        Effect.runPromise(
          onInstance(
            Effect.gen(function* () {
              const { draft, folder, withPaths, outline } = yield* exported(pages)
              const plan = yield* FolderPlan.make({ files: files(folder) })
              const { content, report } = yield* FolderImport.apply({
                plan,
                fenced: [],
                draft,
                content: withPaths,
                now: yield* Timestamps.now,
                outline,
                force,
                putBlob: () => Effect.void,
                allowFile: ({ name }) => Effect.succeed(name)
              })
              assert.deepStrictEqual([report.added, report.removed], [[], []])
              if (force) return
              assert.deepStrictEqual(report.changed, [])
              assert.deepStrictEqual(content, withPaths)
            })
          )
        )
      ),
      runs(100)
    ))

  it("are all that is left of a content where only they count", () =>
    fc.assert(
      fc.asyncProperty(randomPages, fc.array(fc.nat(8), { maxLength: 4 }), (pages, without) =>
        Effect.runPromise(
          onInstance(
            Effect.gen(function* () {
              const { draft, withPaths } = yield* exported(pages)
              const now = yield* Timestamps.now
              const gone = new Set(without.map((i) => `id${i}`))
              const paths = yield* GitPaths.pathsOf(draft, withPaths)
              const space = yield* newSpace
              yield* edit(space, (editor) => fill(editor, pages))
              const some = new Map(Array.from(paths.pages).filter(([id]) => !gone.has(id)))
              const { content } = yield* revisionOf(space)
              const partly = yield* GitPaths.withPaths(draft, content, { ...paths, pages: some }, now)
              const reader = ContentReader.make(draft, yield* GitPaths.withPathsOnly(draft, partly, undefined, now))
              const left = yield* reader.allPages
              assert.sameMembers(
                left.map(({ id }) => id as string),
                pages.map((_, i) => `id${i}`).filter((id) => !gone.has(id))
              )
              const ids = new Set<string | null>([null, ...left.map(({ id }) => id)])
              assert.isTrue(left.every(({ parent }) => ids.has(parent)))
              const listed = yield* reader.childrenOf([...ids])
              assert.strictEqual(listed.flat().length, left.length)
            })
          )
        )
      ),
      runs(60)
    ))
})
