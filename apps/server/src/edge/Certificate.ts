/**
 * The certificate of a server that speaks TLS, from two files: it is read again within 10 seconds when one of
 * them has changed, and at once on `SIGHUP`. Connections that are open keep the one that they began with.
 *
 * A pair that doesn't fit together, or can't be read, is refused with a line in the log, and the former goes on. From 14
 * days before a certificate ends the log says so every day.
 */
import { X509Certificate } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { createSecureContext } from "node:tls"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Clock, Duration, Effect, FiberSet, Metric, Schedule } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

export interface CertificateFiles {
  /** PEM: the certificate, then those between it and its authority. */
  readonly certificate: string
  readonly key: string
}

export interface Pem {
  readonly cert: Buffer
  readonly key: Buffer
}

const pause = "10 seconds"
const toldBefore = Duration.toMillis("14 days")

const endsAt = Metric.gauge("lectern_certificate_end_time_seconds", {
  description: "Until when the certificate that the server shows is good"
})

const reasonOf = (thrown: unknown): string => {
  const { code } = thrown as NodeJS.ErrnoException
  if (code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH") return "the key is not the certificate's"
  return code?.startsWith("ERR_OSSL") === true ? `they are no PEM that can be read (${code})` : fileErrorReason(thrown)
}

/** Both files, once they fit together. */
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

/** Changes with either of the files. */
const signOf = ({ certificate, key }: CertificateFiles): string =>
  [certificate, key]
    .map((path) => {
      try {
        const { ino, size, mtimeMs } = statSync(path)
        return `${ino}-${size}-${mtimeMs}`
      } catch (thrown) {
        // Of a folder that is closed to the server, say: whoever reads it tells of that.
        return (thrown as NodeJS.ErrnoException).code ?? ""
      }
    })
    .join(" ")

/** Says that a certificate ends soon, or has ended. Metrics have its end in any case. */
const tellOfEnd = Effect.fnUntraced(function* ({ certificate }: CertificateFiles, { cert }: Pem) {
  const { validTo } = new X509Certificate(cert)
  const end = Date.parse(validTo)
  yield* Metric.update(endsAt, end / 1_000)
  const left = end - (yield* Clock.currentTimeMillis)
  if (left > toldBefore) return
  const ends = left > 0 ? "ends" : "has ended, and callers refuse it: it was good until"
  yield* Effect.logWarning(`The certificate ${certificate} ${ends} ${validTo}`)
})

/** Gives each new pair to `use`, for as long as it runs. */
export const keepFresh = Effect.fnUntraced(function* (files: CertificateFiles, pem: Pem, use: (pem: Pem) => void) {
  let inUse = pem
  let known = signOf(files)
  const look = Effect.gen(function* () {
    const now = signOf(files)
    if (now === known) return
    known = now
    use((inUse = yield* read(files)))
    yield* Effect.logInfo("The certificate was read again")
    yield* tellOfEnd(files, inUse)
  }).pipe(Effect.catch(({ message }) => Effect.logError(`${message}. The former one goes on`)))
  const run = yield* FiberSet.makeRuntime()
  const onHangUp = () => run(look)
  process.on("SIGHUP", onHangUp)
  yield* Effect.addFinalizer(() => Effect.sync(() => process.off("SIGHUP", onHangUp)))
  yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(pause)))
  const tell = Effect.suspend(() => tellOfEnd(files, inUse))
  yield* Effect.forkScoped(Effect.repeat(tell, Schedule.spaced("1 day")))
})
