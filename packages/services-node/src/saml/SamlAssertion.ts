/** Reads a signed assertion from exactly the text that is signed. */
import type { Assertion, SubjectConfirmation } from "@lectern/core/sso/Assertion"
import { samlRefusal } from "./SamlRefusal.ts"
import { attributeOf, childrenNamed, parseXml } from "./SamlXml.ts"

/** Returns all text of an element, so that a comment in the text does not cut it off. */
const textOf = (element: Element | undefined): string | undefined => element?.textContent?.trim()

const nonEmpty = <const Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [K in Name]?: string }

/** Returns the only element. Undefined for an empty list. Throws if the list has several elements. */
const single = (elements: ReadonlyArray<Element>): Element | undefined => {
  if (elements.length > 1) throw samlRefusal("assertion", "It says something twice that can be said once")
  return elements[0]
}

export const readAssertion = (signed: string): Assertion => {
  const assertion = parseXml(signed)
  const childrenOf = (name: string) => childrenNamed(assertion, "assertion", name)
  const id = attributeOf(assertion, "ID")
  const issuer = textOf(single(childrenOf("Issuer")))
  const subject = single(childrenOf("Subject"))
  const conditions = single(childrenOf("Conditions"))
  if (id === undefined || issuer === undefined || subject === undefined || conditions === undefined) {
    throw samlRefusal("assertion", "Its assertion lacks an issuer, a subject or conditions")
  }
  const session = childrenOf("AuthnStatement").flatMap(
    (statement) => attributeOf(statement, "SessionNotOnOrAfter") ?? []
  )
  return {
    id,
    issuer,
    ...nonEmpty("nameID", textOf(single(childrenNamed(subject, "assertion", "NameID")))),
    confirmations: childrenNamed(subject, "assertion", "SubjectConfirmation").map(readConfirmation),
    ...nonEmpty("notBefore", attributeOf(conditions, "NotBefore")),
    ...nonEmpty("notOnOrAfter", attributeOf(conditions, "NotOnOrAfter")),
    audiences: childrenNamed(conditions, "assertion", "AudienceRestriction").map((restriction) =>
      childrenNamed(restriction, "assertion", "Audience").flatMap((audience) => textOf(audience) ?? [])
    ),
    ...nonEmpty("sessionNotOnOrAfter", session.toSorted()[0]),
    attributes: readAttributes(childrenOf("AttributeStatement"))
  }
}

const readConfirmation = (confirmation: Element): SubjectConfirmation => {
  const data = single(childrenNamed(confirmation, "assertion", "SubjectConfirmationData"))
  const read = (name: string) => data && attributeOf(data, name)
  return {
    method: attributeOf(confirmation, "Method") ?? "",
    ...nonEmpty("recipient", read("Recipient")),
    ...nonEmpty("inResponseTo", read("InResponseTo")),
    ...nonEmpty("notBefore", read("NotBefore")),
    ...nonEmpty("notOnOrAfter", read("NotOnOrAfter"))
  }
}

const readAttributes = (statements: ReadonlyArray<Element>): Assertion["attributes"] => {
  const attributes = new Map<string, ReadonlyArray<string>>()
  for (const statement of statements) {
    for (const attribute of childrenNamed(statement, "assertion", "Attribute")) {
      const name = attributeOf(attribute, "Name") ?? ""
      const values = childrenNamed(attribute, "assertion", "AttributeValue").flatMap((value) => textOf(value) ?? [])
      attributes.set(name, [...(attributes.get(name) ?? []), ...values])
    }
  }
  return attributes
}
