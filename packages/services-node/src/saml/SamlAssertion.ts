/** Reads a signed assertion from exactly the text that is signed. */
import type { Assertion, SubjectConfirmation } from "@lectern/core/sso/Assertion"
import { refused } from "./SamlRefusal.ts"
import { attributeOf, childrenNamed, parseXml } from "./SamlXml.ts"

/** Returns all text of an element, so that a comment in the text does not cut it off. */
const textOf = (element: Element | undefined): string | undefined => element?.textContent?.trim()

const some = <const Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [K in Name]?: string }

/** Returns the only element. Undefined for an empty list. Throws if the list has several elements. */
const only = (elements: ReadonlyArray<Element>): Element | undefined => {
  if (elements.length > 1) throw refused("assertion", "It says something twice that can be said once")
  return elements[0]
}

export const readAssertion = (signed: string): Assertion => {
  const assertion = parseXml(signed)
  const within = (name: string) => childrenNamed(assertion, "assertion", name)
  const id = attributeOf(assertion, "ID")
  const issuer = textOf(only(within("Issuer")))
  const subject = only(within("Subject"))
  const conditions = only(within("Conditions"))
  if (id === undefined || issuer === undefined || subject === undefined || conditions === undefined) {
    throw refused("assertion", "Its assertion lacks an issuer, a subject or conditions")
  }
  const session = within("AuthnStatement").flatMap((one) => attributeOf(one, "SessionNotOnOrAfter") ?? [])
  return {
    id,
    issuer,
    ...some("nameID", textOf(only(childrenNamed(subject, "assertion", "NameID")))),
    confirmations: childrenNamed(subject, "assertion", "SubjectConfirmation").map(readConfirmation),
    ...some("notBefore", attributeOf(conditions, "NotBefore")),
    ...some("notOnOrAfter", attributeOf(conditions, "NotOnOrAfter")),
    audiences: childrenNamed(conditions, "assertion", "AudienceRestriction").map((restriction) =>
      childrenNamed(restriction, "assertion", "Audience").flatMap((audience) => textOf(audience) ?? [])
    ),
    ...some("sessionNotOnOrAfter", session.toSorted()[0]),
    attributes: readAttributes(within("AttributeStatement"))
  }
}

const readConfirmation = (confirmation: Element): SubjectConfirmation => {
  const data = only(childrenNamed(confirmation, "assertion", "SubjectConfirmationData"))
  const read = (name: string) => data && attributeOf(data, name)
  return {
    method: attributeOf(confirmation, "Method") ?? "",
    ...some("recipient", read("Recipient")),
    ...some("inResponseTo", read("InResponseTo")),
    ...some("notBefore", read("NotBefore")),
    ...some("notOnOrAfter", read("NotOnOrAfter"))
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
