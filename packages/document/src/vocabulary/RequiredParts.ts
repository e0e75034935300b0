/**
 * Parts that every block and inline of a type has, empty ones included: readers of the hosted service's vocabulary count
 * on them. Types that are not listed have none.
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

/** Types that may say nothing but what is in them. */
const withoutData = new Set([
  "paragraph",
  "blockquote",
  "list-item",
  "list-tasks",
  "list-unordered",
  "stepper",
  "tabs",
  // Those that the hosted service lacks.
  "footnote-definition",
  "annotation",
  "hard-break"
])

/** Blocks around others that are marked as void all the same. */
const voidAround = new Set(["columns", "images"])

const ofBlocks = new Map(
  Object.entries(blockTypes).map(([type, { is, fields, fragments, hasFragmentsBeside }]): [string, Parts] => {
    const isVoid = is === "void" || is === "table"
    const properties = namesOf(fields, ({ kind, isRequired }) => kind === "properties" && isRequired === true)
    return [
      type,
      {
        ...(!withoutData.has(type) && { data: Object.fromEntries(properties.map((name) => [name, {}])) }),
        ...((isVoid || voidAround.has(type)) && { isVoid: true }),
        ...(!isVoid && { nodes: [] }),
        ...((is === "table" || (fragments !== undefined && hasFragmentsBeside !== true)) && { fragments: [] })
      }
    ]
  })
)

const ofInlines = new Map(
  Object.entries(inlineTypes).map(([type, { is, fragments }]): [string, Parts] => [
    type,
    {
      ...(!withoutData.has(type) && { data: {} }),
      ...((is === "void" || fragments !== undefined) && { isVoid: true }),
      ...(is === "text" && { nodes: [] }),
      ...(fragments !== undefined && { fragments: [] })
    }
  ])
)

const none: Parts = {}

export const ofBlock = (type: string): Parts => (isBlockType(type) ? ofBlocks.get(type)! : none)
export const ofInline = (type: string): Parts => (isInlineType(type) ? ofInlines.get(type)! : none)
