/** Shared steps of import tests: start the sites, import, and read the content. */
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as readline from "node:readline"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, type Person } from "../../http/test/Harness.ts"
import * as Shapes from "../../http/test/Shapes.ts"
import { createSpace } from "../../http/test/Steps.ts"

export interface Sites {
  readonly urls: Readonly<Record<string, string>>
  /** Waits for a line that the process writes when it receives a request. */
  readonly told: (line: string) => Promise<void>
  readonly end: () => void
}

/** Starts the sites in a separate process. */
export const startSites = async (): Promise<Sites> => {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL("./ImportSites.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = readline.createInterface({ input: child.stdout! })
  const first = await new Promise<string>((resolve) => lines.once("line", resolve))
  const heard = new Set<string>()
  lines.on("line", (line) => heard.add(line))
  return {
    urls: JSON.parse(first),
    told: async (line) => {
      while (!heard.has(line)) await new Promise<void>((resolve) => lines.once("line", () => resolve()))
      heard.delete(line)
    },
    end: () => void child.kill()
  }
}

export const Imported = Schema.Struct({
  revision: Shapes.Id,
  importedResources: Schema.Int,
  totalResources: Schema.Int
})

export const importing = Effect.fnUntraced(function* (
  scope: string,
  source: string,
  url: string,
  by: Person = "admin"
) {
  const { call } = yield* Harness
  return yield* call(by, "POST", `${scope}/content/import`, { source, url })
})

export interface Tree {
  readonly title: string
  readonly path: string
  readonly pages: ReadonlyArray<Tree>
}

const shapeOf = (pages: ReadonlyArray<Record<string, unknown>>): ReadonlyArray<unknown> =>
  pages.map(({ path, title, pages: below }) => [
    path,
    title,
    ...(Array.isArray(below) && below.length > 0 ? [shapeOf(below)] : [])
  ])

/**
 * Returns the content of a space or a change request: the page tree, the files, and functions that find pages by path.
 */
export const contentOf = Effect.fnUntraced(function* (scope: string) {
  const { call } = yield* Harness
  const revision = yield* call("admin", "GET", `${scope}/content`).pipe(answers(200, Shapes.Revision))
  const flat = (pages: ReadonlyArray<any>): ReadonlyArray<any> =>
    pages.flatMap((page) => [page, ...flat(page.pages ?? [])])
  const all = flat(revision.pages)
  return {
    id: revision.id,
    tree: shapeOf(revision.pages as never),
    files: revision.files,
    pageId: (path: string) => all.find((page) => page.path === path)?.id ?? assert.fail(`There is no page ${path}`),
    page: Effect.fnUntraced(function* (path: string) {
      const found = all.find((page) => page.path === path) ?? assert.fail(`There is no page ${path}`)
      const { text } = yield* call("admin", "GET", `${scope}/content/page/${found.id}?format=markdown`).pipe(has(200))
      return JSON.parse(text) as { readonly title: string; readonly description?: string; readonly markdown: string }
    })
  }
})

/** Creates a space, and imports content into it. */
export const imported = Effect.fnUntraced(function* (source: string, url: string) {
  const { id } = yield* createSpace()
  const scope = `/v1/spaces/${id}`
  const answer = yield* importing(scope, source, url).pipe(answers(201, Imported))
  return { scope, answer, content: yield* contentOf(scope) }
})
