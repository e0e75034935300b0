/**
 * Settings that can change while the server runs: the log level, the rate limits, and the allowed private hosts. `SIGHUP`
 * reloads them from the settings file and from files of secrets. Flags and environment variables stay unchanged.
 *
 * If a setting is invalid, all changes are rejected and the previous settings stay in effect. A change of any other
 * setting is logged and takes effect after a restart.
 */
import { isatty } from "node:tty"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { Effect, FiberSet, Semaphore } from "effect"
import type { CommandFailed } from "@lectern/cli/CommandFailed"
import type { LiveLevel } from "@lectern/cli/Logs"
import type { SettingValues } from "./Setting.ts"
import { type SettingSource, type Resolved, withoutCredentials } from "./SettingSources.ts"
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

/** Reloads the settings. Returns their sources, or the previous sources if a setting is invalid. */
const reload = Effect.fnUntraced(function* (
  live: LiveSettings,
  previousSources: ReadonlyMap<string, SettingSource>,
  read: Reading
) {
  const resolved = yield* Effect.catch(read, ({ message }) =>
    Effect.as(Effect.logError(`The settings were not reloaded: ${message}`), undefined)
  )
  if (resolved === undefined) return previousSources
  const { values, sources } = resolved
  // The change is logged before it is applied, since the new log level may hide the entry.
  let changes = 0
  for (const [key, { name, isSecret, reloads }] of Object.entries(serverTable)) {
    const [from, to] = [previousSources.get(key)?.text, sources.get(key)?.text]
    if (from === to) continue
    changes++
    const change = isSecret === true ? "changed" : `is ${quoted(to)} and was ${quoted(from)}`
    yield* reloads === true
      ? Effect.logInfo(`The setting ${name} ${change}`)
      : Effect.logWarning(`The setting ${name} ${change}: restart the server to apply it`)
  }
  if (changes === 0) yield* Effect.logInfo("The settings were reloaded without changes")
  apply(live, values)
  return sources
})

const quoted = (text: string | undefined): string =>
  text === undefined || text === "" ? "nothing" : JSON.stringify(withoutCredentials(text))

/**
 * Reloads the settings at each `SIGHUP`. Completes if the signal was sent because the terminal of the server was closed, so
 * that the server stops.
 */
export const reloadOnHangUp = (live: LiveSettings, sources: ReadonlyMap<string, SettingSource>, read: Reading) =>
  Effect.gen(function* () {
    const atTerminal = isatty(0)
    const reloadLock = yield* Semaphore.make(1)
    const run = yield* FiberSet.makeRuntime()
    let currentSources = sources
    const reloadOnce = reloadLock.withPermit(
      Effect.suspend(() =>
        Effect.map(reload(live, currentSources, read), (after) => {
          currentSources = after
        })
      )
    )
    yield* Effect.callback<void>((resume) => {
      const onHangUp = () => {
        if (atTerminal && !isatty(0)) resume(Effect.void)
        else run(reloadOnce)
      }
      process.on("SIGHUP", onHangUp)
      return Effect.sync(() => process.off("SIGHUP", onHangUp))
    })
  }).pipe(Effect.scoped)
