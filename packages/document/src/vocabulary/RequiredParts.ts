/**
 * Parts that every block and inline of a type has, even if they are empty, because clients of the hosted service rely
 * on them. Unlisted types have no required parts.
 */
import { blockTypes, isBlockType } from "./BlockTypes.ts"
import { namesOf } from "./Field.ts"
import { inlineTypes, isInlineType } from "./InlineTypes.ts"

export interface Parts {
  readonly data?: { readonly [name: string]: unknown }
  readonly isVoid?: true
  readonly nodes?: readonly []
  readonly fragments?: readonly []
}

const ofBlocks = new Map(
  Object.entries(blockTypes).map(([type, spec]): [string, Parts] => {
    const { is, fields, fragments, hasFragmentsBeside, mayLackFragments, mayLackData, isVoid } = spec
    const holdsNothing = is === "void" || is === "table"
    const isListed = fragments !== undefined && hasFragmentsBeside !== true && mayLackFragments !== true
    const properties = namesOf(fields, ({ kind, isRequired }) => kind === "properties" && isRequired === true)
    return [
      type,
      {
        ...(mayLackData !== true && { data: Object.fromEntries(properties.map((name) => [name, {}])) }),
        ...((holdsNothing || isVoid === true) && { isVoid: true }),
        ...(!holdsNothing && { nodes: [] }),
        ...((is === "table" || isListed) && { fragments: [] })
      }
    ]
  })
)

const ofInlines = new Map(
  Object.entries(inlineTypes).map(([type, { is, fragments, mayLackData }]): [string, Parts] => [
    type,
    {
      ...(mayLackData !== true && { data: {} }),
      ...((is === "void" || fragments !== undefined) && { isVoid: true }),
      ...(is === "text" && { nodes: [] }),
      ...(fragments !== undefined && { fragments: [] })
    }
  ])
)

const none: Parts = {}

export const ofBlock = (type: string): Parts => (isBlockType(type) ? ofBlocks.get(type)! : none)
export const ofInline = (type: string): Parts => (isInlineType(type) ? ofInlines.get(type)! : none)
