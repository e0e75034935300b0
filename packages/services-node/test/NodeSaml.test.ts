/** Responses of a real identity provider, as they are and as they must not be, up to whom they name. */
import { accept } from "@lectern/core/sso/AssertionRules"
import { SamlProtocol } from "@lectern/core/sso/SamlProtocol"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { NodeSaml } from "../src/saml/NodeSaml.ts"
import { encoded, type Keys, makeKeys, readRequest, respond, type Wanted } from "./IdentityProvider.ts"
import { changed, wrapped, wrappings } from "./Wrapping.ts"

const service = {
  entityID: "https://docs.example.com/saml/one/metadata",
  acsURL: "https://docs.example.com/saml/one/acs"
}
const issuer = "https://idp.example.com"
const request = "_request"

let keys: Keys
let otherKeys: Keys
let smallKeys: Keys

beforeAll(async () => {
  ;[keys, otherKeys, smallKeys] = await Promise.all([makeKeys(), makeKeys(), makeKeys(1024)])
})

const response = (wanted: Partial<Wanted> = {}) =>
  Effect.promise(() =>
    respond({ keys, issuer, acsURL: service.acsURL, audience: service.entityID, inResponseTo: request, ...wanted })
  )

/** Whom a response names, by the rules of the core. */
const judge = Effect.fnUntraced(function* (xml: string, certificate = keys.certificate, later = 0) {
  const { verify } = yield* SamlProtocol
  const assertion = yield* verify({ response: encoded(xml), service, certificate })
  const now = (yield* Clock.currentTimeMillis) + later
  return yield* Effect.fromResult(accept(assertion, { issuer, service, now }))
})

/** Why it is refused. */
const refusal = (...given: Parameters<typeof judge>) =>
  Effect.flip(judge(...given)).pipe(
    Effect.map((error) => {
      assert.strictEqual(error._tag, "SignOnRefused")
      assert.match(error.message, /^The response of the identity provider was rejected\. /)
      return "reason" in error ? error.reason : ""
    })
  )

const live = (name: string, body: () => Effect.Effect<void, unknown, SamlProtocol>) =>
  it.live(name, () => Effect.provide(body(), NodeSaml.layer))

