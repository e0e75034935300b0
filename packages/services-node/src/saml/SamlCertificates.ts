/** The certificates in a text: PEM, several of them too, or the base64 of one. */
import { Buffer } from "node:buffer"
import { X509Certificate } from "node:crypto"
import { refused } from "./SamlRefusal.ts"

const minBits = 2048

/** Each as PEM; refused where one can't be used. */
export const certificatesIn = (text: string): Array<string> => {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [text]
  return blocks.map((block) => {
    const certificate = read(block)
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    if (asymmetricKeyType !== "rsa" || (asymmetricKeyDetails?.modulusLength ?? 0) < minBits) {
      throw refused("algorithm", `The certificate of this provider is not for an RSA key of ${minBits} bits or more`)
    }
    return certificate.toString()
  })
}

const read = (block: string): X509Certificate => {
  try {
    return new X509Certificate(block.startsWith("-----") ? block : Buffer.from(block, "base64"))
  } catch {
    throw refused("signature", "The certificate that is entered for this provider can't be read")
  }
}
