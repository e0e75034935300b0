/**
 * Checks the structure of a response before its signatures are verified. It must contain exactly one assertion at its
 * expected position, with exactly one signature. Nothing else may exist that a signature could refer to. Nearly all
 * known attacks on signed responses move parts of them (XSW), or make two parsers read them differently. A response
 * with a fixed structure withstands both.
 *
 * Limits: 128 KiB of base64, 600 elements, depth 32, 2,000 attributes, 20 ids, 100 namespace declarations. The time to
 * verify signatures grows with the square of these numbers, and anyone may post a response.
 */
import { Buffer } from "node:buffer"
import type { ServiceProvider } from "@lectern/core/sso/SamlProtocol"
import { samlRefusal } from "./SamlRefusal.ts"
import { attributeOf, childrenNamed, childrenOf, isElement, namespaces, nodesIn, parseXml } from "./SamlXml.ts"

const maxLength = 128 * 1024
const maxElements = 600
const maxDepth = 32
const maxAttributes = 2_000
const maxIds = 20
const maxDeclarations = 100

const decoder = new TextDecoder("utf-8", { fatal: true })

export const decodeResponse = (posted: string): { readonly text: string; readonly base64: string } => {
  if (posted.length > maxLength) throw samlRefusal("malformed", "It is larger than 128 KiB")
  const base64 = posted.replace(/\s+/g, "")
  if (base64 === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw samlRefusal("malformed", "It is not base64")
  try {
    return { text: decoder.decode(Buffer.from(base64, "base64")), base64 }
  } catch {
    throw samlRefusal("malformed", "It is not UTF-8")
  }
}

const success = "urn:oasis:names:tc:SAML:2.0:status:Success"

const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"

/** Allowed algorithms by element name. */
const algorithms: Readonly<Record<string, ReadonlySet<string>>> = {
  CanonicalizationMethod: new Set([exclusive, `${exclusive}WithComments`]),
  Transform: new Set([exclusive, `${exclusive}WithComments`, `${namespaces.signature}enveloped-signature`]),
  SignatureMethod: new Set([
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1"
  ]),
  DigestMethod: new Set(["http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmlenc#sha512"])
}

export const checkResponse = (text: string, { acsURL }: ServiceProvider): { readonly isResponseSigned: boolean } => {
  checkTags(text)
  const response = parseXml(text)
  if (
    response.localName !== "Response" ||
    response.namespaceURI !== namespaces.protocol ||
    attributeOf(response, "Version") !== "2.0"
  ) {
    throw samlRefusal("malformed", "It is no response of SAML 2.0")
  }
  const destination = attributeOf(response, "Destination")
  if (destination !== undefined && destination !== acsURL) {
    throw samlRefusal("recipient", "It is meant for another address")
  }
  checkStatus(response)
  const elements = Array.from(nodesIn(response)).filter(isElement)
  checkSize(response, elements)
  checkIds(elements)
  const assertion = singleAssertion(response, elements)
  const signatures = elements.filter(({ localName }) => localName === "Signature")
  for (const signature of signatures) checkSignature(signature, [response, assertion])
  if (signatures.filter(({ parentNode }) => parentNode === assertion).length !== 1) {
    throw samlRefusal("signature", "Its assertion is not signed by itself, or more than once")
  }
  return { isResponseSigned: signatures.length > 1 }
}

const tooLarge = () => samlRefusal("malformed", "It holds more than it takes to sign someone on")

/**
 * Counts tags and namespace declarations before the text is parsed, since the parser copies each declaration to all
 * elements below.
 */
const checkTags = (text: string) => {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (count(/</g) > maxElements * 2 || count(/\bxmlns\b/g) > maxDeclarations) throw tooLarge()
}

const checkSize = (response: Element, elements: ReadonlyArray<Element>) => {
  const attributes = elements.reduce((sum, element) => sum + element.attributes.length, 0)
  if (elements.length > maxElements || attributes > maxAttributes) throw tooLarge()
  for (const element of elements) {
    let depth = 0
    for (let ancestor: Node | null = element; ancestor !== response; ancestor = ancestor?.parentNode ?? response) {
      if (++depth >= maxDepth) throw tooLarge()
    }
  }
}

const checkStatus = (response: Element) => {
  const [status] = childrenNamed(response, "protocol", "Status")
  const [code] = status === undefined ? [] : childrenNamed(status, "protocol", "StatusCode")
  const value = code && attributeOf(code, "Value")
  if (value === success) return
  const name = /^[\w.:-]*:(\w{1,50})$/.exec(value ?? "")?.[1]
  throw samlRefusal("status", name === undefined ? "It says that it failed" : `It says that it failed: ${name}`)
}

const checkIds = (elements: ReadonlyArray<Element>) => {
  const ids = new Set<string>()
  for (const { attributes } of elements) {
    for (let i = 0; i < attributes.length; i++) {
      const attribute = attributes.item(i)!
      if ((attribute.localName ?? attribute.name).toLowerCase() !== "id") continue
      if (ids.has(attribute.value)) throw samlRefusal("signature", "Two of its elements have the same id")
      if (ids.size === maxIds) throw tooLarge()
      ids.add(attribute.value)
    }
  }
}

const singleAssertion = (response: Element, elements: ReadonlyArray<Element>): Element => {
  if (elements.some(({ localName }) => localName?.startsWith("Encrypted"))) {
    throw samlRefusal("assertion", "It is encrypted, which is not supported: turn encryption of assertions off")
  }
  const [assertion, ...otherAssertions] = elements.filter(({ localName }) => localName === "Assertion")
  if (assertion === undefined) throw samlRefusal("assertion", "It holds no assertion")
  if (otherAssertions.length > 0) throw samlRefusal("assertion", "It holds more than one assertion")
  if (elements.filter(({ localName }) => localName === "Response").length > 1) {
    throw samlRefusal("assertion", "It holds another response")
  }
  if (assertion.parentNode !== response || assertion.namespaceURI !== namespaces.assertion) {
    throw samlRefusal("assertion", "Its assertion is not where it belongs")
  }
  return assertion
}

const signatureParts = new Set(["SignedInfo", "SignatureValue", "KeyInfo"])

const checkSignature = (signature: Element, places: ReadonlyArray<Element>) => {
  const parts = childrenOf(signature).map(({ localName }) => localName ?? "")
  if (
    signature.namespaceURI !== namespaces.signature ||
    !places.some((place) => place === signature.parentNode) ||
    parts.some((part, i) => !signatureParts.has(part) || parts.indexOf(part) !== i)
  ) {
    throw samlRefusal("signature", "It has a signature that is not where it belongs, or holds what it must not")
  }
  for (const node of nodesIn(signature)) {
    // Comments in signatures are rejected, since parsers differ in how they read a text that a comment splits.
    if (node.nodeType === 8 || node.nodeType === 7) throw samlRefusal("signature", "It has comments in its signature")
    if (isElement(node)) checkAlgorithm(node)
  }
}

const checkAlgorithm = (element: Element) => {
  const allowed = algorithms[element.localName ?? ""]
  const algorithm = attributeOf(element, "Algorithm")
  if (allowed === undefined ? algorithm !== undefined : !allowed.has(algorithm ?? "")) {
    throw samlRefusal("algorithm", "It is signed by means that are not accepted: use RSA with SHA-256")
  }
}
