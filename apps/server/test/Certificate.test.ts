/** The certificate of a listener: read, checked, and read again when it changes. */
import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { get } from "node:https"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Metric, References } from "effect"
import { TestClock } from "effect/testing"
import * as Certificate from "../src/edge/Certificate.ts"
import * as Certificates from "./Certificates.ts"
import { cleanUp, lectern, temporaryFolder } from "./LecternProcess.ts"
import { listening, portOf, temporary } from "./Listening.ts"

describe("A listener with TLS", () => {
  afterAll(cleanUp)

  it.effect("sees within 10 seconds that a certificate was renewed, and once", () =>
    Effect.gen(function* () {
      const files = Certificates.filesIn(yield* temporary)
      Certificates.write(files, Certificates.one)
      const used: Array<string> = []
      yield* Certificate.watch(files, yield* Certificate.read(files), ({ cert }) => used.push(cert.toString()))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(used, [])
      // Half of a pair is no certificate: the former goes on until the other file is there.
      writeFileSync(files.certificate, Certificates.two.certificate)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(used, [])
      writeFileSync(files.key, Certificates.two.key)
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(used, [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(used, [Certificates.two.certificate])
      yield* TestClock.adjust("1 hour")
      assert.lengthOf(used, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("is looked for again where its files can't be looked at for a while", () =>
    Effect.gen(function* () {
      const files = Certificates.filesIn(yield* temporary)
      Certificates.write(files, Certificates.one)
      const used: Array<string> = []
      yield* Certificate.watch(files, yield* Certificate.read(files), ({ cert }) => used.push(cert.toString()))
      yield* TestClock.adjust("10 seconds")
      rmSync(files.certificate)
      // As a folder that is closed to the server for a while: the file can't even be asked for its size.
      symlinkSync(files.certificate, files.certificate)
      yield* TestClock.adjust("10 seconds")
      rmSync(files.certificate)
      Certificates.write(files, Certificates.two)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(used, [Certificates.two.certificate])
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.effect("says every day that a certificate ends soon, and that it has ended", () =>
    Effect.gen(function* () {
      const files = Certificates.filesIn(yield* temporary)
      Certificates.write(files, Certificates.one)
      const told: Array<string> = []
      const logger = Logger.make<unknown, void>(({ message }) => void told.push(String(message)))
      const begun = Effect.gen(function* () {
        yield* Certificate.watch(files, yield* Certificate.read(files), () => {})
      })
      const end = "Oct 30 03:42:32 2126 GMT"
      yield* Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse("2126-10-15T22:42:32Z"))
        yield* Effect.scoped(
          Effect.andThen(begun, () => {
            assert.deepStrictEqual(told, [])
            return TestClock.adjust("2 days")
          })
        )
        assert.deepStrictEqual(told, Array(2).fill(`The certificate ${files.certificate} expires ${end}`))
        const measured = (yield* Metric.snapshot).find(({ id }) => id === "lectern_certificate_end_time_seconds")
        assert.deepStrictEqual(measured?.state, { value: Date.parse(end) / 1_000 })
        yield* TestClock.setTime(Date.parse("2126-10-31T00:00:00Z"))
        yield* begun
        yield* TestClock.adjust("1 second")
        assert.match(told.at(-1)!, /is expired, and clients reject it: it expired Oct 30 03:42:32 2126 GMT$/)
      }).pipe(Effect.provide(Logger.layer([logger])))
    }).pipe(Effect.scoped)
  )

  it("is looked at by lectern settings, which ends as a start would", async () => {
    const files = Certificates.filesIn(temporaryFolder())
    Certificates.write(files, Certificates.one)
    const settings = () =>
      lectern(["settings"], { LECTERN_TLS_CERTIFICATE: files.certificate, LECTERN_TLS_KEY: files.key })
    assert.strictEqual((await settings()).code, 0)
    writeFileSync(files.key, Certificates.two.key)
    const { code, stderr } = await settings()
    assert.strictEqual(code, 1)
    assert.include(stderr, "can't be used: the key does not match the certificate")
  })

  it.live("speaks TLS with a certificate that is read again, and keeps it where the new one can't be used", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const files = Certificates.filesIn(folder)
      const put = (pair: Certificates.Pair) => Certificates.write(files, pair)
      assert.match((yield* Effect.flip(Certificate.read(files))).message, /can't be used: it does not exist/)
      put({ ...Certificates.one, key: Certificates.two.key })
      const mixed = yield* Effect.flip(listening({ certificate: files }))
      assert.match(mixed.message, /the key does not match the certificate/)
      put({ ...Certificates.one, key: "no key" })
      assert.match((yield* Effect.flip(listening({ certificate: files }))).message, /invalid PEM/)

      put(Certificates.one)
      const port = portOf(yield* listening({ certificate: files }))
      const named = Effect.promise(
        () =>
          new Promise<string>((answer, fail) => {
            const asked = get({ port, host: "127.0.0.1", rejectUnauthorized: false, agent: false })
            asked.on("response", (response) => {
              const { subject } = (response.socket as import("node:tls").TLSSocket).getPeerCertificate()
              response.resume().on("end", () => answer(String(subject.CN)))
            })
            asked.on("error", fail)
          })
      )
      assert.strictEqual(yield* named, "one.example.com")
      put({ ...Certificates.two, key: Certificates.one.key })
      chmodSync(files.key, 0o600)
      process.emit("SIGHUP")
      assert.strictEqual(yield* named, "one.example.com")
      put(Certificates.two)
      process.emit("SIGHUP")
      assert.strictEqual(yield* named, "two.example.com")
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))
  )
})
