/**
 * Writes types as a host reads them: branded ids are strings, times in input are `string | Date`, secrets in results are
 * strings, and read-only arrays are arrays. Types of the packages and resources have names; other objects show their
 * fields, down to two levels.
 */
import { type Checker, SignatureKind, type Symbol, type Type, TypeFlags } from "typescript/unstable/sync"

/** Longer unions of literals end with an ellipsis after the first ones. */
const maxLiterals = 8
const firstLiterals = 3

/** Depths that are tried until the text is short enough. */
const depths = [2, 1, 0]
const maxLength = 160

/** Objects within objects show their fields only up to this number. */
const maxInnerFields = 6

/** Use of a type: in input, in a field of a result, or as a result. A result shows `undefined`. */
export type Use = "input" | "field" | "result"

/** Returns the text of a type, with fewer levels if it is long. */
export const typeText = (checker: Checker, type: Type, use: Use): string => {
  let text = ""
  for (const depth of depths) {
    text = textTo(checker, type, use, depth)
    if (text.length <= maxLength) break
  }
  return text
}

const textTo = (checker: Checker, type: Type, use: Use, maxDepth: number): string => {
  const isInput = use === "input"

  /** Types that enclose the current one. A type that contains itself ends with `object`. */
  const enclosing = new Set<number>()

  const write = (type: Type, depth: number): string => {
    if (enclosing.has(type.id)) return "object"
    enclosing.add(type.id)
    const text = writeType(type, depth)
    enclosing.delete(type.id)
    return text
  }

  const writeType = (type: Type, depth: number): string => {
    if (type.getAliasSymbol()?.name === "Json") return "Json"
    if (type.isUnionType()) return writeUnion(type.getTypes(), depth)
    if (type.isLiteralType()) return typeof type.value === "string" ? JSON.stringify(type.value) : String(type.value)
    if (type.isIntrinsicType()) return type.intrinsicName
    if (isText(type)) return isInput && isTime(checker, type) ? "string | Date" : "string"
    const symbol = type.getAliasSymbol() ?? type.getSymbol()
    if (isNamed(symbol)) return writeNamed(type, symbol!, depth)
    if (type.isTypeReference()) {
      const items = checker.getTypeArguments(type).map((item) => write(item, depth))
      if (checker.isArrayType(type) || symbol?.name === "ReadonlyArray") {
        return /[ |]/.test(items[0]!) && !/^\{.*\}$/.test(items[0]!) ? `(${items[0]})[]` : `${items[0]}[]`
      }
      if (checker.isTupleType(type)) return `[${items.join(", ")}]`
      if (symbol?.name === "Redacted") return isInput ? `Redacted<${items[0] ?? "string"}>` : (items[0] ?? "string")
      return items.length === 0 || symbol?.name === "Uint8Array"
        ? symbol!.name
        : `${symbol!.name.replace(/^Readonly/, "")}<${items.join(", ")}>`
    }
    if (checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) return writeFunction(type, depth)
    return writeFields(type, depth)
  }

  const writeUnion = (types: ReadonlyArray<Type>, depth: number): string => {
    const texts = [...new Set(types.filter((type) => !isUndefined(type)).map((type) => write(type, depth)))]
    const literals = texts.filter((text) => text.startsWith('"'))
    const shownLiterals = literals.length > maxLiterals ? [...literals.slice(0, firstLiterals), "…"] : literals
    const others = texts.filter((text) => !text.startsWith('"') && !/^(true|false|null)$/.test(text))
    const flags = ["true", "false"].filter((text) => texts.includes(text))
    const booleans = flags.length === 2 ? ["boolean"] : flags
    const nothing = texts.filter((text) => text === "null")
    const absent = use === "result" && types.some(isUndefined) ? ["undefined"] : []
    return [...shownLiterals, ...others, ...booleans, ...nothing, ...absent].join(" | ")
  }

  const writeNamed = (type: Type, symbol: Symbol, depth: number): string => {
    const args =
      type.getAliasSymbol() !== undefined
        ? type.getAliasTypeArguments()
        : type.isTypeReference()
          ? checker.getTypeArguments(type)
          : []
    return args.length === 0 ? symbol.name : `${symbol.name}<${args.map((arg) => write(arg, depth)).join(", ")}>`
  }

  const writeFunction = (type: Type, depth: number): string => {
    const [signature] = checker.getSignaturesOfType(type, SignatureKind.Call)
    const parameters = signature!
      .getParameters()
      .map((parameter) => `${parameter.name}: ${write(checker.getTypeOfSymbol(parameter)!, depth + 1)}`)
    const result = checker.getReturnTypeOfSignature(signature!)!
    const isEffect = result.getSymbol()?.name === "Effect" && result.isTypeReference()
    const text = isEffect
      ? `Promise<${write(checker.getTypeArguments(result)[0]!, depth + 1)}>`
      : write(result, depth + 1)
    return `(${parameters.join(", ")}) => ${text}`
  }

  const writeFields = (type: Type, depth: number): string => {
    const [index] = checker.getIndexInfosOfType(type)
    const fields = checker.getPropertiesOfType(type)
    if (index !== undefined && fields.length === 0) return `{ [name: string]: ${write(index.valueType, depth + 1)} }`
    const resource = resourceName(checker, fields)
    if (resource !== undefined) return resource
    if (fields.length === 0 || depth >= maxDepth || (depth > 0 && fields.length > maxInnerFields)) return "object"
    const texts = fields.map((field) => {
      const isOptional = (field.flags & symbolIsOptional) !== 0
      return `${field.name}${isOptional ? "?" : ""}: ${write(checker.getTypeOfSymbol(field)!, depth + 1)}`
    })
    return `{ ${texts.join("; ")} }`
  }

  return write(type, 0)
}

/** Returns the name of a resource: `ChangeRequest` for an object whose field `object` is `change-request`. */
const resourceName = (checker: Checker, fields: ReadonlyArray<Symbol>): string | undefined => {
  const kind = fields.find(({ name }) => name === "object")
  const type = kind && checker.getTypeOfSymbol(kind)
  if (type?.isStringLiteralType() !== true) return undefined
  return type.value.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const symbolIsOptional = 16_777_216

/** Returns true if a property may be absent. */
export const isOptional = (property: Symbol): boolean => (property.flags & symbolIsOptional) !== 0

export const isUndefined = (type: Type): boolean => (type.flags & TypeFlags.Undefined) !== 0

/** Returns true for strings with a brand, such as ids. */
export const isText = (type: Type): boolean =>
  type.isIntersectionType() && type.getTypes().some((part) => part.isIntrinsicType() && part.intrinsicName === "string")

const isTime = (checker: Checker, type: Type): boolean =>
  /Brand<"Timestamp">|InputTime|inputTime/.test(checker.typeToString(type))

/** True for types that the packages declare with a name. */
const isNamed = (symbol: Symbol | undefined): boolean => {
  const path = symbol?.declarations[0]?.path
  return (
    path !== undefined && /^[A-Z]/.test(symbol!.name) && path.includes("/packages/") && !path.includes("node_modules")
  )
}
