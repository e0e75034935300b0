/**
 * Names of the options of a function for hosts, such as `SqliteLectern.open`. An unknown option is an `InvalidInput`
 * that suggests a similar name, or lists all names: otherwise a host without a type checker would run with the default.
 *
 * ```ts
 * const optionNames: OptionNames<CacheOptions> = { bytes: true, idle: durationParts }
 * checkOptions(optionNames, options)
 * ```
 */
import { InvalidInput } from "./Input.ts"
import { suggestionOf } from "./NearestName.ts"

type NameOf<Options> = Options extends unknown ? keyof Options : never

type OptionAt<Options, Name> = Options extends unknown ? (Name extends keyof Options ? Options[Name] : never) : never

/** All option names. `true`: the value is not checked. Otherwise, the names of the options in the value. */
export type OptionNames<Options> = {
  readonly [Name in NameOf<Options>]: true | OptionNames<NonNullable<OptionAt<Options, Name>>>
}

/** Any names, since a value can't have the type of a recursive record. */
type Names = Readonly<Record<string, unknown>>

/** Throws `InvalidInput` if the options have another name. */
export const checkOptions = (names: object, options: unknown): void => {
  const issues = unknownOptions(names as Names, options, "")
  if (issues.length > 0) throw new InvalidInput({ issues })
}

const unknownOptions = (names: Names, options: unknown, path: string): InvalidInput["issues"] =>
  typeof options !== "object" || options === null || Array.isArray(options)
    ? []
    : Object.entries(options).flatMap(([name, value]) => {
        if (!Object.hasOwn(names, name)) return [{ path: path + name, message: messageFor(name, Object.keys(names)) }]
        const inner = names[name]
        return typeof inner === "object" ? unknownOptions(inner as Names, value, `${path}${name}.`) : []
      })

const messageFor = (name: string, knownNames: ReadonlyArray<string>): string =>
  `Unknown option${suggestionOf(name, knownNames) || `. Options: ${knownNames.join(", ")}`}`

/** Divides options into those with one of the names, and all others. */
export const partitionOptions = <Options extends object, Name extends PropertyKey>(
  names: Readonly<Record<Name, unknown>>,
  options: Options
): [named: Pick<Options, Name & keyof Options>, others: Omit<Options, Name>] => {
  const entries = Object.entries(options)
  const isNamed = ([name]: [string, unknown]) => Object.hasOwn(names, name)
  return [
    Object.fromEntries(entries.filter(isNamed)) as Pick<Options, Name & keyof Options>,
    Object.fromEntries(entries.filter((entry) => !isNamed(entry))) as Omit<Options, Name>
  ]
}
