/** Progress bar of an import or export. Shown only on a terminal. */
import { Clock, Effect } from "effect"
import type { ImportProgress } from "@lectern/exchange/import/ImportRun"

const width = 24
/** Minimum interval between updates, in ms. */
const minInterval = 50

export interface ProgressBar {
  readonly show: (progress: ImportProgress) => Effect.Effect<void>
  readonly end: Effect.Effect<void>
}

export const make = (title: string, stream: NodeJS.WriteStream = process.stderr): ProgressBar | undefined => {
  if (!stream.isTTY) return undefined
  let renderedAt = 0
  return {
    show: ({ done, total, path }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (done < total && now - renderedAt < minInterval) return
        renderedAt = now
        const filled = Math.round((done / total) * width)
        const line = `${title} [${"=".repeat(filled)}${" ".repeat(width - filled)}] ${done}/${total} ${path}`
        stream.write(`\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}`)
      }),
    end: Effect.sync(() => void stream.write("\r\u001b[K"))
  }
}