describe("NodeSaml", () => {
  live("tells whom a signed assertion names", () =>
    Effect.gen(function* () {
      const attributes = { email: "Ada@Example.com", displayName: "Ada Lovelace", groups: "x" }
      const said = yield* judge(yield* response({ nameID: "u-1", attributes }))
      assert.deepInclude(said, { email: "Ada@Example.com", name: "Ada Lovelace", request })
      assert.strictEqual((yield* judge(yield* response())).email, "ada@example.com")
      assert.strictEqual((yield* judge(yield* response({ signs: "both" }))).email, "ada@example.com")
    })
  )

  live("takes any of several certificates, as PEM or as base64", () =>
    Effect.gen(function* () {
      const xml = yield* response()
      const base64 = keys.certificate.replaceAll(/-----[A-Z ]+-----|\s/g, "")
      yield* judge(xml, `${otherKeys.certificate}\n${keys.certificate}`)
      yield* judge(xml, base64)
      assert.strictEqual(yield* refusal(xml, otherKeys.certificate), "signature")
      assert.strictEqual(yield* refusal(xml, "nonsense"), "signature")
      assert.strictEqual(yield* refusal(xml, smallKeys.certificate), "algorithm")
    })
  )

  const bad: ReadonlyArray<readonly [string, Partial<Wanted>, string]> = [
    ["another audience", { audience: "https://docs.example.com/saml/two/metadata" }, "audience"],
    ["another recipient", { recipient: "https://docs.example.com/saml/two/acs" }, "recipient"],
    ["another destination", { destination: "https://docs.example.com/saml/two/acs" }, "recipient"],
    ["another issuer", { issuer: "https://other.example.com" }, "issuer"],
    ["no signature", { signs: "nothing" }, "signature"],
    ["a signature on the response alone", { signs: "response" }, "signature"],
    ["SHA-1", { algorithms: "sha1" }, "algorithm"],
    ["encryption", { encrypts: true }, "assertion"],
    ["no e-mail address", { nameID: "u-1" }, "person"],
    ["no request", { inResponseTo: "" }, "request"]
  ]
  for (const [name, wanted, reason] of bad) {
    live(`refuses a response with ${name}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* refusal(yield* response(wanted)), reason)
      })
    )
  }

  live("refuses one that is signed by another key, which brings its own certificate along", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusal(yield* response({ keys: otherKeys })), "signature")
    })
  )

  live("looks at time by the clock, a minute either way", () =>
    Effect.gen(function* () {
      const xml = yield* response({ lifetimeInSeconds: 300 })
      yield* judge(xml, undefined, 350_000)
      assert.strictEqual(yield* refusal(xml, undefined, 361_000), "time")
      yield* judge(xml, undefined, -50_000)
      assert.strictEqual(yield* refusal(xml, undefined, -61_000), "time")
    })
  )

  for (const [name, signs] of wrappings) {
    live(`refuses ${name} of a response that signs ${signs}`, () =>
      Effect.gen(function* () {
        const xml = wrapped(yield* response({ signs }), name)
        assert.include(xml, "mallory")
        assert.include(["signature", "assertion"], yield* refusal(xml))
      })
    )
  }

  live("reads a name to its end, whatever stands in between", () =>
    Effect.gen(function* () {
      const xml = yield* response({ nameID: "ada@example.com.evil.example" })
      const cut = xml.replace("ada@example.com.evil", "ada@example.com<!-- -->.evil")
      assert.notStrictEqual(cut, xml)
      assert.strictEqual((yield* judge(cut)).email, "ada@example.com.evil.example")
      const processing = xml.replace("ada@example.com.evil", "ada@example.com<?x y?>.evil")
      assert.strictEqual(yield* refusal(processing), "signature")
      const section = xml.replace("ada@example.com.evil", "ada@example.com<![CDATA[.evil]]>")
      assert.strictEqual((yield* judge(section)).email, "ada@example.com.evil.example")
    })
  )

  live("refuses what was changed, doubled, cut or declared", () =>
    Effect.gen(function* () {
      const xml = yield* response({ attributes: { role: "x" } })
      const within = (more: string) => xml.replace("</samlp:Status>", `</samlp:Status>${more}`)
      const twice = changed(xml, (_document, root, assertion) => void root.appendChild(assertion.cloneNode(true)))
      const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
        ["another name", xml.replace("ada@", "eve@"), ["signature"]],
        ["the assertion twice", twice, ["signature", "assertion"]],
        ["no assertion", xml.replace(/<saml:Assertion.*<\/saml:Assertion>/s, ""), ["assertion"]],
        ["half of it", xml.slice(0, xml.length / 2), ["malformed"]],
        ["a document type", `<!DOCTYPE x [<!ENTITY y "z">]>${xml}`, ["malformed"]],
        ["an external entity", `<!DOCTYPE x SYSTEM "file:///etc/passwd">${xml}`, ["malformed"]],
        ["text behind it", `${xml}<x/>`, ["malformed"]],
        ["HTML", "<!doctype html><p>Hi", ["malformed"]],
        ["a comment in a digest", xml.replace(/(<DigestValue>.)/, "$1<!--x-->"), ["signature"]],
        ["HMAC", xml.replace(/[^"]*rsa-sha256/, "http://www.w3.org/2000/09/xmldsig#hmac-sha256"), ["algorithm"]],
        [
          "XSLT",
          xml.replace(/http[^"]*enveloped-signature/, "http://www.w3.org/TR/1999/REC-xslt-19991116"),
          ["algorithm"]
        ],
        ["no algorithm", xml.replace(/<SignatureMethod Algorithm="[^"]*"/, "<SignatureMethod"), ["algorithm"]],
        ["a failure", xml.replace("status:Success", "status:Responder"), ["status"]],
        ["version 1.1", xml.replace('Version="2.0"', 'Version="1.1"'), ["malformed"]],
        ["nothing", "", ["malformed"]],
        ["deep nesting", `${"<a>".repeat(20_000)}${"</a>".repeat(20_000)}`, ["malformed"]],
        ["too much", `${xml}${" ".repeat(100_000)}`, ["malformed"]],
        ["too many elements", within("<a/>".repeat(700)), ["malformed"]],
        ["too deep a tree", within("<a>".repeat(40) + "</a>".repeat(40)), ["malformed"]],
        ["too many ids", within(Array.from({ length: 30 }, (_, i) => `<a ID="i${i}"/>`).join("")), ["malformed"]],
        ["the same id twice", within('<a ID="i"/><a ID="i"/>'), ["signature"]],
        ["too many names", within('<a xmlns:x="y">'.repeat(101) + "</a>".repeat(101)), ["malformed"]]
      ]
      for (const [name, given, reasons] of cases) {
        assert.notStrictEqual(given, xml, name)
        assert.include(reasons, yield* refusal(given), name)
      }
      const { verify } = yield* SamlProtocol
      for (const text of ["%%%", "=", "/w==", "a".repeat(10)]) {
        const failure = yield* Effect.flip(verify({ response: text, service, certificate: keys.certificate }))
        assert.propertyVal(failure, "reason", "malformed")
      }
    })
  )

  live("asks by a request that an identity provider reads", () =>
    Effect.gen(function* () {
      const { requestUrl } = yield* SamlProtocol
      const ssoURL = "https://idp.example.com/sso?tenant=1"
      const url = yield* requestUrl({ service, ssoURL, requestId: "_mine.x-y" })
      assert.isTrue(url.startsWith("https://idp.example.com/sso?tenant=1&SAMLRequest="))
      assert.isFalse(new URL(url).searchParams.has("RelayState"))
      assert.deepInclude(yield* Effect.promise(() => readRequest(url)), {
        id: "_mine.x-y",
        issuer: service.entityID,
        assertionConsumerServiceURL: service.acsURL,
        destination: ssoURL
      })
    })
  )

  live("describes Lectern, with what is special in a URL written as XML has it", () =>
    Effect.gen(function* () {
      const { metadata } = yield* SamlProtocol
      const xml = yield* metadata({ ...service, acsURL: "https://docs.example.com/?a&b" })
      assert.include(xml, `entityID="${service.entityID}"`)
      assert.include(xml, 'Location="https://docs.example.com/?a&amp;b"')
      assert.include(xml, 'WantAssertionsSigned="true"')
    })
  )
})
