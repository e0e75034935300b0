/**
 * An authenticator of a browser, in software: creates and uses passkeys with real signatures (ES256). Each part of a
 * response can be replaced, so that tests attack with it.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import type { CreationOptions, RequestOptions } from "@lectern/sign-in/passkey/PasskeyOptions"

const flags = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, credential: 0x40 }

/** Differences from an honest browser and authenticator. */
export interface Forgery {
  readonly origin?: string
  readonly domain?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  /** False for an authenticator that did not ask for a PIN. */
  readonly isPersonVerified?: boolean
  readonly isPersonPresent?: boolean
  readonly counter?: number
  readonly userHandle?: string
  /** True to sign with another key. */
  readonly otherKey?: boolean
  /** Attestation in place of `none`. */
  readonly attestation?: { readonly format: string; readonly statement: Buffer }
}

export interface SoftwarePasskey {
  readonly id: string
  readonly key: KeyObject
  readonly user: string
  counter: number
}

export class SoftwareAuthenticator {
  readonly passkeys: Array<SoftwarePasskey> = []
  readonly origin: string

  constructor(origin = "http://localhost:4000") {
    this.origin = origin
  }

  /** Returns the response of `navigator.credentials.create` as JSON. */
  create(options: CreationOptions, forgery: Forgery = {}): string {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const id = randomBytes(32)
    const passkey: SoftwarePasskey = {
      id: id.toString("base64url"),
      key: privateKey,
      user: options.user.id,
      counter: 0
    }
    const { x, y } = publicKey.export({ format: "jwk" })
    const cose = map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x!, "base64url"))],
      [integer(-3), bytes(Buffer.from(y!, "base64url"))]
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const data = Buffer.concat([
      this.#authenticatorData(options.rp.id, passkey, forgery, flags.credential),
      Buffer.alloc(16),
      length,
      id,
      cose
    ])
    const { format, statement } = forgery.attestation ?? { format: "none", statement: map([]) }
    const attestation = map([
      [text("fmt"), text(format)],
      [text("attStmt"), statement],
      [text("authData"), bytes(data)]
    ])
    this.passkeys.push(passkey)
    return JSON.stringify({
      id: passkey.id,
      rawId: passkey.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData("webauthn.create", options.challenge, forgery).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal", "hybrid", "invented"]
      }
    })
  }

  /** Returns the response of `navigator.credentials.get` as JSON, with the last passkey. */
  get(options: RequestOptions, forgery: Forgery = {}, passkey = this.passkeys.at(-1)!): string {
    passkey.counter = forgery.counter ?? passkey.counter + 1
    const clientData = this.#clientData("webauthn.get", options.challenge, forgery)
    const data = this.#authenticatorData(options.rpId, passkey, forgery)
    const key = forgery.otherKey ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : passkey.key
    const signed = Buffer.concat([data, createHash("sha256").update(clientData).digest()])
    return JSON.stringify({
      id: passkey.id,
      rawId: passkey.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, key).toString("base64url"),
        userHandle: forgery.userHandle ?? passkey.user
      }
    })
  }

  #clientData(type: string, challenge: string, forgery: Forgery): Buffer {
    const { origin = this.origin, crossOrigin = false } = forgery
    return Buffer.from(
      JSON.stringify({ type: forgery.type ?? type, challenge: forgery.challenge ?? challenge, origin, crossOrigin })
    )
  }

  #authenticatorData(domain: string, { counter }: SoftwarePasskey, forgery: Forgery, more = 0): Buffer {
    const { isPersonVerified = true, isPersonPresent = true } = forgery
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const bits =
      more |
      flags.backupEligible |
      flags.backedUp |
      (isPersonPresent ? flags.present : 0) |
      (isPersonVerified ? flags.verified : 0)
    return Buffer.concat([
      createHash("sha256")
        .update(forgery.domain ?? domain)
        .digest(),
      Buffer.of(bits),
      count
    ])
  }
}

const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.of((major << 5) | value)
  if (value < 256) return Buffer.of((major << 5) | 24, value)
  return Buffer.of((major << 5) | 25, value >> 8, value & 255)
}
const integer = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value))
const bytes = (content: Buffer) => Buffer.concat([head(2, content.length), content])
const text = (content: string) => Buffer.concat([head(3, content.length), Buffer.from(content)])
const list = (items: ReadonlyArray<Buffer>) => Buffer.concat([head(4, items.length), ...items])
const map = (entries: ReadonlyArray<readonly [Buffer, Buffer]>) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])

/** Attestation with a certificate, which names a list of revoked certificates at this URL. */
export const certificateAttestation = (certificate: Buffer) => ({
  format: "packed",
  statement: map([
    [text("alg"), integer(-7)],
    [text("sig"), bytes(Buffer.alloc(70))],
    [text("x5c"), list([bytes(certificate)])]
  ])
})
