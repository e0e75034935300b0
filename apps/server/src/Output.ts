/**
 * Output of a command: one JSON object on standard output, or text for people. Everything else (progress,
 * logs) goes to standard error.
 */
import { Console, Effect } from "effect"

export interface Answer {
  readonly json: object
  readonly text: string
}

export const print = (asJson: boolean, { json, text }: Answer): Effect.Effect<void> =>
  Console.log(asJson ? JSON.stringify(json) : text)

/** Lines of `name  value`, with the values below one another. */
export const columns = (rows: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n")
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"]

/** A size as people read it: `3.4 MiB`. */
export const sizeOf = (bytes: number): string => {
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** unit).toLocaleString("en", { maximumFractionDigits: 1 })} ${units[unit]}`
}
