/**
 * Settings that count again while the server runs: the level of its log, the limits of requests, and the private
 * hosts that may be fetched from. `SIGHUP` has them read anew, from the file and from files of secrets; flags and
 * the environment of a process stay what they were.
 *
 * Settings that can't be meant are refused as a whole, and the former ones go on. A change of any other setting
 * is told of, and counts after a restart.
 */
import { isatty } from "node:tty"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { Effect, FiberSet, Semaphore } from "effect"
import type { CommandFailed } from "../CommandFailed.ts"
import type { LiveLevel } from "../Logs.ts"
import type { SettingValues } from "./Setting.ts"
import { type Found, type Resolved, shown } from "./SettingSources.ts"
import { serverTable } from "./SettingTable.ts"

type Values = SettingValues<typeof serverTable>

export interface LiveSettings extends LiveLevel {
  rateLimit: number
  integrationsRateLimit: number
  readonly allowedHosts: AllowedHosts
}

export const make = ({ logLevel, rateLimit, integrationsRateLimit, allowedPrivateHosts }: Values): LiveSettings => ({
  logLevel,
  rateLimit,
  integrationsRateLimit,
  allowedHosts: new AllowedHosts(allowedPrivateHosts)
})

const apply = (live: LiveSettings, values: Values) => {
  live.logLevel = values.logLevel
  live.rateLimit = values.rateLimit
  live.integrationsRateLimit = values.integrationsRateLimit
  live.allowedHosts.replace(values.allowedPrivateHosts)
}

type Reading = Effect.Effect<Resolved<typeof serverTable>, CommandFailed>

/** Reads the settings anew, and gives where each was found; those before where they can't be meant. */
const reload = Effect.fnUntraced(function* (live: LiveSettings, before: ReadonlyMap<string, Found>, read: Reading) {
  const resolved = yield* Effect.catch(read, ({ message }) =>
    Effect.as(Effect.logError(`The settings stay as they were: ${message}`), undefined)
  )
  if (resolved === undefined) return before
  const { values, found } = resolved
  // Told first: the level may be one at which nothing is told.
  let changes = 0
  for (const [key, { name, isSecret, reloads }] of Object.entries(serverTable)) {
    const [from, to] = [before.get(key)?.text, found.get(key)?.text]
    if (from === to) continue
    changes++
    const change = isSecret === true ? "changed" : `is ${said(to)} and was ${said(from)}`
    yield* reloads === true
      ? Effect.logInfo(`The setting ${name} ${change}`)
      : Effect.logWarning(`The setting ${name} ${change}: it counts after a restart`)
  }
  if (changes === 0) yield* Effect.logInfo("The settings were read again, and none has changed")
  apply(live, values)
  return found
})

const said = (text: string | undefined): string =>
  text === undefined || text === "" ? "nothing" : JSON.stringify(shown(text))

/**
 * Reads them again at each `SIGHUP`, and ends only where the terminal that the server was started from has gone:
 * that sends the signal, too, and nobody is there any more.
 */
export const reloading = (live: LiveSettings, found: ReadonlyMap<string, Found>, read: Reading) =>
  Effect.gen(function* () {
    const atTerminal = isatty(0)
    const one = yield* Semaphore.make(1)
    const run = yield* FiberSet.makeRuntime()
    let before = found
    const again = one.withPermit(
      Effect.suspend(() =>
        Effect.map(reload(live, before, read), (after) => {
          before = after
        })
      )
    )
    yield* Effect.callback<void>((resume) => {
      const onHangUp = () => {
        if (atTerminal && !isatty(0)) resume(Effect.void)
        else run(again)
      }
      process.on("SIGHUP", onHangUp)
      return Effect.sync(() => process.off("SIGHUP", onHangUp))
    })
  }).pipe(Effect.scoped)
