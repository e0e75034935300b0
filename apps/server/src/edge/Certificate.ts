/**
 * TLS certificate and key of the server, from two files. Changed files are read again within 10 seconds, and at once on
 * `SIGHUP`. Open connections keep the certificate with which they started.
 *
 * If the new files can't be read or do not match, an error is logged and the previous certificate stays in use. Starting 14
 * days before a certificate expires, a warning is logged every day.
 */
import { X509Certificate } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { createSecureContext } from "node:tls"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Clock, Duration, Effect, FiberSet, Metric, Schedule } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"

export interface CertificateFiles {
  /** Path of a PEM file with the certificate, followed by its intermediate certificates. */
  readonly certificate: string
  /** Path of a PEM file with the private key. */
  readonly key: string
}

export interface Pem {
  readonly cert: Buffer
  readonly key: Buffer
}

const pollInterval = "10 seconds"
const warningPeriod = Duration.toMillis("14 days")

const endsAt = Metric.gauge("lectern_certificate_end_time_seconds", {
  description: "Time at which the certificate of the server expires"
})

const reasonOf = (thrown: unknown): string => {
  const { code } = thrown as NodeJS.ErrnoException
  if (code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH") return "the key does not match the certificate"
  return code?.startsWith("ERR_OSSL") === true ? `invalid PEM (${code})` : fileErrorReason(thrown)
}

/** Reads both files. Fails if they can't be read or do not match. */
export const read = ({ certificate, key }: CertificateFiles) =>
  Effect.try({
    try: (): Pem => {
      const pem = { cert: readFileSync(certificate), key: readFileSync(key) }
      createSecureContext(pem)
      return pem
    },
    catch: (thrown) =>
      new CommandFailed({
        message: `The certificate ${certificate} with the key ${key} can't be used: ${reasonOf(thrown)}`
      })
  })

/** Returns a text that changes when one of the files changes. */
const fingerprintOf = ({ certificate, key }: CertificateFiles): string =>
  [certificate, key]
    .map((path) => {
      try {
        const { ino, size, mtimeMs } = statSync(path)
        return `${ino}-${size}-${mtimeMs}`
      } catch (thrown) {
        // A file may be unavailable, for example in an inaccessible folder. `read` reports the error.
        return (thrown as NodeJS.ErrnoException).code ?? ""
      }
    })
    .join(" ")

/** Logs a warning if a certificate expires soon or has expired. Updates the metric in any case. */
const warnOfExpiry = Effect.fnUntraced(function* ({ certificate }: CertificateFiles, { cert }: Pem) {
  const { validTo } = new X509Certificate(cert)
  const end = Date.parse(validTo)
  yield* Metric.update(endsAt, end / 1_000)
  const remaining = end - (yield* Clock.currentTimeMillis)
  if (remaining > warningPeriod) return
  const expires = remaining > 0 ? "expires" : "is expired, and clients reject it: it expired"
  yield* Effect.logWarning(`The certificate ${certificate} ${expires} ${validTo}`)
})

/** Watches the files and calls `use` with each new valid pair, until the scope closes. */
export const watch = Effect.fnUntraced(function* (files: CertificateFiles, pem: Pem, use: (pem: Pem) => void) {
  let inUse = pem
  let fingerprint = fingerprintOf(files)
  const reloadChanged = Effect.gen(function* () {
    const now = fingerprintOf(files)
    if (now === fingerprint) return
    fingerprint = now
    use((inUse = yield* read(files)))
    yield* Effect.logInfo("The certificate was reloaded")
    yield* warnOfExpiry(files, inUse)
  }).pipe(Effect.catch(({ message }) => Effect.logError(`${message}. The previous certificate stays in use`)))
  const run = yield* FiberSet.makeRuntime()
  const onHangUp = () => run(reloadChanged)
  process.on("SIGHUP", onHangUp)
  yield* Effect.addFinalizer(() => Effect.sync(() => process.off("SIGHUP", onHangUp)))
  yield* Effect.forkScoped(Effect.repeat(reloadChanged, Schedule.spaced(pollInterval)))
  const warn = Effect.suspend(() => warnOfExpiry(files, inUse))
  yield* Effect.forkScoped(Effect.repeat(warn, Schedule.spaced("1 day")))
})
