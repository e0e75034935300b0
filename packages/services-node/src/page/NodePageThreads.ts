/**
 * `PageThreads` on Node: a thread for each import and export, so that no page holds up anybody else,
 * and one that takes too much is given up without harm to those behind it.
 *
 * Defaults: 60 seconds for a page, of which the largest takes 5 on a machine that has nothing else to
 * do; 512 MiB of memory.
 */
import type { PageText } from "@lectern/core/content/export/PageText"
import { type ParsedAhead, unparsable } from "@lectern/core/content/import/SyntaxAhead"
import { type PageThread, PageThreads, PageUnwritable } from "@lectern/core/content/PageThreads"
import { Duration, Effect, Layer } from "effect"
import { PageQueue } from "./PageQueue.ts"
import type { PageAnswer, PageTask } from "./PageWork.ts"

export interface NodePageThreadsOptions {
  /** For a page. Default: 60 seconds. */
  readonly pageTimeout?: Duration.Input
  /** Of the thread, in MiB. Default: 512. */
  readonly maxMemory?: number
}

const layer = (options: NodePageThreadsOptions = {}) =>
  Layer.succeed(PageThreads, PageThreads.of({ open: open(options) }))

export const NodePageThreads = { layer }

const open = ({ pageTimeout = Duration.seconds(60), maxMemory = 512 }: NodePageThreadsOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => new PageQueue({ patience: Duration.toMillis(pageTimeout), maxMemory })),
    (queue) => Effect.promise(() => queue.end())
  ).pipe(
    Effect.map((queue): PageThread => {
      const ask = (task: PageTask) =>
        Effect.callback<PageAnswer["done"]>((resume) => {
          queue.ask(task, ({ done }) => resume(Effect.succeed(done)))
        })
      return {
        // The thread answers a text with what it is parsed to, and a page with its text.
        parse: (bytes) =>
          Effect.map(ask({ call: "parse", bytes }), (done) =>
            done === undefined ? unparsable : (done.value as ParsedAhead | undefined)
          ),
        writer: (space, paths) => {
          queue.links({ call: "links", space, paths })
          return (page) =>
            Effect.flatMap(ask({ call: "write", page }), (done) =>
              done === undefined
                ? Effect.fail(new PageUnwritable({ message: `The page ${page.path} takes too long to write` }))
                : Effect.succeed(done.value as PageText)
            )
        }
      }
    })
  )
