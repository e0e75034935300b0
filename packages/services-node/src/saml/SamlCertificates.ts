/** Parses certificates: one or several in PEM, or one in base64. */
import { Buffer } from "node:buffer"
import { X509Certificate } from "node:crypto"
import type { SignOnRefused } from "@lectern/core/sso/SignOnRecord"
import { samlRefusal } from "./SamlRefusal.ts"

const minBits = 2048

interface CertificateProblem {
  readonly reason: SignOnRefused["reason"]
  readonly message: string
}

const isUnusable = (read: X509Certificate | CertificateProblem): read is CertificateProblem => "message" in read

const read = (text: string): ReadonlyArray<X509Certificate | CertificateProblem> =>
  (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [text]).map((block) => {
    const certificate = parse(block)
    if (certificate === undefined) {
      return { reason: "signature", message: "The certificate that is entered for this provider can't be read" }
    }
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= minBits
      ? certificate
      : {
          reason: "algorithm",
          message: `The certificate of this provider is not for an RSA key of ${minBits} bits or more`
        }
  })

/** Parses a certificate. Undefined if the certificate or its key cannot be read. */
const parse = (block: string): X509Certificate | undefined => {
  try {
    const certificate = new X509Certificate(block.startsWith("-----") ? block : Buffer.from(block, "base64"))
    return certificate.publicKey && certificate
  } catch {
    return undefined
  }
}

/** Returns each certificate as PEM. Throws if one is unusable. */
export const certificatesIn = (text: string): Array<string> =>
  read(text).map((each) => {
    if (isUnusable(each)) throw samlRefusal(each.reason, each.message)
    return each.toString()
  })

/** Returns why the certificates are unusable. Undefined if all are usable. */
export const problemOf = (text: string): string | undefined => read(text).find(isUnusable)?.message
