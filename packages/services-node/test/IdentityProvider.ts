/** SAML responses of an identity provider, created with `samlp`, valid or with errors that a test requests. */
import { Buffer } from "node:buffer"
import samlp, { type ParsedRequest } from "samlp"
import { generate } from "selfsigned"

export interface Keys {
  readonly key: string
  readonly certificate: string
}

export const makeKeys = async (bits = 2048): Promise<Keys> => {
  const made = await generate([{ name: "commonName", value: "idp.example.com" }], {
    keySize: bits,
    algorithm: "sha256"
  })
  return { key: made.private, certificate: made.cert }
}

export interface Wanted {
  readonly keys: Keys
  readonly issuer: string
  readonly acsURL: string
  readonly audience: string
  readonly inResponseTo?: string
  readonly nameID?: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly recipient?: string
  readonly destination?: string
  readonly lifetimeInSeconds?: number
  readonly algorithms?: "sha256" | "sha1"
  readonly signs?: "assertion" | "response" | "both" | "nothing"
  readonly encrypts?: boolean
}

/** Creates a response as XML. */
export const respond = (wanted: Wanted): Promise<string> => {
  const {
    keys,
    acsURL,
    algorithms = "sha256",
    signs = "assertion",
    nameID = "ada@example.com",
    attributes = {}
  } = wanted
  return new Promise((resolve, reject) =>
    samlp.getSamlResponse(
      {
        issuer: wanted.issuer,
        key: keys.key,
        cert: keys.certificate,
        audience: wanted.audience,
        recipient: wanted.recipient ?? acsURL,
        destination: wanted.destination ?? acsURL,
        ...(wanted.inResponseTo !== undefined && { inResponseTo: wanted.inResponseTo }),
        lifetimeInSeconds: wanted.lifetimeInSeconds ?? 300,
        signatureAlgorithm: `rsa-${algorithms}`,
        digestAlgorithm: algorithms,
        signAssertion: signs === "assertion" || signs === "both",
        signResponse: signs === "response" || signs === "both",
        ...(wanted.encrypts === true && { encryptionPublicKey: keys.certificate, encryptionCert: keys.certificate }),
        profileMapper: () => ({
          getClaims: () => attributes,
          getNameIdentifier: () => ({
            nameIdentifier: nameID,
            nameIdentifierFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
          })
        })
      },
      {},
      (error, xml) => (error === null ? resolve(xml) : reject(error))
    )
  )
}

/** Parses a request to the identity provider from its URL. */
export const readRequest = (url: string): Promise<ParsedRequest> =>
  new Promise((resolve, reject) =>
    samlp.parseRequest(
      { query: { SAMLRequest: new URL(url).searchParams.get("SAMLRequest") ?? "" } },
      (error, parsed) => (error === null ? resolve(parsed) : reject(error))
    )
  )

export const encoded = (xml: string): string => Buffer.from(xml).toString("base64")
