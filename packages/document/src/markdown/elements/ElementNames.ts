/** Names of elements: the form of a tag, and whether a line of text can contain it. */
import type { ElementForm } from "../dialect/Dialect.ts"
import { componentForms, directiveForms, shortcodeForms } from "../dialect/Dialects.ts"
import type { ElementTag } from "./ElementTag.ts"

const forms = { component: componentForms, shortcode: shortcodeForms, directive: directiveForms }

export const formOf = ({ name, syntax }: Pick<ElementTag, "name" | "syntax">): ElementForm | undefined =>
  forms[syntax].get(name)

/** Returns true for an element that a line of text may contain. On a line of its own, it is a block. */
export const isInlineForm = ({ kind }: ElementForm): boolean =>
  kind === "link" || kind === "hidden" || kind === "group" || kind === "image"

/** Returns true for the name of a component, not of an element of HTML. */
export const isComponent = (name: string): boolean => name === "" || /^[A-Z]|\./.test(name)

/** Returns true for the shortcodes whose value is the path of a page. */
export const isReference = (name: string): boolean => name === "ref" || name === "relref"

const wrappers = new Set("div section article main aside center header footer details".split(" "))

/** Returns true for elements of HTML whose content is Markdown in MDX. */
export const isWrapper = (name: string): boolean => wrappers.has(name)

const voidElements = new Set("area base br col embed hr img input link meta param source track wbr".split(" "))

export const isVoid = (name: string): boolean => voidElements.has(name)
