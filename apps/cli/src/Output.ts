/**
 * Prints the result of a command to standard output: one JSON object, or text for people. Progress and logs go to standard
 * error.
 */
import { Console, Effect } from "effect"

export interface CommandOutput {
  readonly json: object
  readonly text: string
}

export const print = (asJson: boolean, { json, text }: CommandOutput): Effect.Effect<void> =>
  Console.log(asJson ? JSON.stringify(json) : text)

/** Returns lines of `name  value` with aligned values. */
export const columns = (rows: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n")
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"]

/** Returns a size such as `3.4 MiB`. */
export const sizeOf = (bytes: number): string => {
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** unit).toLocaleString("en", { maximumFractionDigits: 1 })} ${units[unit]}`
}
