/** Extracts the comments and the declared names of a TypeScript file, with their lines. */
import { basename } from "node:path"
import { parseSync, Visitor } from "rolldown/utils"

export interface Comment {
  /** Number of the first line, from 1. */
  readonly line: number
  /** Number of the last line. */
  readonly lastLine: number
  readonly isDoc: boolean
  /** The words in one line, without the comment's delimiters. */
  readonly text: string
}

export interface DeclaredName {
  readonly name: string
  /** Number of the line, from 1. */
  readonly line: number
  /**
   * `module`: the file. `member`: of a class, interface or type. `constant`: a variable or function of the module.
   * `local`: a variable, function or parameter within one.
   */
  readonly kind: "module" | "type" | "member" | "constant" | "local"
}

/** Comments that tools read. */
const directive = /^(?:\/|!|#|\s*(?:@ts-|oxlint-|eslint-|prettier-|oxfmt-|v8 ignore|c8 ignore|<reference|@__PURE__))/

const lineStarts = (text: string): ReadonlyArray<number> =>
  [0].concat(Array.from(text.matchAll(/\n/g), ({ index }) => index + 1))

/** Returns a function from an offset in the text to the number of its line. */
const lineNumbers = (text: string) => {
  const starts = lineStarts(text)
  return (offset: number): number => {
    const after = starts.findIndex((start) => start > offset)
    return after === -1 ? starts.length : after
  }
}

/** Returns the comments of a file. Consecutive line comments are one comment. */
export const commentsOf = (file: string, text: string): ReadonlyArray<Comment> => {
  const lineAt = lineNumbers(text)
  const comments: Array<Comment & { readonly isLine: boolean }> = []
  for (const { type, value, start, end } of parseSync(file, text).comments) {
    if (directive.test(value)) continue
    const isLine = type === "Line"
    const line = lineAt(start)
    const words = value
      .replace(/^\*/, "")
      .replace(/^[ \t]*\* ?/gm, "")
      .replace(/\s+/g, " ")
      .trim()
    const lastComment = comments.at(-1)
    const isAlone = text.slice(text.lastIndexOf("\n", start) + 1, start).trim() === ""
    if (isLine && isAlone && lastComment?.isLine === true && lastComment.lastLine === line - 1) {
      comments[comments.length - 1] = { ...lastComment, lastLine: line, text: `${lastComment.text} ${words}` }
    } else {
      const isDoc = !isLine && value.startsWith("*")
      comments.push({ line, lastLine: lineAt(end), isDoc, isLine, text: words })
    }
  }
  return comments.filter((comment) => comment.text !== "")
}

type Statement = ReturnType<typeof parseSync>["program"]["body"][number]

interface Named {
  readonly name: string
  readonly start: number
}

/** A node of a pattern, such as a parameter: the fields that bind names. */
interface Pattern {
  readonly type: string
  readonly start: number
  readonly name?: unknown
  readonly left?: unknown
  readonly argument?: unknown
  readonly parameter?: unknown
  readonly elements?: unknown
  readonly properties?: unknown
}

/** Returns the names that a pattern binds, except names that a destructured property has already. */
const boundNames = (node: unknown): ReadonlyArray<Named> => {
  if (node === null || node === undefined) return []
  const { type, start, name, left, argument, parameter, elements, properties } = node as Pattern
  switch (type) {
    case "Identifier":
      return [{ name: String(name), start }]
    case "AssignmentPattern":
      return boundNames(left)
    case "RestElement":
      return boundNames(argument)
    case "TSParameterProperty":
      return boundNames(parameter)
    case "ArrayPattern":
      return (elements as ReadonlyArray<unknown>).flatMap(boundNames)
    case "ObjectPattern":
      return (
        properties as ReadonlyArray<Pattern & { readonly shorthand?: boolean; readonly value?: unknown }>
      ).flatMap((property) =>
        property.type === "RestElement" ? boundNames(property) : property.shorthand ? [] : boundNames(property.value)
      )
    default:
      return []
  }
}

/** Returns the names of variables and functions that a statement of a module declares. */
const constantsOf = (statement: Statement): ReadonlyArray<Named> => {
  const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
  if (declared?.type === "VariableDeclaration") return declared.declarations.flatMap(({ id }) => boundNames(id))
  return declared?.type === "FunctionDeclaration" ? boundNames(declared.id) : []
}

/** Returns the names that a file declares, with its own name first. */
export const declaredNamesOf = (file: string, text: string): ReadonlyArray<DeclaredName> => {
  const lineAt = lineNumbers(text)
  const names: Array<DeclaredName> = [{ name: basename(file).replace(/\..*$/, ""), line: 1, kind: "module" }]
  const { program } = parseSync(file, text)
  const constants = new Set(program.body.flatMap(constantsOf).map(({ start }) => start))
  const add = (kind: DeclaredName["kind"], declared: ReadonlyArray<Named>) => {
    for (const { name, start } of declared) {
      names.push({ name, line: lineAt(start), kind: constants.has(start) ? "constant" : kind })
    }
  }
  const addType = ({ id }: { readonly id: unknown }) => add("type", boundNames(id))
  const addParameters = ({ params }: { readonly params: ReadonlyArray<unknown> }) =>
    add("local", params.flatMap(boundNames))
  const addFunction = (node: { readonly id: unknown; readonly params: ReadonlyArray<unknown> }) => {
    add("local", boundNames(node.id))
    addParameters(node)
  }
  const addMember = ({ key, computed }: { readonly key: object; readonly computed: boolean }) => {
    if (!computed && "name" in key) add("member", [key as Named])
  }
  new Visitor({
    VariableDeclarator: ({ id }) => add("local", boundNames(id)),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addParameters,
    TSFunctionType: addParameters,
    TSMethodSignature: (node) => {
      addMember(node)
      addParameters(node)
    },
    CatchClause: ({ param }) => add("local", boundNames(param)),
    ClassDeclaration: addType,
    TSInterfaceDeclaration: addType,
    TSTypeAliasDeclaration: addType,
    TSEnumDeclaration: addType,
    PropertyDefinition: addMember,
    MethodDefinition: addMember,
    TSPropertySignature: addMember
  }).visit(program)
  return names
}
