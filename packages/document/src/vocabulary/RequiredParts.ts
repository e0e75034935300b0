/**
 * Parts that every block and inline of a type has, even if they are empty, because clients of the hosted service rely
 * on them. Unlisted types have no required parts.
 */
import { blockTypes, isBlockType } from "./BlockTypes.ts"
import { fieldNames } from "./Field.ts"
import { inlineTypes, isInlineType } from "./InlineTypes.ts"

export interface Parts {
  readonly data?: { readonly [name: string]: unknown }
  readonly isVoid?: true
  readonly nodes?: readonly []
  readonly fragments?: readonly []
}

const blockParts = new Map(
  Object.entries(blockTypes).map(([type, spec]): [string, Parts] => {
    const { contentKind, fields, fragments, omitsFragmentsOnWire, areFragmentsOptional, isDataOptional, isVoid } = spec
    const hasNoNodes = contentKind === "void" || contentKind === "table"
    const alwaysHasFragments = fragments !== undefined && omitsFragmentsOnWire !== true && areFragmentsOptional !== true
    const properties = fieldNames(fields, ({ kind, isRequired }) => kind === "properties" && isRequired === true)
    return [
      type,
      {
        ...(isDataOptional !== true && { data: Object.fromEntries(properties.map((name) => [name, {}])) }),
        ...((hasNoNodes || isVoid === true) && { isVoid: true }),
        ...(!hasNoNodes && { nodes: [] }),
        ...((contentKind === "table" || alwaysHasFragments) && { fragments: [] })
      }
    ]
  })
)

const inlineParts = new Map(
  Object.entries(inlineTypes).map(([type, { contentKind, fragments, isDataOptional }]): [string, Parts] => [
    type,
    {
      ...(isDataOptional !== true && { data: {} }),
      ...((contentKind === "void" || fragments !== undefined) && { isVoid: true }),
      ...(contentKind === "text" && { nodes: [] }),
      ...(fragments !== undefined && { fragments: [] })
    }
  ])
)

const noParts: Parts = {}

export const requiredBlockParts = (type: string): Parts => (isBlockType(type) ? blockParts.get(type)! : noParts)
export const requiredInlineParts = (type: string): Parts => (isInlineType(type) ? inlineParts.get(type)! : noParts)
