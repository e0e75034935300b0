/** Parses XML strictly, with the parser that the signature library uses. */
import { DOMParser } from "@xmldom/xmldom"
import { samlRefusal } from "./SamlRefusal.ts"

export const namespaces = {
  protocol: "urn:oasis:names:tc:SAML:2.0:protocol",
  assertion: "urn:oasis:names:tc:SAML:2.0:assertion",
  signature: "http://www.w3.org/2000/09/xmldsig#"
} as const

const malformed = (): never => {
  throw samlRefusal("malformed", "It is not well-formed XML")
}

/**
 * Parses XML, and rejects any error in it. A parser that continues after an error could read something that the signer
 * did not mean.
 */
export const parseXml = (text: string): Element => {
  // Document types and entities are rejected, since they are never needed and enable attacks.
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw samlRefusal("malformed", "It declares a document type")
  const document = readDocument(text)
  const { documentElement } = document
  return documentElement ?? malformed()
}

const readDocument = (text: string): Document => {
  const errorHandler = { warning: malformed, error: malformed, fatalError: malformed }
  try {
    return new DOMParser({ locator: {}, errorHandler }).parseFromString(text, "text/xml")
  } catch {
    return malformed()
  }
}

export const isElement = (node: Node): node is Element => node.nodeType === 1

const nodesOf = (list: NodeListOf<ChildNode>): ReadonlyArray<ChildNode> =>
  Array.from({ length: list.length }, (_, i) => list.item(i))

export const childrenOf = (element: Element): ReadonlyArray<Element> =>
  element.childNodes === null ? [] : nodesOf(element.childNodes).filter(isElement)

export const childrenNamed = (
  element: Element,
  namespace: keyof typeof namespaces,
  name: string
): ReadonlyArray<Element> =>
  childrenOf(element).filter((child) => child.localName === name && child.namespaceURI === namespaces[namespace])

/** Yields a node and all nodes below it. */
export function* nodesIn(root: Node): Generator<Node> {
  const pendingNodes: Array<Node> = [root]
  for (let node = pendingNodes.pop(); node !== undefined; node = pendingNodes.pop()) {
    yield node
    for (let child = node.lastChild; child !== null; child = child.previousSibling) pendingNodes.push(child)
  }
}

/** Returns an attribute without a namespace. Undefined if it is missing. */
export const attributeOf = (element: Element, name: string): string | undefined =>
  element.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined
